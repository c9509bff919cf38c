"""Links: with one, a client sees exactly one revision without an account, and can accept or decline it."""

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts import api_keys
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import Plan, PlanRules, WorkshopPlan, WorkshopPlanSource
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.documents.pdf_exports import NewPdfExport
from backbench.domain.drafting.plain_text import has_address
from backbench.domain.values.enums import DecisionOutcome, DocumentLocale, MessageTone
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.scalars import MAX_EMAIL_LENGTH, Email, LongText, is_email
from backbench.domain.values.times import Instant, from_datetime, parse

# `superseded`: a newer revision has a link of its own. A revoked link can no longer be read either.
LinkState = Literal["open", "accepted", "declined", "superseded", "expired", "revoked"]
TOKEN_PREFIX = "bbl_"  # noqa: S105 - the public beginning of every token
MAX_OPEN_LINKS = 10
# The last place on earth where a day ends is twelve hours behind UTC.
_LAST_HOUR = "12:00:00.000Z"


class LinkLimits(Struct, frozen=True):
    """How often a link may be used: requests, and the seconds in which they are counted."""

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


class LinksList(Struct, frozen=True):
    links: list[Link]


class SharedLink(Struct, frozen=True):
    """A new link. `url` has its token, which is returned only once."""

    link: Link
    url: str


class NewLink(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Defaults: the latest revision, the default toggles, and the end of the estimate's validity."""

    locale: DocumentLocale
    revision_number: Annotated[int, Meta(ge=1, le=2**31 - 1)] | UnsetType = UNSET
    toggles: PdfExportOptions | UnsetType = UNSET
    expires_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET
    can_decide: bool = True

    def to_export(self) -> NewPdfExport:
        """The PDF that is bound to the link."""
        return NewPdfExport(self.locale, False, self.toggles, self.revision_number)

    def expiry(self, valid_until: date | None, now: Instant) -> Instant | None:
        """When it expires. None if the estimate has no end of validity. Raises ValidationError."""
        if self.expires_at is UNSET:
            return None if valid_until is None else end_of(valid_until)
        try:
            moment = parse(self.expires_at)
            expiry = from_datetime(moment) if moment.tzinfo is not None else None
        except (ValueError, OverflowError):
            expiry = None
        if expiry is None:
            detail = "Expected an ISO 8601 date-time with a time zone"
            raise ValidationError(FieldError("/expiresAt", "malformed", detail))
        if expiry <= now:
            raise ValidationError(FieldError("/expiresAt", "past", "Expected a time in the future"))
        return expiry


class LinkMail(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    email: Email
    tone: MessageTone
    message: LongText = ""

    def field_errors(self) -> list[FieldError]:
        """An account could otherwise send any link to anybody in the name of this server."""
        if not has_address(self.message):
            return []
        return [FieldError("/message", "address", "No links and no addresses: the email has the link of the estimate")]


def already_decided() -> Conflict:
    return Conflict("decided", "This estimate has been decided already")


def end_of(day: date) -> Instant:
    """The end of the day anywhere on earth: a client is not refused on the last day by the time zone of a server."""
    return f"{day + timedelta(1)}T{_LAST_HOUR}"


class StoredLink(Struct, frozen=True):
    """A link with what its state depends on: the newest revision that has a link, and the standing decision."""

    id: str
    workshop_id: str
    estimate_id: str
    created_at: Instant
    created_by_uid: str
    revision_number: int
    locale: DocumentLocale
    toggles: PdfExportOptions
    can_decide: bool
    expires_at: Instant | None
    revoked_at: Instant | None
    pdf_export_id: str | None
    pdf_hash: str
    document_hash: str
    receipt_email: str | None
    openings: int
    first_opened_at: Instant | None
    last_opened_at: Instant | None
    newest_revision: int
    outcome: DecisionOutcome | None
    decided_revision: int | None

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

    def may_be_decided(self, now: Instant) -> bool:
        return self.can_decide and self.outcome is None and self.state(now) == "open"

    def require_open(self, now: Instant) -> None:
        """Raises Conflict with the reason for which the link cannot be decided now."""
        if self.outcome is not None:
            raise already_decided()
        self.require_current(now)
        if not self.can_decide:
            raise Conflict("not_decidable", "This link only shows the estimate")

    def require_current(self, now: Instant) -> None:
        """Raises Conflict where a newer revision has a link, or the link has expired."""
        state = self.state(now)
        if state == "superseded":
            raise Conflict("superseded", "There is a newer version of this estimate")
        if state == "expired":
            raise Conflict("expired", "This estimate is no longer valid")

    def openings_until_now(self) -> Openings:
        return Openings(self.openings, self.first_opened_at or UNSET, self.last_opened_at or UNSET)

    def to_response(self, now: Instant) -> Link:
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
        )


class OpenedLink(StoredLink, frozen=True):
    """A link that a token was found for, with what the client's page shows besides."""

    document: str
    decided_by: str | None
    decided_at: Instant | None
    plan: WorkshopPlan
    plan_expires_at: Instant | None
    plan_source: WorkshopPlanSource | None

    def shows_brand_mark(self, now: Instant, rules: PlanRules) -> bool:
        """By the plan of this moment: a plan that ended shows the mark again."""
        plan = rules.in_effect(Plan(self.plan, self.plan_expires_at, self.plan_source), now)
        return self.toggles.show_brand_mark or not plan.may_hide_brand_mark


class LinkCaller(Caller, frozen=True, kw_only=True):
    """The client who holds the link, with the link as it was when the token was checked."""

    link: OpenedLink

    @property
    def shares_limits_of(self) -> str:
        """The workshop: however many links an account makes, it cannot occupy the renderer."""
        return self.link.workshop_id


class LinkCall(Call, frozen=True):
    """A call by a client who holds a link."""

    caller: LinkCaller


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
