"""Public names: the operationId of every operation and the event type of its audit entry."""

import pytest

from backbench.engine.database import Database, Read, Write
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.context import Context
from backbench.http.operations import Operation, public, session
from backbench.http.pipeline import Endpoint
from backbench.orders.orders import Order
from backbench.routes import OPERATIONS
from tests.support import operation_samples

# Clients call operations by these names, and the audit trail stores these event types: neither may change.
NAMES = {
    "POST /authenticate": ("signIn", None),
    "POST /logout": ("signOut", None),
    "POST /accounts": ("signUp", None),
    "POST /accounts/verify": ("verifyAccount", None),
    "POST /accounts/verify/resend": ("resendVerification", None),
    "POST /password-resets": ("requestPasswordReset", None),
    "POST /password-resets/confirm": ("resetPassword", None),
    "GET /auth/google": ("startGoogleSignIn", None),
    "GET /auth/google/callback": ("finishGoogleSignIn", None),
    "PUT /me/password": ("changePassword", None),
    "DELETE /me": ("deleteAccount", None),
    "DELETE /me/sign-in-methods/google": ("unlinkGoogle", None),
    "POST /feedback": ("createFeedback", None),
    "GET /boot": ("boot", None),
    "GET /me": ("getProfile", None),
    "PATCH /me": ("updateProfile", None),
    "GET /me/data-export": ("exportAccount", None),
    "GET /me/data-archive": ("downloadArchive", None),
    "GET /me/sessions": ("listSessions", None),
    "DELETE /me/sessions/{sessionId}": ("deleteSession", None),
    "GET /me/api-keys": ("listApiKeys", None),
    "POST /me/api-keys": ("createApiKey", None),
    "DELETE /me/api-keys/{keyId}": ("revokeApiKey", None),
    "GET /key": ("getApiKey", None),
    "GET /workshops": ("listWorkshops", None),
    "POST /workshops": ("createWorkshop", "workshop.created"),
    "GET /workshops/{workshopId}": ("getWorkshop", None),
    "PATCH /workshops/{workshopId}": ("updateWorkshop", "workshop.updated"),
    "DELETE /workshops/{workshopId}": ("deleteWorkshop", None),
    "PUT /workshops/{workshopId}/context": ("replaceContext", "workshop.updated"),
    "POST /workshops/{workshopId}/context/synthesis": ("synthesizeContext", "workshop.updated"),
    "GET /workshops/{workshopId}/invitations": ("listInvitations", None),
    "POST /workshops/{workshopId}/invitations": ("createInvitation", "invitation.created"),
    "POST /invitations/{invitationId}/addresses": ("addInvitationAddress", "invitation.created"),
    "POST /invitations/preview": ("previewInvitation", None),
    "DELETE /invitations/{invitationId}": ("deleteInvitation", "invitation.deleted"),
    "POST /invitations/accept": ("acceptInvitation", "member.joined"),
    "POST /invitations/join": ("joinWorkshop", None),
    "PATCH /workshops/{workshopId}/members/{userId}": ("updateMember", "member.updated"),
    "DELETE /workshops/{workshopId}/members/{userId}": ("deleteMember", "member.left"),
    "GET /workshops/{workshopId}/audit": ("listAuditEntries", None),
    "GET /workshops/{workshopId}/changes": ("listChanges", None),
    "GET /workshops/{workshopId}/events": ("streamEvents", None),
    "GET /workshops/{workshopId}/calendars": ("listCalendars", None),
    "POST /workshops/{workshopId}/calendars": ("createCalendar", None),
    "DELETE /calendars/{calendarId}": ("deleteCalendar", None),
    "GET /workshops/{workshopId}/imports": ("listImports", None),
    "POST /workshops/{workshopId}/imports": ("createImport", None),
    "GET /imports/{importId}": ("getImport", None),
    "PATCH /imports/{importId}": ("updateImport", None),
    "POST /imports/{importId}/run": ("runImport", "import.run"),
    "POST /imports/{importId}/undo": ("undoImport", "import.undone"),
    "GET /workshops/{workshopId}/webhooks": ("listWebhooks", None),
    "POST /workshops/{workshopId}/webhooks": ("createWebhook", "webhook.created"),
    "GET /webhooks/{webhookId}": ("getWebhook", None),
    "PATCH /webhooks/{webhookId}": ("updateWebhook", "webhook.updated"),
    "DELETE /webhooks/{webhookId}": ("deleteWebhook", "webhook.deleted"),
    "POST /webhooks/{webhookId}/rotate": ("rotateWebhookSecret", "webhook.rotated"),
    "POST /webhooks/{webhookId}/test": ("testWebhook", None),
    "GET /webhooks/{webhookId}/deliveries": ("listDeliveries", None),
    "POST /webhooks/{webhookId}/replay": ("replayWebhook", "webhook.updated"),
    "POST /deliveries/{deliveryId}/resend": ("resendDelivery", None),
    "GET /push/key": ("getPushKey", None),
    "GET /me/push-subscriptions": ("listPushSubscriptions", None),
    "POST /me/push-subscriptions": ("createPushSubscription", None),
    "DELETE /me/push-subscriptions/{subscriptionId}": ("deletePushSubscription", None),
    "POST /me/push-subscriptions/{subscriptionId}/test": ("testPushSubscription", None),
    "POST /mcp": ("callTools", None),
    "GET /calendar-feeds/{fileName}": ("getCalendarFeed", None),
    "GET /workshops/{workshopId}/inbox": ("getInbox", None),
    "POST /workshops/{workshopId}/inbox/read": ("markInboxRead", None),
    "DELETE /workshops/{workshopId}/inbox/{itemId}": ("dismissInboxItem", "inbox.dismissed"),
    "GET /workshops/{workshopId}/entitlements": ("getEntitlements", None),
    "GET /workshops/{workshopId}/document-settings": ("getDocumentSettings", None),
    "PUT /workshops/{workshopId}/document-settings": ("replaceDocumentSettings", "workshop.updated"),
    "POST /workshops/{workshopId}/billing/trial": ("startTrial", "plan.changed"),
    "POST /workshops/{workshopId}/billing/checkout": ("createCheckout", None),
    "POST /workshops/{workshopId}/billing/portal": ("createPortal", None),
    "POST /webhooks/stripe": ("receiveStripeEvent", None),
    "GET /workshops/{workshopId}/orders": ("listOrders", None),
    "POST /workshops/{workshopId}/orders": ("createOrder", "order.created"),
    "GET /orders/{orderId}": ("getOrder", None),
    "PATCH /orders/{orderId}": ("updateOrder", "order.updated"),
    "DELETE /orders/{orderId}": ("deleteOrder", "order.deleted"),
    "PATCH /orders/{orderId}/status": ("moveOrder", "order.moved"),
    "GET /workshops/{workshopId}/order-summaries": ("listOrderSummaries", None),
    "GET /workshops/{workshopId}/order-counts": ("countOrders", None),
    "GET /workshops/{workshopId}/customers": ("listCustomers", None),
    "POST /workshops/{workshopId}/customers": ("createCustomer", "customer.created"),
    "GET /customers/{customerId}": ("getCustomer", None),
    "PATCH /customers/{customerId}": ("updateCustomer", "customer.updated"),
    "DELETE /customers/{customerId}": ("deleteCustomer", "customer.deleted"),
    "GET /customers/{customerId}/history": ("getCustomerHistory", None),
    "POST /customers/{customerId}/merge": ("mergeCustomers", "customer.merged"),
    "POST /customers/{customerId}/unmerge": ("unmergeCustomers", "customer.updated"),
    "POST /customers/{customerId}/erase": ("eraseCustomer", "customer.erased"),
    "GET /customers/{customerId}/data": ("getCustomerData", None),
    "GET /orders/{orderId}/details": ("getOrderDetails", None),
    "PATCH /orders/{orderId}/details": ("updateOrderDetails", "order.details_updated"),
    "POST /orders/{orderId}/collected": ("collectOrder", "order.collected"),
    "DELETE /orders/{orderId}/collected": ("uncollectOrder", "order.details_updated"),
    "GET /orders/{orderId}/slip": ("downloadSlip", None),
    "GET /orders/{orderId}/signature": ("getOrderSignature", None),
    "PUT /orders/{orderId}/signature": ("signOrder", "order.details_updated"),
    "DELETE /orders/{orderId}/signature": ("deleteOrderSignature", "order.details_updated"),
    "GET /orders/{orderId}/payments": ("listPayments", None),
    "GET /orders/{orderId}/invoices": ("listInvoices", None),
    "POST /orders/{orderId}/invoices": ("createInvoice", "invoice.created"),
    "GET /invoices/{invoiceId}": ("getInvoice", None),
    "PATCH /invoices/{invoiceId}": ("updateInvoice", "invoice.updated"),
    "DELETE /invoices/{invoiceId}": ("deleteInvoice", "invoice.deleted"),
    "POST /invoices/{invoiceId}/issue": ("issueInvoice", "invoice.issued"),
    "POST /invoices/{invoiceId}/corrections": ("correctInvoice", "invoice.created"),
    "GET /invoices/{invoiceId}/pdf": ("downloadInvoice", None),
    "GET /invoices/{invoiceId}/xml": ("downloadInvoiceXml", None),
    "GET /workshops/{workshopId}/invoices": ("listWorkshopInvoices", None),
    "GET /workshops/{workshopId}/invoices.csv": ("downloadInvoicesCsv", None),
    "POST /orders/{orderId}/payments": ("recordPayment", "payment.recorded"),
    "POST /payments/{paymentId}/void": ("voidPayment", "payment.voided"),
    "GET /orders/{orderId}/balance": ("getBalance", None),
    "PUT /orders/{orderId}/agreed": ("replaceAgreedPrice", "order.agreed"),
    "GET /orders/{orderId}/payment-request": ("getPaymentRequest", None),
    "GET /orders/{orderId}/payment-code": ("getPaymentCode", None),
    "GET /client/order/payment-code": ("getClientPaymentCode", None),
    "GET /client/estimate/payment-code": ("getDepositCode", None),
    "GET /payments/{paymentId}/receipt": ("downloadReceipt", None),
    "GET /workshops/{workshopId}/payments": ("listWorkshopPayments", None),
    "GET /workshops/{workshopId}/numbers": ("getNumbers", None),
    "GET /workshops/{workshopId}/agreed": ("listAgreedPrices", None),
    "GET /workshops/{workshopId}/orders.csv": ("downloadOrdersCsv", None),
    "GET /workshops/{workshopId}/payments.csv": ("downloadPaymentsCsv", None),
    "GET /workshops/{workshopId}/customers.csv": ("downloadCustomersCsv", None),
    "GET /workshops/{workshopId}/tiles.csv": ("downloadTilesCsv", None),
    "GET /workshops/{workshopId}/numbers.csv": ("downloadNumbersCsv", None),
    "GET /orders/{orderId}/status-link": ("getStatusLink", None),
    "GET /orders/{orderId}/status-code": ("downloadStatusCode", None),
    "POST /orders/{orderId}/status-link/renew": ("renewStatusLink", "order.link_renewed"),
    "GET /client/order": ("getClientOrder", None),
    "POST /client/order/questions": ("askAboutOrder", "order.asked"),
    "GET /orders/{orderId}/questions": ("listOrderQuestions", None),
    "POST /orders/{orderId}/questions": ("answerOrderQuestion", "order.answered"),
    "POST /orders/{orderId}/message-draft": ("draftOrderMessage", None),
    "GET /orders/{orderId}/notices": ("listNotices", None),
    "POST /orders/{orderId}/notices": ("createNotice", "order.notified"),
    "GET /workshops/{workshopId}/estimates": ("listEstimates", None),
    "GET /workshops/{workshopId}/estimate-summaries": ("listEstimateSummaries", None),
    "GET /workshops/{workshopId}/recipients": ("listRecipients", None),
    "POST /workshops/{workshopId}/estimates": ("createEstimate", "estimate.created"),
    "GET /estimates/{estimateId}": ("getEstimate", None),
    "PATCH /estimates/{estimateId}": ("updateEstimate", "estimate.updated"),
    "DELETE /estimates/{estimateId}": ("deleteEstimate", "estimate.deleted"),
    "POST /estimates/{estimateId}/duplicate": ("duplicateEstimate", "estimate.created"),
    "POST /estimates/{estimateId}/line-items": ("createLineItem", "estimate.updated"),
    "PATCH /estimates/{estimateId}/line-items/{lineId}": ("updateLineItem", "estimate.updated"),
    "DELETE /estimates/{estimateId}/line-items/{lineId}": ("deleteLineItem", "estimate.updated"),
    "GET /estimates/{estimateId}/totals": ("getEstimateTotals", None),
    "GET /estimates/{estimateId}/preview": ("previewEstimate", None),
    "GET /estimates/{estimateId}/document": ("getEstimateDocument", None),
    "PUT /estimates/{estimateId}/document": ("replaceEstimateDocument", "estimate.updated"),
    "POST /estimates/{estimateId}/orders": ("createOrderFromEstimate", "order.created"),
    "GET /workshops/{workshopId}/line-items/most-used": ("listMostUsedLineItems", None),
    "POST /estimates/{estimateId}/confirm": ("confirmEstimate", "estimate.confirmed"),
    "GET /estimates/{estimateId}/revisions": ("listRevisions", None),
    "GET /estimates/{estimateId}/revisions/{revisionNumber}": ("getRevision", None),
    "GET /estimates/{estimateId}/revisions/{revisionNumber}/totals": ("getRevisionTotals", None),
    "GET /estimates/{estimateId}/handoffs": ("listHandoffs", None),
    "POST /estimates/{estimateId}/handoffs": ("createHandoff", "handoff.created"),
    "POST /estimates/{estimateId}/message-draft": ("draftMessage", None),
    "GET /estimates/{estimateId}/pdf-exports": ("listPdfExports", None),
    "POST /estimates/{estimateId}/pdf-exports": ("createPdfExport", "pdf.created"),
    "GET /estimates/{estimateId}/pdf-exports/{pdfExportId}": ("downloadPdfExport", None),
    "GET /estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}": ("getPdfExportPage", None),
    "DELETE /estimates/{estimateId}/pdf-exports/{pdfExportId}": ("deletePdfExport", "pdf.deleted"),
    "GET /estimates/{estimateId}/links": ("listLinks", None),
    "POST /estimates/{estimateId}/links": ("createLink", "estimate.shared"),
    "PATCH /links/{linkId}": ("updateLink", "estimate.shared"),
    "POST /links/{linkId}/addresses": ("addLinkAddress", "estimate.shared"),
    "DELETE /links/{linkId}": ("revokeLink", "estimate.unshared"),
    "POST /links/{linkId}/mail": ("mailLink", "estimate.shared"),
    "GET /client/estimate": ("getClientEstimate", None),
    "GET /client/estimate/pdf": ("downloadClientPdf", None),
    "GET /client/estimate/logo": ("getClientLogo", None),
    "GET /client/estimate/pages/{pageNumber}": ("getClientPage", None),
    "POST /client/estimate/opened": ("reportOpening", "estimate.opened"),
    "POST /client/estimate/comments": ("addClientComment", "estimate.commented"),
    "GET /estimates/{estimateId}/comments": ("listComments", None),
    "POST /links/{linkId}/comments": ("answerComment", "estimate.commented"),
    "POST /client/estimate/accept": ("acceptEstimate", "estimate.accepted"),
    "POST /client/estimate/decline": ("declineEstimate", "estimate.declined"),
    "GET /estimates/{estimateId}/decisions": ("listDecisions", None),
    "POST /estimates/{estimateId}/decisions": ("recordDecision", "estimate.accepted"),
    "GET /decisions/{decisionId}/certificate": ("downloadCertificate", None),
    "POST /decisions/{decisionId}/void": ("voidDecision", "decision.voided"),
    "GET /workshops/{workshopId}/grids": ("listGrids", None),
    "POST /workshops/{workshopId}/grids": ("createGrid", "grid.created"),
    "PUT /workshops/{workshopId}/grids/order": ("reorderGrids", "workshop.updated"),
    "POST /grids/{gridId}/buttons": ("addGridButtons", "grid.updated"),
    "GET /grids/{gridId}": ("getGrid", None),
    "PATCH /grids/{gridId}": ("updateGrid", "grid.updated"),
    "DELETE /grids/{gridId}": ("deleteGrid", "grid.deleted"),
    "GET /catalog": ("getCatalog", None),
    "GET /catalog/emoji": ("listEmoji", None),
    "GET /catalog/keywords": ("listCatalogKeywords", None),
    "GET /catalog/intake": ("listIntakeWords", None),
    "GET /orders/{orderId}/photos": ("listPhotos", None),
    "POST /orders/{orderId}/photos": ("uploadPhoto", "photo.created"),
    "PUT /orders/{orderId}/photos/order": ("reorderPhotos", "photo.updated"),
    "GET /photos/{photoId}": ("getPhoto", None),
    "PATCH /photos/{photoId}": ("updatePhoto", "photo.updated"),
    "DELETE /photos/{photoId}": ("deletePhoto", "photo.deleted"),
    "GET /photos/{photoId}/image": ("downloadPhoto", None),
    "GET /photos/{photoId}/thumb": ("downloadThumbnail", None),
    "GET /client/order/photos/{photoId}": ("downloadClientPhoto", None),
    "GET /client/order/photos/{photoId}/thumb": ("downloadClientThumbnail", None),
    "POST /files": ("uploadFile", "file.created"),
    "GET /files/{fileId}": ("downloadFile", None),
    "DELETE /files/{fileId}": ("deleteFile", "file.deleted"),
    "GET /workshops/{workshopId}/files": ("listFiles", None),
}


