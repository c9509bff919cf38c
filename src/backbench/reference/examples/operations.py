"""Examples of changes and the export of an account."""

from collections.abc import Mapping
from typing import Any

import msgspec

from backbench.accounts.accounts import AccountDataExportAuthProvider
from backbench.connections.changes import Changes, RemovedObject
from backbench.exports.exports import (
    AccountDataExport,
    AccountDataExportUser,
    ExportedEstimate,
    ExportedWorkshop,
    ExportedWorkshopRecord,
)
from backbench.reference.examples.accounts import API_KEY, FEEDBACK
from backbench.reference.examples.estimates import ESTIMATE, LINE_ITEMS, REVISION
from backbench.reference.examples.grids import GRID
from backbench.reference.examples.ids import (
    ANNA_UID,
    CHANGED_AT,
    CHANGES_CURSOR,
    CREATED_AT,
    DELETED_ORDER_ID,
    EMAIL,
    ESTIMATE_ID,
    SIGNED_IN_AT,
    SIGNED_UP_AT,
    WORKSHOP_ID,
)
from backbench.reference.examples.orders import DETAILS
from backbench.reference.examples.workshops import BACKGROUND, CONTEXT, CONTEXT_DERIVED, ORDER, WORKSHOP

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
)
RESPONSES: Mapping[str, Any] = {
    "exportAccount": EXPORT,
    "listChanges": Changes(
        cursor=CHANGES_CURSOR,
        more=False,
        reset=False,
        orders=[ORDER],
        order_details=[DETAILS],
        estimates=[],
        grids=[],
        payments=[],
        photos=[],
        customers=[],
        removed=[RemovedObject("order", DELETED_ORDER_ID)],
        workshop=msgspec.UNSET,
    ),
}
