"""Links: with one, a client sees exactly one revision without an account, and can accept or decline it."""

from datetime import date, timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.accounts import api_keys
from backbench.documents.documents import PdfExportOptions
from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.estimating.pdf_exports import NewPdfExport
from backbench.values.calls import Call, Caller
from backbench.values.enums import DecisionOutcome, DocumentLocale, MessageTone
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.pagination import PagedList
from backbench.values.plain_text import has_address
from backbench.values.scalars import MAX_EMAIL_LENGTH, Email, LongText, is_email
from backbench.values.shapes import made_of
from backbench.values.times import Instant, from_datetime, parse

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


class LinksList(PagedList, frozen=True):
    links: list[Link]


class LinkWithSecret(Struct, frozen=True):
    """A link with an address: `url` has its token, which is returned only once."""

    link: Link
    url: str


class ChangedLink(Struct, frozen=True):
    link: Link


class AddressWithSecret(Struct, frozen=True):
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
        """Whether the client gets a receipt of a decision by email, or got one of that which is in the way."""
        if self.is_decided:
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
        return made_of(Link, self, state=self.state(now), openings=self.openings_until_now(), addresses=addresses)


class LinkCaller(Caller, frozen=True, kw_only=True):
    """The client who holds an address of the link, with the link as it was when the token was checked."""

    link: StoredLink
    address: LinkAddress
    token_hash: str

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


