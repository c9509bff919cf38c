"""Documents of estimates: the model of a PDF, made of a confirmed revision, or of an estimate as it is now.

All documents are made here. Those of a revision depend on nothing but what was stored when it was confirmed.
"""

from decimal import Decimal, localcontext

from msgspec import UNSET, Struct, structs

from backbench.documents.documents import (
    ClientRecipient,
    EstimateDocument,
    Letterhead,
    PdfExportOptions,
    Section,
    _or_none,
    _text,
)
from backbench.documents.figures import DocumentLine, Rates, document_figures
from backbench.engine.database import Read
from backbench.estimating import document_facts, document_settings, files, revisions
from backbench.estimating.document_facts import NO_FACTS, NO_RECIPIENT, DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import Estimate
from backbench.estimating.file_types import StoredFile
from backbench.estimating.image_metadata import without_metadata
from backbench.estimating.revisions import (
    ConfirmedRevision,
    DocumentSnapshot,
    DocumentSources,
    as_revision,
    customer_texts,
    snapshotted,
)
from backbench.integrations.blobs import Blobs
from backbench.values.enums import DocumentLocale
from backbench.values.money import EXACT
from backbench.values.numbers import Number
from backbench.values.shapes import made_of
from backbench.values.text import in_locale
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.workshops import StoredWorkshop


def estimate_document(
    confirmed: ConfirmedRevision,
    options: PdfExportOptions,
    *,
    locale: DocumentLocale,
    preliminary: bool,
    logo_image: bytes | None = None,
) -> EstimateDocument:
    """A confirmed revision as a document, from nothing but what was stored with the revision, and the logo's file."""
    revision, terms, facts, snapshot = confirmed.revision, confirmed.terms, confirmed.facts, confirmed.snapshot
    lines, sums = document_figures(
        revision.line_items,
        terms.totals(revision),
        rates_of(confirmed, locale),
        show_markup=options.show_markup,
        show_discount=options.show_discount,
    )
    buyer = recipient(confirmed.recipient_name, facts)
    is_for_firm = snapshot.texts > 1 and buyer.is_firm
    return EstimateDocument(
        letterhead=letterhead(snapshot, locale, logo_image),
        name=revision.name,
        recipient=buyer,
        revision_number=revision.revision_number,
        issued_on=snapshot.issued_on,
        valid_until=None if preliminary else snapshot.valid_until,
        locale=locale,
        preliminary=preliminary,
        options=options,
        currency=terms.currency,
        lines=lines,
        sums=sums,
        number=snapshot.number,
        intro=_text(facts.intro),
        terms=facts.terms_in(snapshot.settings, locale),
        lead_time=_text(facts.lead_time),
        tax_note=_text(facts.tax_note),
        paper_size=snapshot.settings.paper_size,
        title=facts.title(snapshot.settings),
        breakdown="full" if facts.breakdown is UNSET else facts.breakdown,
        sections=sections([item.id for item in revision.line_items], lines, facts),
        withdrawal=facts.withdrawal_in(snapshot.settings, is_for_firm=is_for_firm),
        texts=snapshot.texts,
    )


def rates_of(confirmed: ConfirmedRevision, locale: DocumentLocale) -> Rates:
    """The percentages of a revision, its taxes and its deposit."""
    revision, terms = confirmed.revision, confirmed.terms
    return Rates(
        revision.markup_percent,
        revision.discount_percent,
        _or_none(terms.tax_percent),
        in_locale(terms.tax_label, locale),
        terms.line_taxes,
        _or_none(terms.deposit_percent),
        tax_kind=terms.tax_kind,
        deposit_amount=_or_none(terms.deposit_amount),
        deposit_kind=terms.deposit_kind,
        prices=terms.prices_shown,
        entered=terms.prices_entered,
        rules=confirmed.snapshot.rules,
    )


def sections(ids: list[str], lines: list[DocumentLine], facts: DocumentFacts) -> list[Section]:
    """The sections of the lines with these ids. Lines before the first heading are in none."""
    headings = {} if facts.sections is UNSET else facts.sections
    starts = [at for at, id_ in enumerate(ids) if id_ in headings]
    found = []
    for first, end in zip(starts, [*starts[1:], len(ids)], strict=False):
        part = lines[first:end]
        gross = [line.gross_amount for line in part if line.gross_amount is not None]
        with localcontext(EXACT):
            amount = sum((line.amount for line in part), Decimal(0))
            gross_amount = sum(gross, Decimal(0)) if gross else None
        found.append(Section(headings[ids[first]], first, len(part), amount, gross_amount))
    return found


def letterhead(snapshot: DocumentSnapshot, locale: DocumentLocale, logo_image: bytes | None) -> Letterhead:
    settings = snapshot.settings
    return made_of(Letterhead, snapshot, settings, tagline=snapshot.tagline_in(locale), logo_image=logo_image)


def recipient(name: str, facts: DocumentFacts) -> ClientRecipient:
    return ClientRecipient(
        name=name,
        address=_text(facts.recipient_address),
        tax_id=_text(facts.recipient_tax_id),
        email=_text(facts.recipient_email),
        phone=_text(facts.recipient_phone),
        site_address=_text(facts.site_address),
    )


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
    return structs.replace(letterhead, logo_image=await read_logo(logo, blobs))


async def read_logo(logo: StoredFile, blobs: Blobs) -> bytes:
    """The image as clients get it. Raises Unavailable."""
    pieces = [piece async for piece in blobs.read(logo.id, 0, logo.size_bytes)]
    return without_metadata(b"".join(pieces))


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


async def of_settings(db: Read, workshop: StoredWorkshop, settings: DocumentSettings, now: Instant) -> PlannedDocument:
    """The document of an estimate without lines, as it would be with these settings."""
    zero = Number(0)
    estimate = Estimate("", workshop.id, "Logo", zero, zero, now, now, [])
    sources = DocumentSources(workshop, settings, NO_FACTS, "", NO_RECIPIENT)
    confirmed = snapshotted(estimate, as_revision(estimate, "", 1, now, ""), sources, now)
    return await of_revision(db, confirmed, PdfExportOptions(), locale="en", preliminary=True)
