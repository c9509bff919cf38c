"""Examples of workshops, members, invitations and orders."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from backbench.accounts.page_links import page_link
from backbench.orders.orders import NewOrder, OrderEdit, OrderMove, OrderResponse, OrdersList, StatusChange
from backbench.reference.examples.ids import (
    ANNA_UID,
    API_KEY_ID,
    AUDIT_ENTRY_IDS,
    CHANGED_AT,
    CONFIRMED_AT,
    CREATED_AT,
    ESTIMATE_ID,
    INVITATION_ID,
    JAN_UID,
    MOVED_AT,
    ORDER_ID,
    ORDERED_AT,
    PASSWORD,
    SESSION_ID,
    SIGNED_UP_AT,
    TOKEN,
    WORKSHOP_ID,
)
from backbench.values.text import LocalizedText
from backbench.workshops.audit import AuditEntry, AuditTrail
from backbench.workshops.members import MemberEdit, WorkshopMember
from backbench.workshops.recipients import Recipient, RecipientsList
from backbench.workshops.team import (
    AddedInvitation,
    Invitation,
    InvitationAcceptance,
    InvitationAddress,
    InvitationJoin,
    InvitationPreview,
    InvitationQuery,
    InvitationsList,
    NewInvitation,
)
from backbench.workshops.workshops import (
    ContextEdit,
    GradientBackground,
    NewWorkshop,
    SuggestedIntents,
    Workshop,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopEdit,
    WorkshopsList,
)

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
INVITATION = Invitation(
    id=INVITATION_ID,
    email="zofia@example.com",
    role="member",
    created_at=CREATED_AT,
    expires_at="2026-11-23T09:12:04.318Z",
    invited_by_uid=ANNA_UID,
)
_JOIN_LINK = page_link("https://example.com", "join", "pl", TOKEN)
_QR_CODE = '<svg xmlns="http://www.w3.org/2000/svg" width="45" height="45" viewBox="0 0 45 45">…</svg>'
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
NEW_ORDER = NewOrder(title="Oak dining table, 220 × 95 cm", customer_name="Siobhán Gallagher")
CREATED_ORDER = NEW_ORDER.to_order(WORKSHOP_ID, ORDER_ID, ORDERED_AT)
UPDATED_ORDER = structs.replace(CREATED_ORDER, notes="Deliver after 17:00, second floor")
ORDER = structs.replace(
    UPDATED_ORDER,
    status="in_progress",
    last_activity_at=MOVED_AT,
    status_history=[*CREATED_ORDER.status_history, StatusChange("in_progress", MOVED_AT)],
)
BODIES: Mapping[str, Any] = {
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
    "previewInvitation": InvitationQuery(token=TOKEN),
    "acceptInvitation": InvitationAcceptance(token=TOKEN),
    "joinWorkshop": InvitationJoin(token=TOKEN, name="Zofia Nowak", password=PASSWORD, accept_terms=True, locale="pl"),
    "updateMember": MemberEdit(role="owner"),
    "createOrder": NEW_ORDER,
    "updateOrder": OrderEdit(notes=UPDATED_ORDER.notes),
    "moveOrder": OrderMove(status="in_progress"),
}
RESPONSES: Mapping[str, Any] = {
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
    "createInvitation": AddedInvitation(**structs.asdict(INVITATION), url=_JOIN_LINK, qr_code=_QR_CODE),
    "addInvitationAddress": InvitationAddress(url=_JOIN_LINK, qr_code=_QR_CODE),
    "previewInvitation": InvitationPreview(
        workshop_name=WORKSHOP.name,
        inviter_name=ANNA.name,
        email=INVITATION.email,
        role=INVITATION.role,
        expires_at=INVITATION.expires_at,
    ),
    "acceptInvitation": WORKSHOP,
    "updateMember": structs.replace(JAN, role="owner"),
    "listAuditEntries": AuditTrail(AUDIT_ENTRIES),
    "listOrders": OrdersList([ORDER]),
    "createOrder": CREATED_ORDER,
    "getOrder": OrderResponse(ORDER),
    "updateOrder": UPDATED_ORDER,
    "moveOrder": ORDER,
    "listRecipients": RecipientsList([Recipient("Siobhán Gallagher", CHANGED_AT)]),
}