class NewLink(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Defaults: the latest revision, the default toggles, and the end of the estimate's validity."""

    locale: DocumentLocale
    revision_number: RevisionNumber | UnsetType = UNSET
    toggles: PdfExportOptions | UnsetType = UNSET
    expires_at: Moment | UnsetType = UNSET
    can_decide: bool = True

    def to_export(self) -> NewPdfExport:
        """The PDF that is bound to the link."""
        return NewPdfExport(self.locale, False, self.toggles, self.revision_number)


class LinkEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`expiresAt` null: the link follows the end of the estimate's validity."""

    revision_number: RevisionNumber | UnsetType = UNSET
    expires_at: Moment | UnsetType | None = UNSET
    can_decide: bool | UnsetType = UNSET


class LinkMail(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    email: Email
    tone: MessageTone
    message: LongText = ""

    def field_errors(self) -> list[FieldError]:
        """An account could otherwise send any link to anybody in the name of this server."""
        if not has_address(self.message):
            return []
        return [FieldError("/message", "address", "No links and no addresses: the email has the link of the estimate")]


# Statements


# Of a link alone, and with the document that it shows.
_OWN = """l.id, l.workshop_id, l.estimate_id, l.created_at, l.created_by_uid, l.revision_number, l.locale,
    l.toggles, l.can_decide, l.expires_at, l.own_expiry, l.revoked_at, l.pdf_export_id, l.pdf_hash, l.document_hash,
    l.receipt_email, l.mailed_to, l.openings, l.first_opened_at, l.last_opened_at"""
_STATE = """e.latest_revision AS newest_revision, d.outcome, d.revision_number AS decided_revision,
    d.receipt_email AS decision_email"""
# When the decision was made that a member voided last. None while one stands.
_VOIDED = """CASE WHEN d.id IS NULL THEN (
        SELECT v.decided_at FROM decisions v
        WHERE v.estimate_id = l.estimate_id AND v.voided_at IS NOT NULL AND v.superseded_by IS NULL
        ORDER BY v.voided_at DESC, v.id DESC LIMIT 1
    ) END AS voided_decided_at"""
COLUMNS = f"{_OWN}, l.document, {_STATE}, {_VOIDED}"
_WITHOUT_DOCUMENT = f"{_OWN}, '' AS document, {_STATE}, NULL AS voided_decided_at"
JOINED = """JOIN estimates e ON e.id = l.estimate_id
    LEFT JOIN decisions d ON d.estimate_id = l.estimate_id AND d.voided_at IS NULL"""
_FROM = f"FROM links l {JOINED}"


def _loaded(condition: str = "") -> Loaded[StoredLink]:
    return Loaded(
        StoredLink,
        "link",
        "links l",
        key="link_id",
        own_columns=_WITHOUT_DOCUMENT,
        condition=f"l.id = :link_id {condition}",
        joins=f"LEFT {JOINED}",
        locked="links l JOIN estimates e ON e.id = l.estimate_id",
        locks=("e",),
    )


# The link of a path, without its document. The state of links and decisions is judged under the lock of their estimate.
LINK = _loaded("AND l.revoked_at IS NULL")
LINK_OR_REVOKED = _loaded()


async def lookup_active(db: Read, link_id: str) -> StoredLink | None:
    """The link with its document. None once it is revoked."""
    sql = f"SELECT {COLUMNS} {_FROM} WHERE l.id = :id AND l.revoked_at IS NULL"
    return await db.one(StoredLink, sql, id=link_id)


async def find(db: Read, link_id: str) -> StoredLink:
    """Without its document. Raises NotFound."""
    link = await db.one(StoredLink, f"SELECT {_WITHOUT_DOCUMENT} {_FROM} WHERE l.id = :id", id=link_id)
    if link is None:
        raise NotFound
    return link


async def lookup_newest(db: Read, estimate_id: str) -> StoredLink | None:
    """The newest link of the estimate that is not revoked, without its document."""
    sql = f"""
        SELECT {_WITHOUT_DOCUMENT} {_FROM} WHERE l.estimate_id = :id AND l.revoked_at IS NULL
        ORDER BY l.created_at DESC, l.id DESC LIMIT 1
    """
    return await db.one(StoredLink, sql, id=estimate_id)


def of_estimate(estimate_id: str) -> NewestFirst[StoredLink]:
    """The estimate's links, revoked ones included, without their documents."""
    select = f"SELECT {_WITHOUT_DOCUMENT} {_FROM} WHERE l.estimate_id = :estimate_id"
    return NewestFirst(StoredLink, select, {"estimate_id": estimate_id}, at="l.created_at", id_="l.id")


def with_documents(estimate_id: str) -> NewestFirst[StoredLink]:
    """The estimate's links with what they show, for an export."""
    source = f"{_FROM} WHERE l.estimate_id = :estimate_id"
    values: dict[str, Value] = {"estimate_id": estimate_id}
    select = f"SELECT {COLUMNS} {source}"
    size = "octet_length(l.document)"
    return NewestFirst(StoredLink, select, values, at="l.created_at", id_="l.id", source=source, size=size)


async def list_shared(db: Read, workshop_id: str) -> list[str]:
    """The ids of the workshop's estimates that have ever had a link or a decision, newest first."""
    sql = """
        SELECT e.id FROM estimates e WHERE e.workshop_id = :workshop_id AND (
            EXISTS (SELECT 1 FROM links l WHERE l.estimate_id = e.id)
            OR EXISTS (SELECT 1 FROM decisions d WHERE d.estimate_id = e.id)
        ) ORDER BY e.created_at DESC, e.id DESC
    """
    return await db.all(str, sql, workshop_id=workshop_id)


async def count_open(db: Read, estimate_id: str, now: Instant) -> int:
    """The links of the estimate that can be decided, or could be if they were not only shown."""
    sql = """
        SELECT count(*) FROM links l JOIN estimates e ON e.id = l.estimate_id
        WHERE l.estimate_id = :estimate_id AND l.revision_number = e.latest_revision
            AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > :now) AND NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.estimate_id = l.estimate_id AND d.voided_at IS NULL
                    AND d.revision_number = l.revision_number
            )
    """
    return int(await db.value(sql, estimate_id=estimate_id, now=now))


async def add(db: Write, link: StoredLink) -> None:
    await db.add(
        "links",
        workshop_id=link.workshop_id,
        estimate_id=link.estimate_id,
        created_at=link.created_at,
        id=link.id,
        created_by_uid=link.created_by_uid,
        locale=link.locale,
        toggles=link.toggles,
        **_shown(link),
    )


async def save(db: Write, link: StoredLink) -> None:
    """Saves what the link shows now, and until when."""
    await db.save("links", link, **_shown(link))


# What a link shows, and until when.
_SHOWN = (
    "revision_number",
    "can_decide",
    "expires_at",
    "own_expiry",
    "pdf_export_id",
    "pdf_hash",
    "document",
    "document_hash",
    "receipt_email",
)


def _shown(link: StoredLink) -> dict[str, Any]:
    return {name: getattr(link, name) for name in _SHOWN}


async def save_revoked(db: Write, link_id: str, at: Instant) -> None:
    """Revokes the link and deletes the tokens of its addresses."""
    await db.run("UPDATE links SET revoked_at = :at WHERE id = :id", id=link_id, at=at)
    await db.run("DELETE FROM link_tokens WHERE link_id = :id", id=link_id)


async def save_mailed(db: Write, link_id: str, email: str) -> None:
    await db.run("UPDATE links SET mailed_to = :email WHERE id = :id", id=link_id, email=email)


class _LastOpening(Struct, frozen=True):
    last_opened_at: Instant | None


async def lock_last_opening(db: Write, link_id: str) -> Instant | None:
    """When the link was last opened, which nobody changes until the end of the transaction. None: never, or deleted."""
    sql = "SELECT last_opened_at FROM links WHERE id = :id"
    found = await db.locking().one(_LastOpening, sql, id=link_id)
    return None if found is None else found.last_opened_at


async def save_opening(db: Write, link_id: str, at: Instant) -> None:
    await db.run(
        """
        UPDATE links SET openings = openings + 1, first_opened_at = coalesce(first_opened_at, :at), last_opened_at = :at
        WHERE id = :id
        """,
        id=link_id,
        at=at,
    )
