"""Documents in the demo: PDFs and links of its estimates, which are rendered."""

from typing import NamedTuple

from backbench.demo.log import Log
from backbench.demo.sharing import share
from backbench.demo.workshop import Shared
from backbench.engine.database import Database
from backbench.estimating import pdf_exports
from backbench.estimating.document_facts import ESTIMATE_REF
from backbench.estimating.pdf_exports import NewPdfExport
from backbench.services import Services
from backbench.values.calls import Call, Caller
from backbench.values.ids import NewId
from backbench.values.times import Instant


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
