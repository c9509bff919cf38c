"""Links: with one, a client sees exactly one revision without an account, and can accept or decline it."""

from datetime import date, timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.accounts import api_keys
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Caller
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.values.enums import DecisionMethod, DecisionOutcome, DocumentLocale
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.scalars import MAX_EMAIL_LENGTH, is_email
from backbench.domain.values.times import Instant, from_datetime, parse

# `superseded`: a newer revision has been confirmed. A revoked link can no longer be read either.
LinkState = Literal["open", "accepted", "declined", "superseded", "expired", "revoked"]
# `shown` to a member, `printed` as a code on the PDF, or `mailed`. `unknown`: made before the kind was stored.
AddressKind = Literal["shown", "printed", "mailed", "unknown"]
TOKEN_PREFIX = "bbl_"  # noqa: S105 - the public beginning of every token
MAX_OPEN_LINKS = 10
# Besides the first one, and those that were mailed or printed.
MAX_ADDRESSES = 20
# The last place on earth where a day ends is twelve hours behind UTC.
_LAST_HOUR = "12:00:00.000Z"

RevisionNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Moment = Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})]


class LinkLimits(Struct, frozen=True):
    """How often an address of a link may be used: requests, and the seconds in which they are counted."""

    reads: int = 120
    read_seconds: int = 60
    decisions: int = 10
    comments: int = 20
    write_seconds: int = 3600
    bad_tokens: int = 60
    bad_token_seconds: int = 60


class Openings(Struct, frozen=True, rename="camel", omit_defaults=True):
    """How often the client opened the page. Visits of members do not count."""

    count: int
    first_at: Instant | UnsetType = UNSET
    last_at: Instant | UnsetType = UNSET


class LinkAddress(Struct, frozen=True, rename="camel", omit_defaults=True):
    """An address of a link, each with a token of its own: who made it, and how it reached the client.

    `ended`: it no longer works, because its maker has left the workshop, or its API key was revoked.
    """

    kind: AddressKind
    created_at: Instant
    by_uid: str | UnsetType = UNSET
    key_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    ended: bool = False


class Link(Struct, frozen=True, rename="camel"):
    id: str
    estimate_id: str
    revision_number: int
    locale: DocumentLocale
    toggles: PdfExportOptions
    can_decide: bool
    state: LinkState
    document_hash: str
    created_at: Instant
    created_by_uid: str
    openings: Openings
    pdf_export_id: str | UnsetType = UNSET
    expires_at: Instant | UnsetType = UNSET
    revoked_at: Instant | UnsetType = UNSET
    # In lists only, oldest first.
    addresses: list[LinkAddress] | UnsetType = UNSET


class LinksList(Struct, frozen=True):
    links: list[Link]


class SharedLink(Struct, frozen=True):
    """A link with an address: `url` has its token, which is returned only once."""

    link: Link
    url: str


class ChangedLink(Struct, frozen=True):
    link: Link


class NewAddress(Struct, frozen=True):
    """`url` has the token of the address, which is returned only once."""

    url: str


class _Validity(Struct, frozen=True, rename="camel"):
    """The end of the validity in the document of a link."""

    valid_until: date | None = None


