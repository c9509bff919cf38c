"""Examples of documents: settings, totals, confirmed revisions, PDF exports, hand-offs and message drafts."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from backbench.documents.documents import PdfExportOptions
from backbench.estimating.document_facts import DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.handoffs import Handoff, HandoffsList, NewHandoff
from backbench.estimating.message_texts import facts, templates
from backbench.estimating.messages import DraftedMessage, NewMessageDraft
from backbench.estimating.pdf_exports import NewPdfExport, PdfExport, PdfExportsList
from backbench.estimating.revisions import ConfirmedRevision, DocumentSnapshot, revision_totals
from backbench.estimating.summaries import (
    EstimateSummariesList,
    EstimateSummary,
    SummarizedDecision,
    SummarizedHandoff,
    SummarizedRevision,
)
from backbench.reference.examples.estimates import ESTIMATE, LINE_ITEMS, REVISION
from backbench.reference.examples.ids import (
    ANNA_UID,
    CHANGED_AT,
    CONFIRMED_AT,
    DECIDED_AT,
    ESTIMATE_ID,
    HANDOFF_ID,
    ICON_ID,
    ORDER_ID,
    PDF_EXPORT_ID,
    SENT_AT,
    TAX_PERCENT,
)
from backbench.reference.examples.workshops import WORKSHOP
from backbench.values.money import total
from backbench.values.numbers import Number
from backbench.values.taxes import Tax
from backbench.values.text import LocalizedLine, LocalizedLines

SETTINGS = DocumentSettings(
    currency="PLN",
    address="ul. Dębowa 7\n30-001 Kraków",
    phone="+48 12 345 67 89",
    email="biuro@kowalska.example",
    tax_id="PL 676-000-00-00",
    footer="Advance payment 30 %, the rest on delivery",
    tax_percent=TAX_PERCENT,
    tax_label="VAT",
    valid_days=30,
    iban="PL61 1090 1014 0000 0712 1981 2874",
    registration="REGON 123456785",
    website="kowalska.example",
    tagline=LocalizedLine(en="Furniture made to measure", pl="Meble na wymiar"),
    terms=LocalizedLines(en="The rest is due on delivery.", pl="Pozostała kwota jest płatna przy odbiorze."),
    time_zone="Europe/Warsaw",
    logo_file_id=ICON_ID,
)
TOTALS = total(
    LINE_ITEMS,
    markup_percent=ESTIMATE.markup_percent,
    discount_percent=ESTIMATE.discount_percent,
    tax_percent=TAX_PERCENT,
    currency=SETTINGS.currency,
)
FACTS = DocumentFacts(
    recipient_address="14 Orchard Lane\nDublin 6",
    recipient_email="siobhan@example.com",
    site_address="2 Harbour Row\nHowth",
    intro="Thank you for your enquiry.",
    lead_time="Five weeks after the order",
    line_taxes={LINE_ITEMS[-1].id: Tax(Number("8"))},
    deposit_percent=Number("30"),
    valid_days=14,
)
CONFIRMED = ConfirmedRevision(
    revision=REVISION,
    recipient_name="Siobhán Gallagher",
    terms=FACTS.revision_terms(SETTINGS),
    facts=FACTS,
    snapshot=DocumentSnapshot(
        name=WORKSHOP.name,
        logo=WORKSHOP.logo,
        tagline=WORKSHOP.tagline,
        crafter_name=WORKSHOP.crafter_name,
        title_font=WORKSHOP.title_font,
        accent_color=None,
        settings=SETTINGS,
        issued_on=SETTINGS.today(CONFIRMED_AT),
        valid_until=FACTS.valid_until(SETTINGS, SETTINGS.today(CONFIRMED_AT)),
        number="12/2026",
    ),
)
REVISION_TOTALS = revision_totals(CONFIRMED)
SUMMARY = EstimateSummary(
    estimate_id=ESTIMATE_ID,
    name=ESTIMATE.name,
    recipient_name="Siobhán Gallagher",
    lines=len(LINE_ITEMS),
    currency=TOTALS.currency,
    total=TOTALS.total,
    updated_at=CHANGED_AT,
    state="confirmed",
    latest_revision=SummarizedRevision(1, CONFIRMED_AT, TOTALS.total, date(2026, 12, 17)),
    last_handoff=SummarizedHandoff("pdf-and-message-shared", SENT_AT, 1),
    last_pdf_export_id=PDF_EXPORT_ID,
    order_id=ORDER_ID,
    decision=SummarizedDecision("accepted", DECIDED_AT, 1),
)
TOGGLES = PdfExportOptions(breakdown=True, show_discount=True, show_brand_mark=False)
PDF_EXPORT = PdfExport(
    id=PDF_EXPORT_ID,
    revision_number=1,
    toggles=TOGGLES,
    generated_at=SENT_AT,
    created_by_uid=ANNA_UID,
    locale="en",
    preliminary=False,
)
HANDOFF = Handoff(
    id=HANDOFF_ID,
    kind="pdf-and-message-shared",
    locale="en",
    preliminary=False,
    tone="friendly",
    ai_drafted=False,
    revision_number=1,
    created_at=SENT_AT,
    created_by_uid=ANNA_UID,
    pdf_export_id=PDF_EXPORT_ID,
)
MESSAGE = templates.draft(
    facts.MessageFacts(
        estimate_name=ESTIMATE.name,
        total=TOTALS.total,
        currency=TOTALS.currency,
        workshop_name=WORKSHOP.name,
        recipient_name="Siobhán Gallagher",
        tax=None if TOTALS.tax is msgspec.UNSET else TOTALS.tax,
        tax_percent=TAX_PERCENT,
        tax_label="VAT",
        valid_until=FACTS.valid_until(SETTINGS, SETTINGS.today(CONFIRMED_AT)),
        crafter_name=WORKSHOP.crafter_name,
        phone=SETTINGS.phone,
        with_pdf=True,
        revision_number=1,
    ),
    "en",
    "friendly",
    preliminary=False,
)
BODIES: Mapping[str, Any] = {
    "replaceDocumentSettings": SETTINGS,
    "replaceEstimateDocument": FACTS,
    "createHandoff": NewHandoff(
        kind=HANDOFF.kind,
        locale="en",
        preliminary=False,
        tone="friendly",
        ai_drafted=False,
        pdf_export_id=PDF_EXPORT_ID,
    ),
    "draftMessage": NewMessageDraft(locale="en", tone="friendly", preliminary=False, with_pdf=True),
    "createPdfExport": NewPdfExport(locale="en", preliminary=False, toggles=TOGGLES, revision_number=1),
}
RESPONSES: Mapping[str, Any] = {
    "getDocumentSettings": SETTINGS,
    "replaceDocumentSettings": SETTINGS,
    "listEstimateSummaries": EstimateSummariesList([SUMMARY]),
    "getEstimateTotals": TOTALS,
    "getEstimateDocument": FACTS,
    "replaceEstimateDocument": FACTS,
    "getRevisionTotals": REVISION_TOTALS,
    "listHandoffs": HandoffsList([HANDOFF]),
    "createHandoff": HANDOFF,
    "draftMessage": DraftedMessage(MESSAGE.subject, MESSAGE.body, ai_drafted=False, revision_number=1),
    "listPdfExports": PdfExportsList([PDF_EXPORT]),
    "createPdfExport": PDF_EXPORT,
}
