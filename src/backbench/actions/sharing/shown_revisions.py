"""Shown revisions: what a link shows of a revision, and the PDF of it, made before the transaction of the link."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct, structs

from backbench.actions.estimating.files import add
from backbench.actions.estimating.pdf_exports import PlannedExport, planned_export
from backbench.actions.services import Services
from backbench.actions.stored_blobs import once, written_blob
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.pdf_exports import NewPdfExport
from backbench.domain.sharing.canonical_json import sha256_hex
from backbench.domain.sharing.client_documents import canonical_document, client_document
from backbench.domain.sharing.links import StoredLink, new_token, page_url, receipt_email
from backbench.storage.engine.database import Database, Write
from backbench.storage.estimating import pdf_exports
from backbench.storage.estimating.estimates import EstimateRef


class ShownRevision(Struct, frozen=True):
    """`document` is the canonical JSON of what is shown; `size_bytes` is that of the PDF, whose blob is written."""

    export: PlannedExport
    document: bytes
    size_bytes: int
    pdf_hash: str
    # The PDF has its address in clear text.
    printed_token: str

    def on(self, link: StoredLink) -> StoredLink:
        """The link with this revision. It expires with the validity of the revision."""
        return structs.replace(
            link,
            revision_number=self.export.export.revision_number,
            toggles=self.export.export.toggles,
            pdf_export_id=self.export.export.id,
            pdf_hash=self.pdf_hash,
            document=self.document.decode(),
            document_hash=sha256_hex(self.document),
            receipt_email=receipt_email(self.export.recipient_email),
        ).until_validity()


@asynccontextmanager
async def rendered(
    db: Database, call: Call, estimate: EstimateRef, body: NewPdfExport, services: Services
) -> AsyncIterator[ShownRevision]:
    """Draws the PDF and writes its blob; the transaction in the block records it with `save_pdf`.

    Raises Conflict `not_confirmed`.
    """
    async with db.read() as read:
        export = await planned_export(read, call, estimate, body, call.new_id(), services)
    token = new_token()
    document = structs.replace(export.document.document, share_url=page_url(services.public_url, token))
    shown = canonical_document(client_document(document))
    with_logo = await structs.replace(export.document, document=document).with_logo(services.blobs)
    content = await services.renderer.render(with_logo)
    async with written_blob(db, services.blobs, export.export.id, once(content), call.now):
        yield ShownRevision(export, shown, len(content), sha256_hex(content), token)


async def save_pdf(db: Write, call: Call, shown: ShownRevision, services: Services) -> None:
    """Adds the record of the PDF, before a link is bound to it. Raises Conflict `plan_limit`."""
    await add(db, shown.export.file(shown.size_bytes), call.now, services.plan_rules)
    await pdf_exports.add(db, shown.export.workshop_id, shown.export.estimate_id, shown.export.export)
