"""Documents of estimates: the model of a PDF, made of a confirmed revision, or of an estimate as it is now.

All documents are made here. Those of a revision depend on nothing but what was stored when it was confirmed.
"""

from msgspec import UNSET, Struct, structs

from backbench.domain.documents.documents import EstimateDocument, Letterhead, PdfExportOptions, estimate_document
from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision, as_revision, snapshot
from backbench.domain.estimating.document_facts import NO_FACTS, NO_RECIPIENT, DocumentFacts, RecipientTexts
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import Estimate, EstimateRevision
from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.numbers import Number
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.blobs import Blobs
from backbench.storage.customers import customers
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_facts, document_settings, files, revisions
from backbench.storage.workshops import workshops


class PlannedDocument(Struct, frozen=True):
    """A document, and the file of its logo image, which is read outside the transaction."""

    document: EstimateDocument
    logo: StoredFile | None

    async def with_logo(self, blobs: Blobs) -> EstimateDocument:
        """The complete document. Raises Unavailable."""
        return structs.replace(self.document, letterhead=await with_logo(self.document.letterhead, self.logo, blobs))


async def with_logo(letterhead: Letterhead, logo: StoredFile | None, blobs: Blobs) -> Letterhead:
    """The letterhead with its logo image. Raises Unavailable."""
    if logo is None:
        return letterhead
    pieces = [piece async for piece in blobs.read(logo.id, 0, logo.size_bytes)]
    return structs.replace(letterhead, logo_image=b"".join(pieces))


async def of_revision(
    db: Read, confirmed: ConfirmedRevision, options: PdfExportOptions, *, locale: DocumentLocale, preliminary: bool
) -> PlannedDocument:
    """The document of a confirmed revision, or of an estimate in the form that `as_it_is` gives."""
    document = estimate_document(confirmed, options, locale=locale, preliminary=preliminary)
    return PlannedDocument(document, await shown_logo(db, confirmed))


async def shown_logo(db: Read, confirmed: ConfirmedRevision) -> StoredFile | None:
    """The image logo that the documents of the revision show."""
    file_id = confirmed.snapshot.logo_file_id
    if file_id is None or not confirmed.snapshot.settings.show_logo:
        return None
    return await files.lookup_with_deleted(db, file_id)


async def as_it_is(db: Read, estimate: Estimate, now: Instant) -> ConfirmedRevision:
    """The estimate in its present state, as its next revision would be if it were confirmed `now`.

    Its number is "" if the estimate has none yet.
    """
    latest = await revisions.latest_number(db, estimate.id)
    revision = as_revision(estimate, "", latest + 1, now, "")
    stored = await document_facts.find(db, estimate.id)
    workshop = await workshops.find(db, estimate.workshop_id)
    settings = await document_settings.find(db, estimate.workshop_id)
    recipient = await customer_texts(db, stored.facts)
    sources = DocumentSources(workshop, settings, stored.facts, stored.number or "", recipient)
    return snapshotted(estimate, revision, sources, now)


async def customer_texts(db: Read, facts: DocumentFacts) -> RecipientTexts:
    """What the record of the customer says for the recipient, as it is now."""
    return NO_RECIPIENT if facts.customer_id is UNSET else await customers.recipient_texts(db, facts.customer_id)


async def of_settings(db: Read, workshop: StoredWorkshop, settings: DocumentSettings, now: Instant) -> PlannedDocument:
    """The document of an estimate without lines, as it would be with these settings."""
    zero = Number(0)
    estimate = Estimate("", workshop.id, "Logo", zero, zero, now, now, [])
    sources = DocumentSources(workshop, settings, NO_FACTS, "", NO_RECIPIENT)
    confirmed = snapshotted(estimate, as_revision(estimate, "", 1, now, ""), sources, now)
    return await of_revision(db, confirmed, PdfExportOptions(), locale="en", preliminary=True)


class DocumentSources(Struct, frozen=True):
    """What documents of an estimate show besides the estimate. `number` is that of the documents, "" for none.

    `recipient` is the record of its customer, for what neither the estimate nor its facts say.
    """

    workshop: StoredWorkshop
    settings: DocumentSettings
    facts: DocumentFacts
    number: str
    recipient: RecipientTexts


def snapshotted(
    estimate: Estimate, revision: EstimateRevision, sources: DocumentSources, now: Instant
) -> ConfirmedRevision:
    """The revision with everything that its documents show, as it is at `now`."""
    facts, settings = sources.facts.with_recipient(sources.recipient), sources.settings
    own_recipient = "" if estimate.recipient_name is UNSET else estimate.recipient_name
    return ConfirmedRevision(
        revision=revision,
        recipient_name=own_recipient or sources.recipient.name,
        terms=facts.revision_terms(settings),
        facts=facts,
        snapshot=snapshot(sources.workshop, settings, facts, sources.number, now),
        own_recipient=own_recipient,
        own_facts=sources.facts,
    )
