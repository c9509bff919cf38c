"""Examples of errors: one for each code, or for each code of an operation."""

from collections.abc import Mapping
from typing import Any

import msgspec

from backbench.customers import merges
from backbench.http.errors import error_response
from backbench.orders.balances import is_accepted, other_currency
from backbench.orders.order_signatures import is_signed
from backbench.orders.payments import already_void, has_payments, over_refund
from backbench.reference.examples.ids import GRID_ID, WORKSHOP_ID
from backbench.values.errors import (
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
    "mail_not_configured": Unavailable("mail_not_configured", "No mail server is set up on this server"),
    "payments_not_configured": Unavailable("payments_not_configured", "No payment provider is set up on this server"),
    "in_progress": Conflict("in_progress", "The first request with this Idempotency-Key is still in progress"),
    "already_created": Conflict(
        "already_created", "This was created by the first request, whose response held a secret or was erased"
    ),
    "too_many_keys": Conflict("too_many_keys", "An account can have at most 100 API keys; revoke one first"),
    "erased": merges.erased(),
    "not_done": Conflict("not_done", "Only an order that is done can be collected"),
    "replaceAgreedPrice.accepted": is_accepted(),
    "other_currency": other_currency(),
    "over_refund": over_refund(),
    "void": already_void(),
    "has_payments": has_payments(1),
    "signed": is_signed(),
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
    "uploadPhoto.plan_limit": Conflict("plan_limit", "An order can have at most 40 photos", limit=40, current=40),
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
    "revoked": Conflict("revoked", "This link has been revoked; create another one"),
    "has_account": Conflict("has_account", "This address has an account; sign in with it to accept the invitation"),
    "addLinkAddress.plan_limit": Conflict(
        "plan_limit", "A link can have at most 20 further addresses", limit=20, current=20
    ),
    "number_taken": Conflict("number_taken", "Another document of this workshop has the number 12/2026"),
    "decided": Conflict("decided", "This estimate has been decided already"),
    "superseded": Conflict("superseded", "There is a newer revision of this estimate"),
    "expired": Conflict("expired", "This estimate is no longer valid"),
    "not_decidable": Conflict("not_decidable", "This link only shows the estimate"),
    "changed": Conflict("changed", "This is not what the link shows; load it again"),
    "voided": Conflict("voided", "This decision no longer stands, or its estimate was deleted"),
    "createLink.plan_limit": Conflict(
        "plan_limit", "An estimate can have at most 10 open links; revoke one first", limit=10, current=10
    ),
    "answerComment.plan_limit": Conflict(
        "plan_limit", "A link can have at most 50 comments of each side", limit=50, current=50
    ),
    "addClientComment.plan_limit": Conflict(
        "plan_limit", "A link can have at most 50 comments of each side", limit=50, current=50
    ),
    "createImport.plan_limit": Conflict(
        "plan_limit",
        "A workshop can have at most 20 files that are not imported yet; they go after a day",
        limit=20,
        current=20,
    ),
    "runImport.plan_limit": Conflict(
        "plan_limit", "The tiles need 3 grids, and a workshop can have at most 10", limit=10, current=8
    ),
    "not_active": Conflict("not_active", "The webhook is disabled"),
    "already_run": Conflict("already_run", "This import has been run"),
    "updateImport.expired": Conflict("expired", "The file was kept for a day; upload it again"),
    "runImport.expired": Conflict("expired", "The file was kept for a day; upload it again"),
    "runImport.changed": Conflict("changed", "The mapping was changed meanwhile"),
    "not_run": Conflict("not_run", "This import has not been run"),
    "already_undone": Conflict("already_undone", "This import has been undone"),
    "undoImport.expired": Conflict("expired", "An import can be undone for 30 days"),
    "undoImport.changed": Conflict("changed", "Something of the import was changed at this moment; try again"),
    "icon_in_use": Conflict("icon_in_use", "Buttons of these grids show the icon", gridIds=[GRID_ID]),
}
PROBLEMS: Mapping[str, Any] = {name: msgspec.json.decode(error_response(error).body) for name, error in _ERRORS.items()}
