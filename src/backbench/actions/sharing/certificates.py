"""Certificates of decisions: the evidence of one as a document."""

from msgspec import UNSET

from backbench.actions.sharing.decisions import find_decision_for
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.certificates import CertificateDocument
from backbench.domain.documents.documents import letterhead
from backbench.domain.sharing.client_documents import summary_of
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.links import Openings
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read
from backbench.storage.estimating import revisions


async def find_document(db: Read, call: Call, decision_id: str) -> CertificateDocument:
    """The certificate of a decision. Raises NotFound, Forbidden."""
    decision = await find_decision_for(db, call, decision_id)
    confirmed = await revisions.find_confirmed(db, decision.estimate_id, decision.revision_number)
    settings = confirmed.snapshot.settings
    # From the document that was hashed, so that certificate and evidence say the same.
    shown = summary_of(decision.document)
    openings = decision.openings or Openings(0)
    return CertificateDocument(
        locale=decision.locale,
        paper_size=settings.paper_size,
        time_zone="UTC" if settings.time_zone is UNSET else settings.time_zone,
        letterhead=letterhead(confirmed.snapshot, decision.locale, None),
        estimate_name=shown.name,
        recipient_name=confirmed.recipient_name,
        number=shown.number,
        revision_number=decision.revision_number,
        currency=shown.currency,
        total=shown.total,
        outcome=decision.outcome,
        method=decision.method,
        name=decision.name or "",
        reason=decision.reason or "",
        decision_id=decision.id,
        decided_at=decision.decided_at,
        recorded_at=decision.recorded_at,
        recorded_by=await _name(db, decision.recorded_by_uid),
        document_hash=decision.document_hash,
        pdf_hash=decision.pdf_hash or "",
        consent=decision.consent.text if decision.consent else "",
        signature=decision.signature.kind if decision.signature else "",
        strokes=_strokes(decision),
        address=decision.address or "",
        user_agent=decision.user_agent or "",
        openings=openings.count,
        first_opened_at=openings.first_at or None,
        last_opened_at=openings.last_at or None,
        voided_at=decision.voided_at,
        voided_by=await _name(db, decision.voided_by_uid),
        void_reason=decision.void_reason or "",
        title=shown.title,
        is_taxed=shown.is_taxed,
        tax_label=shown.tax_label,
    )


async def _name(db: Read, uid: str | None) -> str:
    """The name of a member. The id itself once the account is deleted."""
    return "" if uid is None else await accounts.lookup_name(db, uid) or uid


def _strokes(decision: StoredDecision) -> list[list[tuple[float, float]]]:
    if decision.signature is None:
        return []
    return [[(float(x), float(y)) for x, y in stroke] for stroke in decision.signature.strokes]
