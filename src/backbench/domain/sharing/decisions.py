"""Decisions: that a client accepted or declined one revision, with the evidence of what was shown and who decided."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.sharing.comments import CommentText
from backbench.domain.sharing.consents import Consent
from backbench.domain.sharing.links import Openings
from backbench.domain.values.enums import DecisionOutcome, DocumentLocale
from backbench.domain.values.errors import FieldError, ValidationError
from backbench.domain.values.numbers import Number, to_json
from backbench.domain.values.scalars import LongText, Name, Rule, between
from backbench.domain.values.times import Instant, from_datetime, parse

RecordedMethod = Literal["in_person", "phone", "email", "message"]
DecisionMethod = Literal["link", "in_person", "phone", "email", "message"]
SignatureKind = Literal["typed", "drawn"]
MAX_STROKES = 64
MAX_POINTS = 512
MAX_STROKE_BYTES = 32 * 1024

Coordinate = Annotated[Number, between(0, 10_000, places=30)]
Point = Annotated[list[Coordinate], Meta(min_length=2, max_length=2)]
Stroke = Annotated[list[Point], Meta(min_length=1, max_length=MAX_POINTS)]


class TypedSignature(Struct, frozen=True, tag="typed", tag_field="kind", forbid_unknown_fields=True):
    """The name of the acceptance is the signature."""


class DrawnSignature(Struct, frozen=True, tag="drawn", tag_field="kind", forbid_unknown_fields=True):
    """Strokes as lists of points [x, y], with y downwards."""

    strokes: Annotated[list[Stroke], Meta(min_length=1, max_length=MAX_STROKES)]

    def field_errors(self) -> list[FieldError]:
        if len(to_json(self.strokes)) <= MAX_STROKE_BYTES:
            return []
        return [FieldError("/strokes", "too_long", f"Expected at most {MAX_STROKE_BYTES} bytes of JSON")]


class NewAcceptance(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    document_hash: Annotated[str, Meta(min_length=64, max_length=64)]
    agreed: Annotated[
        bool, Rule("not_agreed", "The sentence must be agreed to", lambda agrees: agrees, {"const": True})
    ]
    signature: TypedSignature | DrawnSignature
    # Ticked besides, where the document offers it.
    start_early: bool = False


class NewDecline(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name | UnsetType = UNSET
    reason: LongText = ""


class NewDecision(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A decision that the client made without a link."""

    revision_number: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    outcome: DecisionOutcome
    method: RecordedMethod
    name: Name
    decided_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET

    def decided(self, now: Instant) -> Instant:
        """When the client decided; now by default. Raises ValidationError."""
        if self.decided_at is UNSET:
            return now
        try:
            moment = parse(self.decided_at)
            decided_at = from_datetime(moment) if moment.tzinfo is not None else None
        except (ValueError, OverflowError):
            decided_at = None
        if decided_at is None:
            detail = "Expected an ISO 8601 date-time with a time zone"
            raise ValidationError(FieldError("/decidedAt", "malformed", detail))
        if decided_at > now:
            raise ValidationError(FieldError("/decidedAt", "future", "Expected a time in the past"))
        return decided_at


class VoidedDecision(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Body of a request."""

    reason: CommentText


class Voiding(Struct, frozen=True, rename="camel"):
    """That a decision no longer stands: who voided it, and why."""

    at: Instant
    by_uid: str
    reason: str


class Decision(Struct, frozen=True, rename="camel", kw_only=True):
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
    recorded_by_uid: str | UnsetType = UNSET
    pdf_hash: str | UnsetType = UNSET
    signature: SignatureKind | UnsetType = UNSET
    consent: str | UnsetType = UNSET
    voided: Voiding | UnsetType = UNSET


class DecisionsList(Struct, frozen=True):
    decisions: list[Decision]


class Signature(Struct, frozen=True, omit_defaults=True):
    """A stored signature. Strokes are as they were sent."""

    kind: SignatureKind
    strokes: list[list[list[Number]]] = []


class StoredDecision(Struct, frozen=True):
    """A decision with its evidence. `document` is the canonical JSON of what was shown."""

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
    voided_at: Instant | None = None
    voided_by_uid: str | None = None
    void_reason: str | None = None

    def to_response(self) -> Decision:
        return Decision(**self._members())

    def to_evidence(self) -> "DecisionEvidence":
        return DecisionEvidence(
            **self._members(),
            document=self.document,
            strokes=self.signature.strokes if self.signature and self.signature.strokes else UNSET,
            consent_id=self.consent.id if self.consent else UNSET,
            address=self.address or UNSET,
            user_agent=self.user_agent or UNSET,
            openings=self.openings or UNSET,
        )

    def _members(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "estimate_id": self.estimate_id,
            "revision_number": self.revision_number,
            "outcome": self.outcome,
            "method": self.method,
            "decided_at": self.decided_at,
            "recorded_at": self.recorded_at,
            "document_hash": self.document_hash,
            "name": self.name or UNSET,
            "reason": self.reason or UNSET,
            "link_id": self.link_id or UNSET,
            "recorded_by_uid": self.recorded_by_uid or UNSET,
            "pdf_hash": self.pdf_hash or UNSET,
            "signature": self.signature.kind if self.signature else UNSET,
            "consent": self.consent.text if self.consent else UNSET,
            "voided": self._voiding(),
        }

    def _voiding(self) -> Voiding | UnsetType:
        if self.voided_at is None:
            return UNSET
        return Voiding(self.voided_at, self.voided_by_uid or "", self.void_reason or "")


class DecisionEvidence(Decision, frozen=True, rename="camel", kw_only=True):
    """A decision with everything that is stored about it, in exports."""

    document: str
    strokes: list[list[list[Number]]] | UnsetType = UNSET
    consent_id: str | UnsetType = UNSET
    address: str | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET
    openings: Openings | UnsetType = UNSET


def signature_of(sent: TypedSignature | DrawnSignature) -> Signature:
    if isinstance(sent, DrawnSignature):
        return Signature("drawn", [[list(point) for point in stroke] for stroke in sent.strokes])
    return Signature("typed")
