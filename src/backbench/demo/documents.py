"""Documents in the demo: PDFs and links of its estimates, which are rendered."""

from typing import NamedTuple

from backbench.actions.estimating import pdf_exports
from backbench.actions.services import Services
from backbench.demo.log import Log
from backbench.demo.sharing import share
from backbench.demo.workshop import Shared
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Caller
from backbench.domain.documents.pdf_exports import NewPdfExport
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Database
from backbench.storage.estimating.estimates import ESTIMATE_REF


class Documents(NamedTuple):
    """What is made of an estimate outside of the transaction, because it is rendered."""

    owner: Caller
    estimate_id: str
    at: Instant
    pdf: NewPdfExport | None
    shared: Shared | None


async def make_documents(
    db: Database, made: Documents, services: Services, now: Instant, new_id: NewId, log: Log
) -> None:
    owner, estimate_id, at, pdf, shared = made
    call = Call(owner, at, new_id)
    async with db.read() as read:
        estimate = await ESTIMATE_REF.find(read, call, estimate_id)
    if pdf is not None:
        async with pdf_exports.render(db, call, estimate, pdf, services) as rendered:
            await db.write(lambda write: pdf_exports.create(write, call, estimate, pdf, rendered, services))
        log.record(owner, "pdf.created", rendered.export.id, at)
    if shared is not None:
        await share(db, Call(owner, now, new_id), estimate, shared, services, log)
