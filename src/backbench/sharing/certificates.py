"""Certificates of decisions: the evidence of one as a document."""

import msgspec
from msgspec import UNSET, Struct, structs

from backbench.accounts import accounts
from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import Letterhead
from backbench.engine.database import Database, Read
from backbench.estimating import document_settings, files, revisions
from backbench.estimating.documents import shown_logo, with_logo
from backbench.estimating.file_types import StoredFile
from backbench.http.responses import Response, made_file
from backbench.http.streaming import disposition
from backbench.integrations.blobs import Blobs
from backbench.services import EndpointServices
from backbench.sharing.client_documents import ClientDocument, summary_of
from backbench.sharing.decisions import StoredDecision
from backbench.sharing.links import Openings
from backbench.values.calls import Call
from backbench.values.errors import NotFound
from backbench.values.shapes import made_of

# Verbs


class PlannedCertificate(Struct, frozen=True):
    """A certificate, and the file of its logo image, which is read outside the transaction."""

    document: CertificateDocument
    logo: StoredFile | None

    async def with_logo(self, blobs: Blobs) -> CertificateDocument:
        """The complete certificate. Raises Unavailable."""
        return structs.replace(self.document, letterhead=await with_logo(self.document.letterhead, self.logo, blobs))


async def find_planned(db: Read, decision: StoredDecision) -> PlannedCertificate:
    """The certificate of a decision, also about an estimate that was deleted since."""
    return PlannedCertificate(await _document(db, decision), await _logo(db, decision))


async def _logo(db: Read, decision: StoredDecision) -> StoredFile | None:
    """The image that the documents of the revision show, or the workshop's present one once the estimate is deleted."""
    try:
        return await shown_logo(db, await revisions.find_confirmed(db, decision.estimate_id, decision.revision_number))
    except NotFound:
        # The estimate was deleted; its decisions stay.
        settings = await document_settings.find(db, decision.workshop_id)
        if settings.logo_file_id is UNSET or not settings.show_logo:
            return None
        return await files.lookup_with_deleted(db, settings.logo_file_id)


async def _document(db: Read, decision: StoredDecision) -> CertificateDocument:
    settings = await document_settings.find(db, decision.workshop_id)
    # From the document that was hashed, so that certificate and evidence say the same, and nothing else is needed.
    shown = summary_of(decision.document)
    document = msgspec.json.decode(decision.document, type=ClientDocument)
    openings = decision.openings or Openings(0)
    address = decision.link_address
    return made_of(
        CertificateDocument,
        decision,
        shown,
        paper_size=settings.paper_size,
        time_zone="UTC" if settings.time_zone is UNSET else settings.time_zone,
        letterhead=_letterhead(document),
        estimate_name=shown.name,
        recipient_name="" if document.recipient is UNSET else document.recipient.name,
        decision_id=decision.id,
        recorded_by=decision.recorded_by_name or await _name(db, decision.recorded_by_uid),
        consent=decision.consent.text if decision.consent else "",
        signature=decision.signature.kind if decision.signature else "",
        strokes=_strokes(decision),
        openings=openings.count,
        first_opened_at=openings.first_at or None,
        last_opened_at=openings.last_at or None,
        link_address="" if address is None else address.kind,
        link_email="" if address is None else address.email or "",
        link_made_by="" if address is None else await _name(db, address.by_uid or None),
        link_made_at=None if address is None else address.created_at,
        link_key_id="" if address is None else address.key_id or "",
        signed_in=await _name(db, decision.signed_in_uid),
        voided_by=decision.voided_by_name or await _name(db, decision.voided_by_uid),
    )


async def _name(db: Read, uid: str | None) -> str:
    """The name of a member. The id itself once the account is deleted."""
    return "" if uid is None else await accounts.lookup_name(db, uid) or uid


def _letterhead(document: ClientDocument) -> Letterhead:
    shown = document.letterhead
    return made_of(Letterhead, shown, accent_color=shown.accent_color or None, logo_image=None, show_logo=True)


def _strokes(decision: StoredDecision) -> list[list[tuple[float, float]]]:
    if decision.signature is None:
        return []
    return [[(float(x), float(y)) for x, y in stroke] for stroke in decision.signature.strokes]


# Over HTTP


async def download(db: Database, call: Call, decision: StoredDecision, services: EndpointServices) -> Response:
    """Download the certificate of a decision as PDF. Documents of one account are rendered one after the other."""
    async with db.read() as read:
        planned = await find_planned(read, decision)
    document = await planned.with_logo(services.blobs)
    async with services.pdf_slots.slot(call.uid):
        content = await services.renderer.render_certificate(document)
    shown = disposition(document.file_name or f"{decision.id}.pdf", inline=True)
    return made_file(content, b"application/pdf", (b"content-disposition", shown))
