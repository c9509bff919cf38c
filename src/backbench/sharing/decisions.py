"""Decisions: that a client accepted or declined one revision, with the evidence of what was shown and who decided."""

import unicodedata
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.accounts import accounts
from backbench.documents.documents import PdfExportOptions
from backbench.documents.titles import title_words
from backbench.engine.database import Database, Read, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.estimating import estimates, revisions
from backbench.estimating.document_facts import EstimateRef
from backbench.estimating.documents import of_revision
from backbench.mail.details import DecisionDetails, LinkDetails
from backbench.mail.outbox import NewEmail
from backbench.orders import balances
from backbench.services import Services
from backbench.sharing import links, notices
from backbench.sharing.client_documents import (
    canonical_document,
    client_document,
    offers_early_start,
    sha256_hex,
    summary_of,
)
from backbench.sharing.link_access import count_decision, lookup_member
from backbench.sharing.links import (
    LinkAddress,
    LinkCall,
    Openings,
    RevisionNumber,
    StoredLink,
    already_decided,
    is_outdated,
    moment_at,
)
from backbench.sharing.notices import _owners, _queue
from backbench.values.calls import Call
from backbench.values.enums import DecisionMethod, DecisionOutcome, DocumentLocale, DocumentTitle
from backbench.values.errors import Conflict, FieldError, NotFound, Unauthenticated, ValidationError
from backbench.values.numbers import Number, to_json, to_json_text
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import LINE_FEEDS, LINES, NO_CONTROL, NOT_BLANK, NOT_REVERSED, ONE_LINE, Rule, between
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.words import words
from backbench.workshops.audit import Audited