def test_names_and_event_types_never_change() -> None:
    assert {operation_samples.line(operation): (operation.name, operation.event) for operation in OPERATIONS} == NAMES


def test_names_are_unique_and_camel_case() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    assert [name for name in names if not name.isalpha() or not name[0].islower()] == []


def endpoint(operation: Operation) -> Endpoint:
    """The endpoint that the router makes at start. The database is not used before a request."""
    nothing: object = None
    context = Context(db=nothing, authenticator=nothing, large_lists=ConcurrencyLimit(1))  # type: ignore[arg-type]
    return Endpoint(operation, context)


async def reads_something(db: Read, payments: object) -> None:
    """An action with an argument that nothing provides."""


async def changes_something(db: Write, order_id: str) -> None:
    """An action whose result names no workshop."""


async def creates_something(db: Database, order_id: str) -> Order:
    """An action that creates in its own transactions."""
    raise NotImplementedError


async def creates_below(db: Write, order_id: str) -> Order:
    """An action that creates below an object, so that a replay has to be authorized."""
    raise NotImplementedError


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (Operation("read", "GET", "/x", public, reads_something), "read: nothing provides payments"),
        (
            Operation("change", "PATCH", "/orders/{orderId}", session, changes_something, event="order.updated"),
            "change: event order.updated without a workshop and an object",
        ),
        (
            Operation(
                "create", "POST", "/orders/{orderId}", session, creates_something, Order, status=201, no_event="-"
            ),
            "create: what has an event, an Idempotency-Key or a `prepare` takes a Write",
        ),
        (
            Operation("create", "POST", "/orders/{orderId}", session, creates_below, Order, status=201, no_event="-"),
            "create: a replay needs the object of the path, or `replays`",
        ),
        (
            Operation("change", "PATCH", "/orders/{orderId}", session, changes_something),
            "change: a write has an event, or states why it has none",
        ),
    ],
)
def test_an_operation_that_contradicts_its_action_raises_at_start(operation: Operation, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        endpoint(operation)
