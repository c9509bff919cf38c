"""Examples: one for each JSON body, response and error code of the OpenAPI document, about one workshop.

They are values of the types that the operations name, so that mypy checks them and the product's encoder writes them.
What the domain derives (totals, a draft, a new order) is derived here as well.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec
from msgspec import structs

from backbench.domain.accounts.accounts import (
    AccountDeletion,
    AuthenticatedUser,
    Credentials,
    MeProfile,
    NewAccount,
    PasswordChange,
    PasswordReset,
    PasswordResetRequest,
    ProfileEdit,
    SignedIn,
    Verification,
    VerificationRequest,
)
from backbench.domain.accounts.api_keys import (
    ApiKey,
    ApiKeysList,
    ApiKeyWorkshop,
    CurrentApiKey,
    IssuedApiKey,
    NewApiKey,
)
from backbench.domain.accounts.feedback import AccountDataExportFeedback, NewFeedback
from backbench.domain.accounts.sessions import SessionResponse, SessionsList
from backbench.domain.billing.billing import CheckoutPage
from backbench.domain.billing.plans import (
    BrandMarkEntitlement,
    RevisionsEntitlement,
    StorageEntitlement,
    WorkshopBilling,
    WorkshopEntitlementsUsage,
)
from backbench.domain.documents.documents import PdfExportOptions, estimate_document
from backbench.domain.documents.pdf_exports import NewPdfExport, PdfExport, PdfExportsList
from backbench.domain.estimating import messages
from backbench.domain.estimating.catalog import (
    GridTemplate,
    PredefinedGridItem,
    PredefinedItemDomain,
    PredefinedItemsCatalog,
)
from backbench.domain.estimating.catalog_keywords import CatalogKeywords, EmojiKeywords, ItemKeywords
from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision, DocumentSnapshot, revision_totals
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import (
    Estimate,
    EstimateConfirmation,
    EstimateEdit,
    EstimateRevision,
    EstimateRevisionsList,
    EstimatesList,
    LineItem,
    LineItemEdit,
    MostUsedLineItem,
    MostUsedLineItemsList,
    NewEstimate,
    NewLineItem,
    OrderFromEstimate,
)
from backbench.domain.estimating.files import FileRecord, FilesList
from backbench.domain.estimating.grids import (
    AddedButtons,
    Grid,
    GridButton,
    GridEdit,
    GridOrder,
    GridsList,
    NewGrid,
    NewGridButton,
)
from backbench.domain.estimating.handoffs import Handoff, HandoffsList, NewHandoff
from backbench.domain.estimating.message_drafts import DraftedMessage, NewMessageDraft
from backbench.domain.estimating.summaries import (
    EstimateSummariesList,
    EstimateSummary,
    SummarizedDecision,
    SummarizedHandoff,
    SummarizedRevision,
)
from backbench.domain.operations.changes import Changes, RemovedObject
from backbench.domain.operations.exports import (
    AccountDataExport,
    AccountDataExportAuthProvider,
    AccountDataExportUser,
    ExportedEstimate,
    ExportedWorkshop,
    ExportedWorkshopRecord,
)
from backbench.domain.sharing.canonical_json import sha256_hex
from backbench.domain.sharing.client_documents import ClientDocument, canonical_document, client_document
from backbench.domain.sharing.client_estimates import ClientEstimate
from backbench.domain.sharing.comments import Comment, CommentsList, EstimateComment, NewAnswer, NewComment
from backbench.domain.sharing.consents import acceptance
from backbench.domain.sharing.decisions import (
    Decision,
    DecisionEvidence,
    DecisionsList,
    DrawnSignature,
    NewAcceptance,
    NewDecision,
    NewDecline,
    VoidedDecision,
    Voiding,
)
from backbench.domain.sharing.exported_links import ExportedLink, ExportedSharing
from backbench.domain.sharing.links import Link, LinkMail, LinksList, NewLink, Openings, SharedLink, page_url
from backbench.domain.values.emoji import EmojiEntry, EmojiSet
from backbench.domain.values.errors import (
    Conflict,
    DomainError,
    FieldError,
    IdempotencyMismatch,
    PreconditionFailed,
    RateLimited,
    TooLarge,
    Unavailable,
    UnsupportedMedia,
    ValidationError,
    WrongPassword,
)
from backbench.domain.values.money import total
from backbench.domain.values.numbers import Number
from backbench.domain.values.text import LocalizedKeywords, LocalizedLine, LocalizedLines, LocalizedText
from backbench.domain.workshops.audit import AuditEntry, AuditTrail
from backbench.domain.workshops.invitations import (
    Invitation,
    InvitationAcceptance,
    InvitationsList,
    NewInvitation,
)
from backbench.domain.workshops.members import MemberEdit
from backbench.domain.workshops.orders import (
    NewOrder,
    OrderEdit,
    OrderMove,
    OrderResponse,
    OrdersList,
    StatusChange,
)
from backbench.domain.workshops.recipients import Recipient, RecipientsList
from backbench.domain.workshops.workshops import (
    ContextEdit,
    GradientBackground,
    NewWorkshop,
    SuggestedIntents,
    Workshop,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopEdit,
    WorkshopMember,
    WorkshopsList,
)
from backbench.http.errors import error_response

ANNA_UID = "01a1fd48-0911-73a5-a4cd-f0657bf1e101"
JAN_UID = "01a1fd48-0911-73a5-a4cd-f0657bf1e102"
WORKSHOP_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e103"
SESSION_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e104"
OTHER_SESSION_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e105"
API_KEY_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e106"
INVITATION_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e107"
GRID_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e108"
ICON_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e109"
ESTIMATE_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e10a"
REVISION_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e10b"
PDF_EXPORT_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e10c"
HANDOFF_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e10d"
ORDER_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e10e"
PLACED_LINE_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e119"
BENCH_GRID_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e11a"
DELETED_ORDER_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e118"
COPY_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e10f"
LINK_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e11b"
DECISION_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e11c"
COMMENT_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e11d"
ANSWER_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e11e"
FEEDBACK_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e110"
OAK_BUTTON_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e111"
SAWING_BUTTON_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e112"
OAK_LINE_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e113"
WORK_LINE_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e114"
OIL_LINE_ID = "01a1fd48-0911-73a5-a4cd-f0657bf1e115"
AUDIT_ENTRY_IDS = ("01a1fd48-0911-73a5-a4cd-f0657bf1e116", "01a1fd48-0911-73a5-a4cd-f0657bf1e117")
CHANGES_CURSOR = "01a1fd48-0911-73a5-a4cd-f0657bf1e101.58.657bf1e117"
CURSOR = "MjAyNi0xMS0xNlQwOToxMjowNC4zMThaIDAxYTFmZDQ4"

SIGNED_UP_AT = "2026-11-02T07:58:41.207Z"
SIGNED_IN_AT = "2026-11-16T08:01:13.660Z"
CREATED_AT = "2026-11-16T09:12:04.318Z"
CHANGED_AT = "2026-11-16T14:40:52.095Z"
CONFIRMED_AT = "2026-11-17T10:03:27.542Z"
SENT_AT = "2026-11-17T10:05:09.871Z"
OPENED_AT = "2026-11-17T18:20:44.105Z"
OPENED_AGAIN_AT = "2026-11-18T07:02:31.660Z"
DECIDED_AT = "2026-11-18T19:44:02.937Z"
ORDERED_AT = "2026-11-20T12:30:00.416Z"
MOVED_AT = "2026-11-23T07:15:38.002Z"

EMAIL = "anna@kowalska.example"
PASSWORD = "a plane and a saw"  # noqa: S105 - an example
TOKEN = "p3Yk0vQe1b7uXfZ2mNc8RtLw5sHd9aGj"  # noqa: S105 - an example
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

USER = AuthenticatedUser(uid=ANNA_UID, email=EMAIL, name="Anna Kowalska", locale="en")
PROFILE = MeProfile(name="Anna Kowalska", email=EMAIL, locale="en", sign_in_methods=["password", "google"])

# Workshop
BACKGROUND = GradientBackground(from_="#F4E9DA", to="#C9A678", angle=135)
CONTEXT = WorkshopContext(
    notes="Solid oak and ash furniture, made to order in Kraków. Delivery within 100 km. Six weeks lead time.",
    updated_at=CHANGED_AT,
)
CONTEXT_DERIVED = WorkshopContextDerived(
    summary=LocalizedText(
        en="Makes solid oak and ash furniture to order and delivers around Kraków.",
        pl="Wykonuje na zamówienie meble z litego dębu i jesionu, z dostawą w okolicy Krakowa.",
    ),
    suggested_intents=SuggestedIntents(
        en=["Estimate a table", "Plan a delivery", "Explain the lead time"],
        pl=["Wycenić stół", "Zaplanować dostawę", "Wyjaśnić termin realizacji"],
    ),
    source_updated_at=CHANGED_AT,
    generated_at="2026-11-16T14:41:03.770Z",
)
ANNA = WorkshopMember(id=ANNA_UID, name="Anna Kowalska", avatar_seed=ANNA_UID, role="owner")
JAN = WorkshopMember(id=JAN_UID, name="Jan Nowak", avatar_seed=JAN_UID, role="member")
WORKSHOP = Workshop(
    id=WORKSHOP_ID,
    name="Stolarnia Kowalska",
    tagline="Tables that stay in the family",
    logo="🪚",
    crafter_name="Anna Kowalska",
    crafter_avatar_seed=ANNA_UID,
    background="linen",
    title_font="serif",
    plan="pro",
    plan_expires_at="2026-12-01T09:00:00.000Z",
    plan_source="trial",
    is_default=True,
    members=[ANNA, JAN],
    created_at=SIGNED_UP_AT,
    custom_background=BACKGROUND,
    accent_color="#8A4B21",
    context=CONTEXT,
    context_derived=CONTEXT_DERIVED,
)
TAX_PERCENT = Number("23")
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
ENTITLEMENTS = WorkshopEntitlementsUsage(
    plan="pro",
    plan_expires_at="2026-12-01T09:00:00.000Z",
    brand_mark=BrandMarkEntitlement(can_disable=True),
    file_storage=StorageEntitlement(used_bytes=73_412, limit_bytes=5_368_709_120),
    revisions=RevisionsEntitlement(limit_per_estimate=None),
    billing=WorkshopBilling(
        has_account=False, plan_source="trial", cancel_at_period_end=False, checkout_availability="available"
    ),
)
INVITATION = Invitation(
    id=INVITATION_ID,
    email="zofia@example.com",
    role="member",
    created_at=CREATED_AT,
    expires_at="2026-11-23T09:12:04.318Z",
    invited_by_uid=ANNA_UID,
)
AUDIT_ENTRIES = [
    AuditEntry(
        id=AUDIT_ENTRY_IDS[1],
        workshop_id=WORKSHOP_ID,
        version=58,
        at=MOVED_AT,
        actor_kind="key",
        actor_uid=ANNA_UID,
        action="order.moved",
        object_id=ORDER_ID,
        key_id=API_KEY_ID,
    ),
    AuditEntry(
        id=AUDIT_ENTRY_IDS[0],
        workshop_id=WORKSHOP_ID,
        version=57,
        at=CONFIRMED_AT,
        actor_kind="account",
        actor_uid=ANNA_UID,
        action="estimate.confirmed",
        object_id=ESTIMATE_ID,
        session_id=SESSION_ID,
    ),
]

# Account
SESSIONS = [
    SessionResponse(id=SESSION_ID, created_at=SIGNED_IN_AT, last_seen_at=MOVED_AT, user_agent=USER_AGENT, current=True),
    SessionResponse(
        id=OTHER_SESSION_ID,
        created_at=SIGNED_UP_AT,
        last_seen_at=CREATED_AT,
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15",
        current=False,
    ),
]
NEW_API_KEY = ApiKey(
    id=API_KEY_ID,
    name="Web shop",
    prefix="bbk_EXAMPLE0",
    scopes=["orders:read", "orders:write"],
    created_at=CREATED_AT,
    workshop_id=WORKSHOP_ID,
    expires_at="2027-11-16T00:00:00.000Z",
)
API_KEY = structs.replace(NEW_API_KEY, last_used_at=MOVED_AT)
FEEDBACK = AccountDataExportFeedback(
    id=FEEDBACK_ID,
    kind="support",
    title="Copying a grid to another workshop",
    message="Is there a way to use the same grid in two workshops?",
    email=EMAIL,
    locale="en",
    created_at=CHANGED_AT,
    path="/grids",
    user_agent=USER_AGENT,
)

# Grid and estimate
GRID = Grid(
    id=GRID_ID,
    workshop_id=WORKSHOP_ID,
    name="Tables",
    icon_size="medium",
    created_at=SIGNED_UP_AT,
    updated_at=SIGNED_UP_AT,
    buttons=[
        GridButton(
            id=OAK_BUTTON_ID,
            emoji="🪵",
            label="Oak boards, 40 mm",
            unit="sqm",
            unit_price=Number("320"),
            background_color="#C9A678",
            icon_file_id=ICON_ID,
        ),
        GridButton(id=SAWING_BUTTON_ID, emoji="🪚", label="Joinery work", unit="hour", unit_price=Number("110")),
    ],
)
LINE_ITEMS = [
    LineItem(
        id=OAK_LINE_ID,
        label="Oak boards, 40 mm",
        unit="sqm",
        unit_price=Number("320"),
        quantity=Number("2.6"),
        source_button_id=OAK_BUTTON_ID,
    ),
    LineItem(
        id=WORK_LINE_ID,
        label="Joinery work",
        unit="hour",
        unit_price=Number("110"),
        quantity=Number("14"),
        source_button_id=SAWING_BUTTON_ID,
    ),
    LineItem(id=OIL_LINE_ID, label="Oil finish", unit="job", unit_price=Number("240"), quantity=Number("1")),
]
NEW_LINE_ITEMS = [
    NewLineItem(
        label=line.label,
        unit=line.unit,
        unit_price=line.unit_price,
        quantity=line.quantity,
        source_button_id=line.source_button_id,
    )
    for line in LINE_ITEMS
]
ESTIMATE = Estimate(
    id=ESTIMATE_ID,
    workshop_id=WORKSHOP_ID,
    name="Oak dining table, 220 × 95 cm",
    recipient_name="Siobhán Gallagher",
    markup_percent=Number("10"),
    discount_percent=Number("5"),
    created_at=CREATED_AT,
    updated_at=CHANGED_AT,
    line_items=LINE_ITEMS,
)
REVISION = EstimateRevision(
    id=REVISION_ID,
    revision_number=1,
    created_at=CONFIRMED_AT,
    created_by_uid=ANNA_UID,
    name=ESTIMATE.name,
    markup_percent=ESTIMATE.markup_percent,
    discount_percent=ESTIMATE.discount_percent,
    line_items=LINE_ITEMS,
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
    line_taxes={LINE_ITEMS[-1].id: Number("8")},
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
NEW_LINE_ITEM = NewLineItem(
    label="Delivery", unit="job", unit_price=Number("180"), quantity=Number("1"), id=PLACED_LINE_ID
)
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
MOST_USED = [
    MostUsedLineItem(label="Joinery work", unit="hour", unit_price=Number("110"), count=14, last_used_at=CHANGED_AT),
    MostUsedLineItem(label="Oak boards, 40 mm", unit="sqm", unit_price=Number("320"), count=9, last_used_at=CHANGED_AT),
]
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
MESSAGE = messages.draft(
    messages.MessageFacts(
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
CLIENT_DOCUMENT = client_document(estimate_document(CONFIRMED, TOGGLES, locale="en", preliminary=False))
_DOCUMENT_JSON = canonical_document(CLIENT_DOCUMENT)
_DOCUMENT_HASH = sha256_hex(_DOCUMENT_JSON)
_PDF_HASH = sha256_hex(b"the bytes of the PDF")
LINK = Link(
    id=LINK_ID,
    estimate_id=ESTIMATE_ID,
    revision_number=1,
    locale="en",
    toggles=TOGGLES,
    can_decide=True,
    state="open",
    document_hash=_DOCUMENT_HASH,
    created_at=SENT_AT,
    created_by_uid=ANNA_UID,
    openings=Openings(2, OPENED_AT, OPENED_AGAIN_AT),
    pdf_export_id=PDF_EXPORT_ID,
    expires_at="2026-12-02T12:00:00.000Z",
)
LINK_TOKEN = "bbl_3f8Kq0vXn2TzR7wYb1LcM9dJhGpS5aEuI4oVxQkZ6tHjW2QhEM"  # noqa: S105 - an example
COMMENT = Comment(COMMENT_ID, OPENED_AGAIN_AT, "client", "Siobhán Gallagher", "Could it be ready by Easter?")
CLIENT_COMMENT = EstimateComment(COMMENT.id, COMMENT.created_at, LINK_ID, "client", COMMENT.name, COMMENT.text)
ANSWER = EstimateComment(
    ANSWER_ID, DECIDED_AT, LINK_ID, "workshop", "Anna Kowalska", "Yes, in the week before.", ANNA_UID
)
DECISION = Decision(
    id=DECISION_ID,
    estimate_id=ESTIMATE_ID,
    revision_number=1,
    outcome="accepted",
    method="link",
    decided_at=DECIDED_AT,
    recorded_at=DECIDED_AT,
    document_hash=_DOCUMENT_HASH,
    name="Siobhán Gallagher",
    link_id=LINK_ID,
    pdf_hash=_PDF_HASH,
    signature="drawn",
    consent=acceptance("en").text,
)
DECLINE = structs.replace(
    DECISION,
    outcome="declined",
    name="Siobhán Gallagher",
    reason="We have decided to wait a year.",
    signature=msgspec.UNSET,
    consent=msgspec.UNSET,
)
RECORDED = structs.replace(
    DECISION,
    method="phone",
    recorded_at=ORDERED_AT,
    recorded_by_uid=ANNA_UID,
    link_id=msgspec.UNSET,
    pdf_hash=msgspec.UNSET,
    signature=msgspec.UNSET,
    consent=msgspec.UNSET,
)
CLIENT_ESTIMATE = ClientEstimate(
    **{name: getattr(CLIENT_DOCUMENT, name) for name in ClientDocument.__struct_fields__},
    document_hash=_DOCUMENT_HASH,
    pdf_hash=_PDF_HASH,
    state="open",
    can_decide=True,
    brand_mark=False,
    receipt=True,
    consent=acceptance("en"),
    comments=[COMMENT],
    expires_at="2026-12-02T12:00:00.000Z",
)
EVIDENCE = DecisionEvidence(
    **{name: getattr(DECISION, name) for name in Decision.__struct_fields__},
    document=_DOCUMENT_JSON.decode(),
    strokes=[[[Number("12.5"), Number("40")], [Number("14"), Number("38.5")]]],
    consent_id=acceptance("en").id,
    address="203.0.113.24",
    user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)",
    openings=LINK.openings,
)
EXPORTED_LINK = ExportedLink(
    **{name: getattr(LINK, name) for name in Link.__struct_fields__ if name != "state"},
    state="accepted",
    pdf_hash=_PDF_HASH,
    document=_DOCUMENT_JSON.decode(),
    receipt_email="siobhan@example.com",
)
ICON = FileRecord(
    id=ICON_ID,
    scope="workshop",
    scope_id=WORKSHOP_ID,
    category="grid_tile_icon",
    content_type="image/png",
    size_bytes=18_204,
    uploaded_by_uid=ANNA_UID,
    created_at=SIGNED_UP_AT,
    name="oak.png",
)
PDF_FILE = FileRecord(
    id=PDF_EXPORT_ID,
    scope="estimate",
    scope_id=ESTIMATE_ID,
    category="estimate_pdf",
    content_type="application/pdf",
    size_bytes=55_208,
    uploaded_by_uid=ANNA_UID,
    created_at=SENT_AT,
    name="Oak dining table, 220 × 95 cm 1.pdf",
    estimate_id=ESTIMATE_ID,
)
CATALOG = PredefinedItemsCatalog(
    items=(
        PredefinedGridItem(
            id="site-measurement-joinery",
            emoji="📏",
            label=LocalizedText(en="Measuring on site", pl="Pomiar u klienta"),
            unit="job",
            tags=("measuring", "visit"),
        ),
        PredefinedGridItem(
            id="joinery-drawings",
            emoji="📐",
            label=LocalizedText(en="Design and workshop drawings", pl="Projekt i rysunki wykonawcze"),
            unit="job",
            tags=("design",),
        ),
    ),
    domains=(PredefinedItemDomain(slug="carpentry", label=LocalizedText(en="Carpentry and joinery", pl="Stolarstwo")),),
    templates=(
        GridTemplate(
            slug="fitted-furniture",
            domain_slug="carpentry",
            name=LocalizedText(en="Fitted furniture", pl="Meble do zabudowy"),
            description=LocalizedText(
                en="Wardrobes, shelves and wall panels for one room.",
                pl="Szafy, regały i okładziny ścienne do jednego pomieszczenia.",
            ),
            item_ids=("site-measurement-joinery", "joinery-drawings"),
        ),
    ),
)
EMOJI = EmojiSet(
    (
        EmojiEntry("🔨", LocalizedText(en="hammer", pl="młotek"), "tools"),
        EmojiEntry("🪚", LocalizedText(en="carpentry saw", pl="piła do drewna"), "tools"),
        EmojiEntry("🪵", LocalizedText(en="wood", pl="drewno"), "materials"),
    )
)
KEYWORDS = CatalogKeywords(
    (
        ItemKeywords(
            "furniture-assembly",
            LocalizedText(en="Furniture assembly on site", pl="Montaż mebli u klienta"),
            LocalizedKeywords(en=("flat-pack", "installation"), pl=("skręcanie", "meble")),
        ),
    ),
    (EmojiKeywords("🪵", LocalizedKeywords(en=("timber", "plank"), pl=("deska", "belka"))),),
)

# Order
NEW_ORDER = NewOrder(title="Oak dining table, 220 × 95 cm", customer_name="Siobhán Gallagher")
CREATED_ORDER = NEW_ORDER.to_order(WORKSHOP_ID, ORDER_ID, ORDERED_AT)
UPDATED_ORDER = structs.replace(CREATED_ORDER, notes="Deliver after 17:00, second floor")
ORDER = structs.replace(
    UPDATED_ORDER,
    status="in_progress",
    last_activity_at=MOVED_AT,
    status_history=[*CREATED_ORDER.status_history, StatusChange("in_progress", MOVED_AT)],
)

EXPORT = AccountDataExport(
    user=AccountDataExportUser(
        uid=ANNA_UID,
        email=EMAIL,
        name="Anna Kowalska",
        status="active",
        email_verified_at=SIGNED_UP_AT,
        terms_version="1",
        terms_accepted_at=SIGNED_UP_AT,
        last_login_at=SIGNED_IN_AT,
        locale="en",
    ),
    workshops=[
        ExportedWorkshop(
            workshop=ExportedWorkshopRecord(
                id=WORKSHOP_ID,
                name=WORKSHOP.name,
                tagline=WORKSHOP.tagline,
                logo=WORKSHOP.logo,
                crafter_name=WORKSHOP.crafter_name,
                crafter_avatar_seed=WORKSHOP.crafter_avatar_seed,
                background=WORKSHOP.background,
                title_font=WORKSHOP.title_font,
                plan=WORKSHOP.plan,
                plan_expires_at=WORKSHOP.plan_expires_at,
                plan_source=WORKSHOP.plan_source,
                is_default=True,
                created_at=SIGNED_UP_AT,
                billing_cancel_at_period_end=False,
                context_synthesis_attempts=[CHANGED_AT],
                message_draft_attempts=[],
                custom_background=BACKGROUND,
                accent_color=WORKSHOP.accent_color,
                context=CONTEXT,
                context_derived=CONTEXT_DERIVED,
            ),
            grids=[GRID],
            estimates=[
                ExportedEstimate(
                    id=ESTIMATE_ID,
                    workshop_id=WORKSHOP_ID,
                    name=ESTIMATE.name,
                    recipient_name=ESTIMATE.recipient_name,
                    markup_percent=ESTIMATE.markup_percent,
                    discount_percent=ESTIMATE.discount_percent,
                    created_at=CREATED_AT,
                    updated_at=CHANGED_AT,
                    line_items=LINE_ITEMS,
                    revisions=[REVISION],
                    sharing=ExportedSharing([EXPORTED_LINK], [EVIDENCE], [CLIENT_COMMENT, ANSWER]),
                )
            ],
            orders=[ORDER],
        )
    ],
    feedback=[FEEDBACK],
    auth_providers=[
        AccountDataExportAuthProvider(provider="google", subject="110169484474386276334", linked_at=SIGNED_IN_AT)
    ],
    api_tokens=[API_KEY],
    audit=AUDIT_ENTRIES,
)

# By operationId.
BODIES: Mapping[str, Any] = {
    "signIn": Credentials(email=EMAIL, password=PASSWORD),
    "signUp": NewAccount(name="Anna Kowalska", email=EMAIL, password=PASSWORD, accept_terms=True, locale="en"),
    "verifyAccount": Verification(token=TOKEN, password=PASSWORD),
    "resendVerification": VerificationRequest(email=EMAIL),
    "requestPasswordReset": PasswordResetRequest(email=EMAIL),
    "resetPassword": PasswordReset(token=TOKEN, password="a plane and two saws"),  # noqa: S106 - an example
    "changePassword": PasswordChange(current_password=PASSWORD, new_password="a plane and two saws"),  # noqa: S106 - an example
    "deleteAccount": AccountDeletion(password=PASSWORD),
    "createFeedback": NewFeedback(kind="support", title=FEEDBACK.title, message=FEEDBACK.message, path="/grids"),
    "updateProfile": ProfileEdit(name="Anna Kowalska", locale="en"),
    "createApiKey": NewApiKey(
        name="Web shop",
        scopes=["orders:read", "orders:write"],
        expires_at="2027-11-16T00:00:00.000Z",
        workshop_id=WORKSHOP_ID,
    ),
    "createWorkshop": NewWorkshop(
        name=WORKSHOP.name,
        tagline=WORKSHOP.tagline,
        logo=WORKSHOP.logo,
        crafter_name=WORKSHOP.crafter_name,
        background="linen",
        custom_background=BACKGROUND,
        title_font="serif",
        accent_color="#8A4B21",
    ),
    "updateWorkshop": WorkshopEdit(tagline=WORKSHOP.tagline, accent_color="#8A4B21"),
    "replaceContext": ContextEdit(notes=CONTEXT.notes),
    "createInvitation": NewInvitation(email="zofia@example.com", role="member"),
    "acceptInvitation": InvitationAcceptance(token=TOKEN),
    "updateMember": MemberEdit(role="owner"),
    "replaceDocumentSettings": SETTINGS,
    "createOrder": NEW_ORDER,
    "updateOrder": OrderEdit(notes=UPDATED_ORDER.notes),
    "moveOrder": OrderMove(status="in_progress"),
    "createEstimate": NewEstimate(
        name=ESTIMATE.name,
        recipient_name="Siobhán Gallagher",
        markup_percent=Number("10"),
        discount_percent=Number("5"),
        line_items=NEW_LINE_ITEMS,
    ),
    "replaceEstimateDocument": FACTS,
    "updateEstimate": EstimateEdit(markup_percent=Number("10"), discount_percent=Number("5")),
    "createLineItem": NEW_LINE_ITEM,
    "updateLineItem": LineItemEdit(quantity=Number("2.5")),
    "createOrderFromEstimate": OrderFromEstimate(title=ESTIMATE.name, customer_name="Siobhán Gallagher"),
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
    "createLink": NewLink(locale="en", toggles=TOGGLES),
    "mailLink": LinkMail(email="siobhan@example.com", tone="friendly", message="It was good to meet you."),
    "answerComment": NewAnswer(ANSWER.text),
    "recordDecision": NewDecision(
        revision_number=1, outcome="accepted", method="phone", name="Siobhán Gallagher", decided_at=DECIDED_AT
    ),
    "voidDecision": VoidedDecision("The client telephoned: she pressed the wrong button."),
    "acceptEstimate": NewAcceptance(
        name="Siobhán Gallagher",
        document_hash=_DOCUMENT_HASH,
        agreed=True,
        signature=DrawnSignature([[[Number("12.5"), Number("40")], [Number("14"), Number("38.5")]]]),
    ),
    "declineEstimate": NewDecline(name="Siobhán Gallagher", reason="We have decided to wait a year."),
    "addClientComment": NewComment(name=COMMENT.name, text=COMMENT.text),
    "createGrid": NewGrid(
        name="Tables",
        icon_size="medium",
        buttons=[
            NewGridButton(
                emoji=button.emoji,
                label=button.label,
                unit=button.unit,
                unit_price=button.unit_price,
                background_color=button.background_color,
                icon_file_id=button.icon_file_id,
            )
            for button in GRID.buttons
        ],
    ),
    "reorderGrids": GridOrder([BENCH_GRID_ID, GRID_ID]),
    "addGridButtons": AddedButtons(item_ids=["fitted-wardrobe", "kitchen-base-cabinet"], locale="en"),
    "updateGrid": GridEdit(name="Tables and benches", icon_size="large"),
}

# By operationId.
RESPONSES: Mapping[str, Any] = {
    "signIn": SignedIn(USER),
    "verifyAccount": SignedIn(USER),
    "createFeedback": FEEDBACK,
    "getProfile": PROFILE,
    "updateProfile": PROFILE,
    "exportAccount": EXPORT,
    "listSessions": SessionsList(SESSIONS),
    "listApiKeys": ApiKeysList([API_KEY]),
    "getApiKey": CurrentApiKey(API_KEY_ID, API_KEY.name, API_KEY.scopes, [ApiKeyWorkshop(WORKSHOP_ID, WORKSHOP.name)]),
    "createApiKey": IssuedApiKey(NEW_API_KEY, "bbk_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE00"),
    "listWorkshops": WorkshopsList([WORKSHOP]),
    "createWorkshop": structs.replace(
        WORKSHOP,
        plan="free",
        plan_expires_at=None,
        plan_source=None,
        members=[ANNA],
        context=msgspec.UNSET,
        context_derived=msgspec.UNSET,
    ),
    "getWorkshop": WORKSHOP,
    "updateWorkshop": WORKSHOP,
    "replaceContext": CONTEXT,
    "synthesizeContext": CONTEXT_DERIVED,
    "listInvitations": InvitationsList([INVITATION]),
    "createInvitation": INVITATION,
    "acceptInvitation": WORKSHOP,
    "updateMember": structs.replace(JAN, role="owner"),
    "listAuditEntries": AuditTrail(AUDIT_ENTRIES),
    "listChanges": Changes(
        cursor=CHANGES_CURSOR,
        more=False,
        reset=False,
        orders=[ORDER],
        estimates=[],
        grids=[],
        removed=[RemovedObject("order", DELETED_ORDER_ID)],
        workshop=msgspec.UNSET,
    ),
    "getEntitlements": ENTITLEMENTS,
    "getDocumentSettings": SETTINGS,
    "replaceDocumentSettings": SETTINGS,
    "startTrial": ENTITLEMENTS,
    "createCheckout": CheckoutPage("https://checkout.stripe.com/c/pay/cs_test_a1b2c3"),
    "createPortal": CheckoutPage("https://billing.stripe.com/p/session/test_d4e5f6"),
    "listOrders": OrdersList([ORDER]),
    "createOrder": CREATED_ORDER,
    "getOrder": OrderResponse(ORDER),
    "updateOrder": UPDATED_ORDER,
    "moveOrder": ORDER,
    "listEstimates": EstimatesList([ESTIMATE]),
    "createEstimate": structs.replace(ESTIMATE, updated_at=CREATED_AT),
    "getEstimate": ESTIMATE,
    "updateEstimate": ESTIMATE,
    "listEstimateSummaries": EstimateSummariesList([SUMMARY]),
    "listRecipients": RecipientsList([Recipient("Siobhán Gallagher", CHANGED_AT)]),
    "createLineItem": structs.replace(ESTIMATE, line_items=[*LINE_ITEMS, NEW_LINE_ITEM.with_id("")]),
    "updateLineItem": structs.replace(
        ESTIMATE, line_items=[structs.replace(LINE_ITEMS[0], quantity=Number("2.5")), *LINE_ITEMS[1:]]
    ),
    "deleteLineItem": structs.replace(ESTIMATE, line_items=LINE_ITEMS[1:]),
    "duplicateEstimate": ESTIMATE.duplicate(COPY_ID, ORDERED_AT),
    "getEstimateTotals": TOTALS,
    "getEstimateDocument": FACTS,
    "replaceEstimateDocument": FACTS,
    "getRevisionTotals": REVISION_TOTALS,
    "createOrderFromEstimate": CREATED_ORDER,
    "listMostUsedLineItems": MostUsedLineItemsList(MOST_USED),
    "confirmEstimate": EstimateConfirmation(ESTIMATE, REVISION),
    "listRevisions": EstimateRevisionsList([REVISION]),
    "getRevision": REVISION,
    "listHandoffs": HandoffsList([HANDOFF]),
    "createHandoff": HANDOFF,
    "draftMessage": DraftedMessage(MESSAGE.subject, MESSAGE.body, ai_drafted=False, revision_number=1),
    "listLinks": LinksList([LINK]),
    "createLink": SharedLink(structs.replace(LINK, openings=Openings(0)), page_url("https://example.com", LINK_TOKEN)),
    "listComments": CommentsList([ANSWER, CLIENT_COMMENT]),
    "answerComment": ANSWER,
    "listDecisions": DecisionsList([DECISION]),
    "recordDecision": RECORDED,
    "voidDecision": structs.replace(
        DECISION, voided=Voiding(ORDERED_AT, ANNA_UID, "The client telephoned: she pressed the wrong button.")
    ),
    "getClientEstimate": CLIENT_ESTIMATE,
    "acceptEstimate": DECISION,
    "declineEstimate": DECLINE,
    "addClientComment": COMMENT,
    "listPdfExports": PdfExportsList([PDF_EXPORT]),
    "createPdfExport": PDF_EXPORT,
    "listGrids": GridsList([GRID]),
    "createGrid": GRID,
    "reorderGrids": GridsList([structs.replace(GRID, id=BENCH_GRID_ID, name="Benches", buttons=[]), GRID]),
    "addGridButtons": structs.replace(
        GRID,
        updated_at=CHANGED_AT,
        buttons=[
            *GRID.buttons,
            *AddedButtons(item_ids=["fitted-wardrobe", "kitchen-base-cabinet"]).to_buttons(
                "en", lambda: PLACED_LINE_ID
            ),
        ],
    ),
    "getGrid": GRID,
    "updateGrid": structs.replace(GRID, name="Tables and benches", icon_size="large", updated_at=CHANGED_AT),
    "getCatalog": CATALOG,
    "listEmoji": EMOJI,
    "listCatalogKeywords": KEYWORDS,
    "uploadFile": ICON,
    "listFiles": FilesList([PDF_FILE, ICON]),
}

# By code, or by `operationId.code` where an operation has its own detail.
_ERRORS: Mapping[str, DomainError] = {
    "validation_error": ValidationError(
        FieldError("/lineItems/3/quantity", "too_small", "Expected a number from 0 to 1000000 with at most 4 decimals")
    ),
    "wrong_password": WrongPassword(),
    "precondition_failed": PreconditionFailed(),
    "too_large": TooLarge(262_144),
    "uploadFile.too_large": TooLarge(524_288),
    "unsupported_media_type": UnsupportedMedia("Send the body as application/json"),
    "uploadFile.unsupported_media_type": UnsupportedMedia("Send the body as multipart/form-data"),
    "idempotency_mismatch": IdempotencyMismatch(),
    "rate_limited": RateLimited("pair", 10, 900, 411),
    "unavailable": Unavailable("unavailable", "The database cannot be used now: no response in time"),
    "ai_not_configured": Unavailable("ai_not_configured", "No language model is set up on this server"),
    "payments_not_configured": Unavailable("payments_not_configured", "No payment provider is set up on this server"),
    "in_progress": Conflict("in_progress", "The first request with this Idempotency-Key is still in progress"),
    "already_created": Conflict(
        "already_created", "This was created by the first request; its secret is shown only once"
    ),
    "too_many_keys": Conflict("too_many_keys", "An account can have at most 100 API keys; revoke one first"),
    "last_owner": Conflict("last_owner", "The workshop would have no owner"),
    "deleteAccount.last_owner": Conflict(
        "last_owner", "A workshop with other members would have no owner", workshopId=WORKSHOP_ID
    ),
    "last_sign_in_method": Conflict(
        "last_sign_in_method", "Set a password first: Google is the only way to sign in to this account"
    ),
    "already_member": Conflict("already_member", "This address belongs to a member of the workshop"),
    "too_many_invitations": Conflict("too_many_invitations", "At most 100 invitations may be open at a time"),
    "no_notes": Conflict("no_notes", "Save notes about the workshop first"),
    "context_changed": Conflict("context_changed", "The notes were changed meanwhile; try again"),
    "subscription_running": Conflict(
        "subscription_running", "End the workshop's subscription first", workshopId=WORKSHOP_ID
    ),
    "createCheckout.subscription_running": Conflict(
        "subscription_running", "The workshop has a subscription; change it in the portal"
    ),
    "trial_used": Conflict("trial_used", "The workshop has already used its trial"),
    "already_pro": Conflict("already_pro", "The workshop is already on pro"),
    "pro_purchase_disabled": Conflict("pro_purchase_disabled", "Pro cannot be bought on this server"),
    "no_billing_account": Conflict("no_billing_account", "The workshop has no billing account yet"),
    "plan_limit": Conflict(
        "plan_limit",
        "Orders, estimates, grids and their history exceed the data limit of your plan",
        limit=209_715_200,
        current=209_716_421,
    ),
    "createPdfExport.plan_limit": Conflict(
        "plan_limit", "The file exceeds the storage limit of your plan", limit=52_428_800, current=52_390_112
    ),
    "uploadFile.plan_limit": Conflict(
        "plan_limit", "The file exceeds the storage limit of your plan", limit=52_428_800, current=52_390_112
    ),
    "createWorkshop.plan_limit": Conflict(
        "plan_limit", "An account can own at most 20 workshops", limit=20, current=20
    ),
    "confirmEstimate.plan_limit": Conflict(
        "plan_limit", "Your plan allows 3 revisions per estimate", limit=3, current=3
    ),
    "createLineItem.plan_limit": Conflict(
        "plan_limit", "An estimate can have at most 500 line items", limit=500, current=500
    ),
    "addGridButtons.plan_limit": Conflict("plan_limit", "A grid can have at most 200 buttons", limit=200, current=196),
    "createGrid.plan_limit": Conflict("plan_limit", "A workshop can have at most 10 grids", limit=10, current=10),
    "not_drawable": Conflict("not_drawable", "Rendering the document exceeds the limit of memory or processor time"),
    "not_confirmed": Conflict("not_confirmed", "This estimate has no confirmed revision yet"),
    "logo_in_use": Conflict("logo_in_use", "The document settings show this image as logo"),
    "pdf_in_use": Conflict("pdf_in_use", "A link shows this PDF, or a client has decided about it"),
    "accepted": Conflict("accepted", "A client has accepted this estimate; void the decision first"),
    "decided": Conflict("decided", "This estimate has been decided already"),
    "superseded": Conflict("superseded", "There is a newer version of this estimate"),
    "expired": Conflict("expired", "This estimate is no longer valid"),
    "not_decidable": Conflict("not_decidable", "This link only shows the estimate"),
    "changed": Conflict("changed", "This is not what the link shows; load it again"),
    "voided": Conflict("voided", "This decision has been voided already"),
    "createLink.plan_limit": Conflict(
        "plan_limit", "An estimate can have at most 10 open links; revoke one first", limit=10, current=10
    ),
    "answerComment.plan_limit": Conflict(
        "plan_limit", "A link can have at most 50 comments of each side", limit=50, current=50
    ),
    "addClientComment.plan_limit": Conflict(
        "plan_limit", "A link can have at most 50 comments of each side", limit=50, current=50
    ),
    "icon_in_use": Conflict("icon_in_use", "Buttons of these grids show the icon", gridIds=[GRID_ID]),
}
PROBLEMS: Mapping[str, Any] = {name: msgspec.json.decode(error_response(error).body) for name, error in _ERRORS.items()}