CommentText = Annotated[str, Meta(min_length=1, max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK]

RecordedMethod = Literal["in_person", "phone", "email", "message"]
SignatureKind = Literal["typed", "drawn"]
MAX_STROKES = 64
MAX_POINTS = 512
MAX_STROKE_BYTES = 32 * 1024
Coordinate = Annotated[Number, between(0, 10_000, places=30)]
Point = Annotated[list[Coordinate], Meta(min_length=2, max_length=2)]
Stroke = Annotated[list[Point], Meta(min_length=1, max_length=MAX_POINTS)]
DeclineReason = Annotated[str, Meta(max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK]


class Signature(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A typed signature is the name itself. Strokes of a drawn one are lists of points [x, y], with y downwards."""

    kind: SignatureKind
    strokes: Annotated[list[Stroke], Meta(max_length=MAX_STROKES)] = []

    def field_errors(self) -> list[FieldError]:
        if (self.kind == "drawn") != bool(self.strokes):
            return [FieldError("/strokes", "wrong", "A drawn signature has strokes, a typed one has none")]
        if len(to_json(self.strokes)) <= MAX_STROKE_BYTES:
            return []
        return [FieldError("/strokes", "too_long", f"Expected at most {MAX_STROKE_BYTES} bytes of JSON")]


def has_letter(text: str) -> bool:
    return any(
        unicodedata.category(character).startswith("L") and character not in _BLANK_LETTERS for character in text
    )


SignerName = Annotated[
    str,
    Meta(min_length=1, max_length=250, pattern=NO_CONTROL, extra=ONE_LINE),
    Rule(code="characters", detail="A name has at least one letter", holds=has_letter),
    NOT_REVERSED,
]


class Consent(Struct, frozen=True):
    id: str
    text: str


class NewAcceptance(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: SignerName
    document_hash: Annotated[str, Meta(min_length=64, max_length=64)]
    consent_id: Annotated[str, Meta(min_length=1, max_length=64)]
    agreed: Annotated[
        bool, Rule("not_agreed", "The sentence must be agreed to", lambda agrees: agrees, {"const": True})
    ]
    signature: Signature
    # Ticked besides, where the document offers it.
    start_early: bool = False

    def consent_to(self, link: StoredLink) -> Consent:
        """What the client agrees to. Raises Conflict where hash or consent are not those of what the link shows."""
        consent = acceptance(link.locale, summary_of(link.document).title)
        if self.document_hash != link.document_hash or self.consent_id != consent.id:
            raise Conflict("changed", "This is not what the link shows; load it again")
        if not self.start_early:
            return consent
        if not offers_early_start(link.document):
            raise ValidationError(
                FieldError("/startEarly", "not_offered", "The document does not offer an early start")
            )
        return with_early_start(consent, link.locale)


class NewDecline(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: SignerName | UnsetType = UNSET
    reason: DeclineReason = ""


class NewDecision(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A decision that the client made without a link."""

    revision_number: RevisionNumber
    outcome: DecisionOutcome
    method: RecordedMethod
    name: SignerName
    decided_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET

    def decided(self, confirmed_at: Instant, now: Instant) -> Instant:
        """When the client decided; now by default. Raises ValidationError for a time before the revision."""
        if self.decided_at is UNSET:
            return now
        decided_at = moment_at(self.decided_at, "/decidedAt")
        if decided_at > now:
            raise ValidationError(FieldError("/decidedAt", "future", "Expected a time in the past"))
        if decided_at < confirmed_at:
            raise ValidationError(FieldError("/decidedAt", "too_early", "The revision was confirmed after this time"))
        return decided_at


class VoidedDecision(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Body of a request."""

    reason: CommentText


class Voiding(Struct, frozen=True, rename="camel", omit_defaults=True):
    """That a decision no longer stands: who voided it and why, or the decision about a newer revision instead."""

    at: Instant
    by_uid: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    superseded_by: str | UnsetType = UNSET


class Decision(Struct, frozen=True, rename="camel", kw_only=True):
    """`linkAddress`: the address of the link that was used, of a decision through a link."""

    id: str
    estimate_id: str
    revision_number: int
    outcome: DecisionOutcome
    method: DecisionMethod
    decided_at: Instant
    recorded_at: Instant
    document_hash: str
    name: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    link_id: str | UnsetType = UNSET
    link_address: LinkAddress | UnsetType = UNSET
    recorded_by_uid: str | UnsetType = UNSET
    pdf_hash: str | UnsetType = UNSET
    signature: SignatureKind | UnsetType = UNSET
    consent: str | UnsetType = UNSET
    voided: Voiding | UnsetType = UNSET


class DecisionsList(PagedList, frozen=True):
    decisions: list[Decision]


class DecisionEvidence(Decision, frozen=True, rename="camel", kw_only=True):
    """A decision with everything that is stored about it, in exports.

    `signedInUid`: the member who was signed in, in the browser from which it came. `receiptEmail`: where the client's
    receipt was sent. Names are those of the moment of the decision and of voiding it.
    """

    document: str
    strokes: list[list[list[Number]]] | UnsetType = UNSET
    consent_id: str | UnsetType = UNSET
    address: str | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET
    openings: Openings | UnsetType = UNSET
    signed_in_uid: str | UnsetType = UNSET
    receipt_email: str | UnsetType = UNSET
    recorded_by_name: str | UnsetType = UNSET
    voided_by_name: str | UnsetType = UNSET


class StoredDecision(Struct, frozen=True):
    """A row: a decision with its evidence. `document` is the canonical JSON of what was shown."""

    id: str
    workshop_id: str
    estimate_id: str
    recorded_at: Instant
    revision_number: int
    outcome: DecisionOutcome
    method: DecisionMethod
    decided_at: Instant
    locale: DocumentLocale
    document: str
    document_hash: str
    link_id: str | None = None
    name: str | None = None
    reason: str | None = None
    recorded_by_uid: str | None = None
    pdf_hash: str | None = None
    signature: Signature | None = None
    consent: Consent | None = None
    address: str | None = None
    user_agent: str | None = None
    openings: Openings | None = None
    link_address: LinkAddress | None = None
    signed_in_uid: str | None = None
    pdf_export_id: str | None = None
    receipt_email: str | None = None
    recorded_by_name: str | None = None
    voided_at: Instant | None = None
    voided_by_uid: str | None = None
    voided_by_name: str | None = None
    void_reason: str | None = None
    superseded_by: str | None = None

    def to_response(self) -> Decision:
        return made_of(
            Decision,
            self,
            pdf_hash=self.pdf_hash or UNSET,
            signature=self.signature.kind if self.signature else UNSET,
            consent=self.consent.text if self.consent else UNSET,
            voided=self._voiding(),
        )

    def to_evidence(self) -> DecisionEvidence:
        return made_of(
            DecisionEvidence,
            self.to_response(),
            self,
            user_agent=self.user_agent or UNSET,
            strokes=(self.signature and self.signature.strokes) or UNSET,
            consent_id=self.consent.id if self.consent else UNSET,
        )

    def _voiding(self) -> Voiding | UnsetType:
        if self.voided_at is None:
            return UNSET
        return made_of(
            Voiding, self, at=self.voided_at, by_uid=self.voided_by_uid or UNSET, reason=self.void_reason or UNSET
        )


# The texts before: "accept-1".
_IDS: dict[DocumentTitle, str] = {
    "estimate": "accept-2",
    "quotation": "accept-2-quotation",
    "cost_estimate": "accept-2-cost-estimate",
}
# At the end of the id of a consent with the request for an early start.
_EARLY = "+early-start"


def acceptance(locale: DocumentLocale, title: DocumentTitle = "estimate") -> Consent:
    """The sentence of an acceptance, in the language of the document and with the title that it has."""
    named = title_words(title, locale)
    return Consent(_IDS[title], words(locale).consent.accept.format(the=named.the, inside=named.inside))


def with_early_start(consent: Consent, locale: DocumentLocale) -> Consent:
    """The sentence with the request that a client ticked besides, as it is stored."""
    return Consent(f"{consent.id}{_EARLY}", f"{consent.text} {words(locale).consent.early_start}")


def early_start_in(consent: Consent | None, locale: DocumentLocale) -> str:
    """The request in a sentence that was agreed to; "" where the client did not tick it."""
    return words(locale).consent.early_start if consent is not None and consent.id.endswith(_EARLY) else ""


# Letters of Hangul that are blank.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0"

# Statements


_OF_REVISION = """(SELECT r.{} FROM revisions r
        WHERE r.estimate_id = :estimate_id AND r.revision_number = :revision_number)"""
_NAMES = StoredDecision.__struct_fields__
_COLUMNS = columns(StoredDecision)
# With what the numbers of the workshop sum up of the revision, which never changes.
_ADD = f"""
    INSERT INTO decisions ({_COLUMNS}, currency, total_thousandths)
    VALUES ({", ".join(f":{name}" for name in _NAMES)}, {_OF_REVISION.format("currency")},
        {_OF_REVISION.format("total_thousandths")})
"""
_FIND = f"""
    SELECT {_COLUMNS} FROM decisions WHERE id = :decision_id
    UNION ALL SELECT {_COLUMNS} FROM kept_decisions WHERE id = :decision_id
"""
# The decision of a path, also one of an estimate that was deleted since. It is voided under the lock of its estimate.
DECISION = Loaded(
    StoredDecision,
    "decision",
    f"({_FIND}) d",
    key="decision_id",
    locked="decisions d JOIN estimates e ON e.id = d.estimate_id",
    locks=("e",),
)
_JSON = ("signature", "consent", "openings", "link_address")


async def find(db: Read, decision_id: str) -> StoredDecision:
    """The decision, also one of an estimate that was deleted since. Raises NotFound."""
    decision = await db.one(StoredDecision, _FIND, decision_id=decision_id)
    if decision is None:
        raise NotFound
    return decision


def of_estimate(estimate_id: str) -> NewestFirst[StoredDecision]:
    """The estimate's decisions, voided ones included."""
    return _list("decisions WHERE estimate_id = :estimate_id", estimate_id=estimate_id)


def of_deleted_estimates(workshop_id: str) -> NewestFirst[StoredDecision]:
    """The decisions about estimates of the workshop that were deleted since."""
    return _list("kept_decisions WHERE workshop_id = :workshop_id", workshop_id=workshop_id)


def _list(source: str, **values: str) -> NewestFirst[StoredDecision]:
    return NewestFirst(
        StoredDecision,
        f"SELECT {_COLUMNS} FROM {source}",
        {**values},
        at="recorded_at",
        source=f"FROM {source}",
        size="octet_length(document) + octet_length(coalesce(signature, ''))",
    )


async def find_standing(db: Read, estimate_id: str) -> StoredDecision | None:
    """The decision that stands; None where none does."""
    sql = f"SELECT {_COLUMNS} FROM decisions WHERE estimate_id = :estimate_id AND voided_at IS NULL"
    return await db.one(StoredDecision, sql, estimate_id=estimate_id)


async def standing_outcome(db: Read, estimate_id: str) -> DecisionOutcome | None:
    """The outcome of the decision that stands; None where none does."""
    sql = "SELECT outcome FROM decisions WHERE estimate_id = :estimate_id AND voided_at IS NULL"
    outcome: DecisionOutcome | None = await db.value(sql, estimate_id=estimate_id)
    return outcome


async def add(db: Write, decision: StoredDecision) -> None:
    values = {name: getattr(decision, name) for name in _NAMES}
    for name in _JSON:
        values[name] = None if values[name] is None else to_json_text(values[name])
    await db.run(_ADD, **values)


async def keep(db: Write, estimate_id: str) -> None:
    """Keeps the decisions of an estimate that is deleted in the same transaction. They go on counting as data."""
    await db.run(
        f"""
        INSERT INTO kept_decisions ({_COLUMNS}) SELECT {_COLUMNS} FROM decisions WHERE estimate_id = :estimate_id
        """,
        estimate_id=estimate_id,
    )


async def save_voided(db: Write, decision_id: str, at: Instant, by_uid: str, by_name: str, reason: str) -> bool:
    """False where it was voided before."""
    changed = await db.run(
        """
        UPDATE decisions SET voided_at = :at, voided_by_uid = :by_uid, voided_by_name = :by_name,
            void_reason = :reason
        WHERE id = :id AND voided_at IS NULL
        """,
        id=decision_id,
        at=at,
        by_uid=by_uid,
        by_name=by_name,
        reason=reason,
    )
    return changed > 0


async def save_superseded(db: Write, decision_id: str, by_id: str, at: Instant) -> None:
    """A decline no longer stands once there is a decision about a newer revision."""
    await db.run(
        "UPDATE decisions SET voided_at = :at, superseded_by = :by_id WHERE id = :id AND voided_at IS NULL",
        id=decision_id,
        by_id=by_id,
        at=at,
    )


# Verbs


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[Decision]:
    """List the decisions about an estimate, newest first, voided ones included."""
    return (await of_estimate(estimate.id).page(db, query)).map(StoredDecision.to_response)


async def accept(db: Write, call: LinkCall, body: NewAcceptance, services: Services) -> Audited[Decision]:
    """Accept the revision of a link. The address and the browser of the client become part of the evidence.

    Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`; `changed` where the hash is not that of what
    the link shows, or the consent is not the one that it shows.
    """
    link = await lock_link(db, call)
    link.require_open(call.now)
    decision = structs.replace(
        of_client(call, link, "accepted"), name=body.name, signature=body.signature, consent=body.consent_to(link)
    )
    return await _decide(db, call, link, decision, services)


async def decline(db: Write, call: LinkCall, body: NewDecline, services: Services) -> Audited[Decision]:
    """Decline the revision of a link. Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`."""
    link = await lock_link(db, call)
    link.require_open(call.now)
    name = None if body.name is UNSET else body.name
    decision = structs.replace(of_client(call, link, "declined"), name=name, reason=body.reason or None)
    return await _decide(db, call, link, decision, services)


async def lock_link(db: Write, call: LinkCall) -> StoredLink:
    """The link as it is once its estimate is locked: one of any number of parallel decisions stands.

    Raises Unauthenticated where it was revoked meanwhile.
    """
    await estimates.lock_row(db, call.caller.link.estimate_id)
    link = await links.lookup_active(db, call.caller.link.id)
    if link is None:
        raise Unauthenticated(has_token=True)
    return link


async def record(
    db: Write, call: Call, estimate: EstimateRef, body: NewDecision, services: Services
) -> Audited[Decision]:
    """Record a decision that the client made without a link, of which the client hears by email.

    Raises Conflict `decided`.
    """
    if body.revision_number > await revisions.latest_number(db, estimate.id):
        raise ValidationError(FieldError("/revisionNumber", "unknown", "This estimate has no such revision"))
    confirmed = await revisions.find_confirmed(db, estimate.id, body.revision_number)
    member = await accounts.find(db, call.uid)
    planned = await of_revision(db, confirmed, PdfExportOptions(), locale=member.locale, preliminary=False)
    document = canonical_document(client_document(planned.document))
    decision = StoredDecision(
        id=call.new_id(),
        workshop_id=estimate.workshop_id,
        estimate_id=estimate.id,
        recorded_at=call.now,
        revision_number=body.revision_number,
        outcome=body.outcome,
        method=body.method,
        decided_at=body.decided(confirmed.revision.created_at, call.now),
        locale=member.locale,
        document=document.decode(),
        document_hash=sha256_hex(document),
        name=body.name,
        recorded_by_uid=call.uid,
        recorded_by_name=member.name,
    )
    link = await links.lookup_newest(db, estimate.id)
    if link is not None:
        details = notices.by_member(call, link, decision_id=decision.id)
        email = await notices.queue_to_client(db, call, link, "decision_recorded", details, services)
        decision = structs.replace(decision, receipt_email=email)
    await _add(db, decision)
    event = f"estimate.{body.outcome}"
    return Audited(decision.to_response(), estimate.workshop_id, estimate.id, event, copied=stored_bytes(decision))


async def void(
    db: Write, call: Call, decision: StoredDecision, body: VoidedDecision, services: Services
) -> Audited[Decision]:
    """Void a decision: it no longer stands, its evidence stays, and the client hears why. Raises Conflict `voided`."""
    name = (await accounts.find(db, call.uid)).name
    if not await save_voided(db, decision.id, call.now, call.uid, name, body.reason):
        raise Conflict("voided", "This decision no longer stands, or its estimate was deleted")
    await balances.save_owed_of_estimate(db, decision.estimate_id)
    link = await links.lookup_newest(db, decision.estimate_id)
    if decision.link_id is not None:
        link = await links.lookup_active(db, decision.link_id) or link
    if link is not None:
        details = notices.by_member(call, link, decision_id=decision.id)
        await notices.queue_to_client(db, call, link, "decision_voided", details, services)
    voided = await find(db, decision.id)
    return Audited(voided.to_response(), voided.workshop_id, voided.estimate_id)


async def _decide(
    db: Write, call: LinkCall, link: StoredLink, decision: StoredDecision, services: Services
) -> Audited[Decision]:
    """Adds the decision, with the receipts for both sides."""
    details = LinkDetails(link.id, decision_id=decision.id)
    decision = structs.replace(
        decision,
        signed_in_uid=await lookup_member(db, link.workshop_id, call.client.member_session, call.now),
        receipt_email=await notices.queue_to_client(db, call, link, "decision_receipt", details, services),
    )
    await _add(db, decision)
    await queue_decided(db, call, decision, services)
    copied = stored_bytes(decision)
    return Audited(decision.to_response(), link.workshop_id, link.estimate_id, copied=copied)


def stored_bytes(decision: StoredDecision) -> int:
    """What a decision stores besides its response: the document, as evidence."""
    return 500 + len(decision.document.encode())


async def _add(db: Write, decision: StoredDecision) -> None:
    """Adds the decision in place of a decline of an older revision. Raises Conflict `decided` where another stands."""
    standing = await find_standing(db, decision.estimate_id)
    if standing is not None:
        if not is_outdated(standing.outcome, standing.revision_number, decision.revision_number):
            raise already_decided()
        await save_superseded(db, standing.id, decision.id, decision.recorded_at)
    await add(db, decision)
    await balances.save_owed_of_estimate(db, decision.estimate_id)


def of_client(call: LinkCall, link: StoredLink, outcome: DecisionOutcome) -> StoredDecision:
    """A client's decision about what the link shows, with the evidence of this moment."""
    return StoredDecision(
        id=call.new_id(),
        workshop_id=link.workshop_id,
        estimate_id=link.estimate_id,
        recorded_at=call.now,
        revision_number=link.revision_number,
        outcome=outcome,
        method="link",
        decided_at=call.now,
        locale=link.locale,
        document=link.document,
        document_hash=link.document_hash,
        link_id=link.id,
        link_address=call.caller.address,
        pdf_hash=link.pdf_hash,
        pdf_export_id=link.pdf_export_id,
        address=call.client.address,
        user_agent=call.client.user_agent,
        openings=link.openings_until_now(),
    )


async def queue_decided(db: Write, call: Call, decision: StoredDecision, services: Services) -> None:
    """Queues the receipt of a client's decision to the owners: a copy of the evidence outside of this server."""
    details = to_json_text(DecisionDetails(decision.id))
    for owner in await _owners(db, decision.workshop_id):
        await _queue(db, call, NewEmail.to_account("estimate_decided", owner, details, decision.workshop_id), services)


async def count_acceptance(db: Database, call: LinkCall, body: NewAcceptance, services: Services) -> None:
    """Counts an attempt to accept. Raises RateLimited, and Conflict `changed`, which is not counted: it cannot succeed,
    and an old page must not use up the attempts of the client."""
    body.consent_to(call.caller.link)
    await count_decision(db, call, services)
