"""Decisions: that a client accepted or declined one revision, with the evidence of what was shown and who decided."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.sharing.comments import CommentText
from backbench.domain.sharing.consents import Consent, acceptance, with_early_start
from backbench.domain.sharing.document_summaries import offers_early_start, summary_of
from backbench.domain.sharing.links import LinkAddress, Openings, RevisionNumber, StoredLink, moment_at
from backbench.domain.sharing.signers import SignerName
from backbench.domain.values.enums import DecisionMethod, DecisionOutcome, DocumentLocale
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.numbers import Number, to_json
from backbench.domain.values.scalars import LINE_FEEDS, LINES, NOT_BLANK, Rule, between
from backbench.domain.values.times import Instant

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


class DecisionsList(Struct, frozen=True):
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
        return Decision(**self._members(Decision))

    def to_evidence(self) -> DecisionEvidence:
        return DecisionEvidence(**self._members(DecisionEvidence))

    def _members(self, shape: type[Decision]) -> dict[str, Any]:
        """The members of the shape: those of the row, without the empty ones, and what the shape calls otherwise."""
        consent = self.consent
        made = {
            "signature": self.signature.kind if self.signature else UNSET,
            "strokes": (self.signature and self.signature.strokes) or UNSET,
            "consent": consent.text if consent else UNSET,
            "consent_id": consent.id if consent else UNSET,
            "voided": self._voiding(),
        }
        stored = {name: getattr(self, name) or UNSET for name in self.__struct_fields__}
        return {name: made.get(name, stored.get(name, UNSET)) for name in shape.__struct_fields__}

    def _voiding(self) -> Voiding | UnsetType:
        if self.voided_at is None:
            return UNSET
        return Voiding(
            self.voided_at, self.voided_by_uid or UNSET, self.void_reason or UNSET, self.superseded_by or UNSET
        )