class StoredLink(Struct, frozen=True):
    """A link with what its state depends on: the estimate's latest revision and its standing decision.

    `document` is the canonical JSON of what it shows, or "" where it was not read.
    """

    id: str
    workshop_id: str
    estimate_id: str
    created_at: Instant
    created_by_uid: str
    revision_number: int
    locale: DocumentLocale
    toggles: PdfExportOptions
    can_decide: bool
    expires_at: Instant | None = None
    own_expiry: bool = False
    revoked_at: Instant | None = None
    pdf_export_id: str | None = None
    pdf_hash: str = ""
    document_hash: str = ""
    receipt_email: str | None = None
    mailed_to: str | None = None
    openings: int = 0
    first_opened_at: Instant | None = None
    last_opened_at: Instant | None = None
    document: str = ""
    newest_revision: int = 0
    outcome: DecisionOutcome | None = None
    decided_revision: int | None = None
    decided_by: str | None = None
    decided_at: Instant | None = None
    decision_method: DecisionMethod | None = None
    # Where the receipt of the standing decision went.
    decision_email: str | None = None
    # Of the decision that was voided last, while none stands. Read together with the document only.
    voided_decided_at: Instant | None = None

    def state(self, now: Instant) -> LinkState:
        if self.revoked_at is not None:
            return "revoked"
        if self.outcome is not None and self.decided_revision == self.revision_number:
            return self.outcome
        if self.newest_revision > self.revision_number:
            return "superseded"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return "open"

    @property
    def is_decided(self) -> bool:
        """Whether a decision stands in the way: any, but a decline of an older revision."""
        return self.outcome is not None and not is_outdated(self.outcome, self.decided_revision, self.revision_number)

    @property
    def client_email(self) -> str | None:
        """Where the client reads emails: where the link was mailed, else the address of the revision's recipient."""
        return self.mailed_to or self.receipt_email

    def has_receipt(self, *, can_mail: bool) -> bool:
        """Whether the client gets a receipt of a decision by email, or got one of the decision that stands."""
        if self.outcome is not None:
            return self.decision_email is not None
        return can_mail and self.client_email is not None

    def may_be_decided(self, now: Instant) -> bool:
        return self.can_decide and not self.is_decided and self.state(now) == "open"

    def require_open(self, now: Instant) -> None:
        """Raises Conflict with the reason for which the link cannot be decided now."""
        if self.is_decided:
            raise already_decided()
        self.require_current(now)
        if not self.can_decide:
            raise Conflict("not_decidable", "This link only shows the estimate")

    def require_current(self, now: Instant) -> None:
        """Raises Conflict where a newer revision has been confirmed, or the link has expired."""
        state = self.state(now)
        if state == "superseded":
            raise Conflict("superseded", "There is a newer revision of this estimate")
        if state == "expired":
            raise Conflict("expired", "This estimate is no longer valid")

    def until_validity(self) -> "StoredLink":
        """The link that expires with the validity in its document."""
        valid_until = msgspec.json.decode(self.document, type=_Validity).valid_until
        return structs.replace(self, expires_at=None if valid_until is None else end_of(valid_until), own_expiry=False)

    def until(self, sent: str, now: Instant) -> "StoredLink":
        """The link with an expiry of its own. Raises ValidationError."""
        moment = moment_at(sent, "/expiresAt")
        if moment <= now:
            raise ValidationError(FieldError("/expiresAt", "past", "Expected a time in the future"))
        return structs.replace(self, expires_at=moment, own_expiry=True)

    def openings_until_now(self) -> Openings:
        return Openings(self.openings, self.first_opened_at or UNSET, self.last_opened_at or UNSET)

    def to_response(self, now: Instant, addresses: list[LinkAddress] | UnsetType = UNSET) -> Link:
        return Link(
            id=self.id,
            estimate_id=self.estimate_id,
            revision_number=self.revision_number,
            locale=self.locale,
            toggles=self.toggles,
            can_decide=self.can_decide,
            state=self.state(now),
            document_hash=self.document_hash,
            created_at=self.created_at,
            created_by_uid=self.created_by_uid,
            openings=self.openings_until_now(),
            pdf_export_id=self.pdf_export_id or UNSET,
            expires_at=self.expires_at or UNSET,
            revoked_at=self.revoked_at or UNSET,
            addresses=addresses,
        )


class LinkCaller(Caller, frozen=True, kw_only=True):
    """The client who holds an address of the link, with the link as it was when the token was checked."""

    link: StoredLink
    address: LinkAddress
    token_hash: str
    # The first owner of the workshop.
    owner_uid: str = ""

    @property
    def stores_responses_of(self) -> str:
        return self.owner_uid

    @property
    def key_suffix(self) -> str:
        return f" by link {self.link.id}"

    @property
    def shares_limits_of(self) -> str:
        """The workshop: however many links an account makes, it cannot occupy the renderer."""
        return self.link.workshop_id


class LinkCall(Call, frozen=True):
    """A call by a client who holds a link."""

    caller: LinkCaller


def is_outdated(outcome: DecisionOutcome, of_revision: int | None, revision_number: int) -> bool:
    """Whether a standing decision is a decline of a revision older than `revision_number`."""
    return outcome == "declined" and of_revision is not None and of_revision < revision_number


def already_decided() -> Conflict:
    return Conflict("decided", "This estimate has been decided already")


def end_of(day: date) -> Instant:
    """The end of the day anywhere on earth: a client is not refused on the last day by the time zone of a server."""
    return f"{day + timedelta(1)}T{_LAST_HOUR}"


def moment_at(sent: str, pointer: str) -> Instant:
    """A date-time as it was sent. Raises ValidationError."""
    malformed = ValidationError(FieldError(pointer, "malformed", "Expected an ISO 8601 date-time with a time zone"))
    try:
        moment = parse(sent)
        if moment.tzinfo is None:
            raise malformed
        return from_datetime(moment)
    except (ValueError, OverflowError):
        raise malformed from None


def new_token() -> str:
    return api_keys.new_secret(TOKEN_PREFIX)


def is_token(secret: str) -> bool:
    return api_keys.is_well_formed(secret, TOKEN_PREFIX)


def receipt_email(entered: str) -> str | None:
    """The address to which the client's receipt goes; None for a text that is no address."""
    return entered if is_email(entered) and len(entered) <= MAX_EMAIL_LENGTH else None


def page_url(public_url: str, token: str) -> str:
    """The address of the client's page. The token is in the fragment, which no server, log or preview sees."""
    return f"{public_url}/e/#{token}"
