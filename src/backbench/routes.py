"""Routes: every operation of the API, a line each.

A line has the operation's public name (`operationId`), method, path, access, verb and response type. Routing, access,
audit entries, the OpenAPI document and the access tests are derived from this table. The annotation of the verb's
`db` decides its transaction: `Read`, `Write`, or `Database` where the verb makes its own.
"""

from functools import reduce
from operator import or_
from typing import get_args

from backbench.accounts import api_keys, deletion, feedback, google, passwords, sessions, sign_in, sign_up
from backbench.accounts.accounts import Credentials, MeProfile, SignedIn
from backbench.accounts.api_keys import API_KEY, ApiKeysList, ApiKeyWithSecret, CurrentApiKey
from backbench.accounts.feedback import AccountDataExportFeedback
from backbench.accounts.rate_limits import count_request
from backbench.accounts.sessions import SESSION, SessionsList
from backbench.billing import billing
from backbench.billing.plans import WorkshopEntitlementsUsage
from backbench.billing.subscriptions import CheckoutPage
from backbench.connections import boot, calendar_feeds, calendars, changes, events, push_subscriptions, tools, webhooks
from backbench.connections.boot import Boot
from backbench.connections.calendars import CalendarsList, CalendarWithSecret
from backbench.connections.changes import Changes
from backbench.connections.push import PushKey, PushSubscription, PushSubscriptionsList
from backbench.connections.push_subscriptions import PUSH_SUBSCRIPTION
from backbench.connections.tools import McpMessage, McpResponse
from backbench.connections.webhooks import (
    DELIVERY,
    WEBHOOK,
    DeliveriesList,
    Webhook,
    WebhookSecret,
    WebhooksList,
    WebhookWithSecret,
)
from backbench.customers import customer_links, customers, erasures, history, merges
from backbench.customers.customer_data import CustomerData
from backbench.customers.customers import CUSTOMER, CUSTOMER_RECORD, Customer, CustomersList
from backbench.customers.erasures import Erasure
from backbench.customers.history import CustomerHistory
from backbench.estimating import (
    catalog,
    document_facts,
    estimates,
    files,
    grids,
    handoffs,
    messages,
    pdf_exports,
    previews,
    revisions,
    summaries,
)
from backbench.estimating import deletion as estimating_deletion
from backbench.estimating.catalog import CatalogKeywords, PredefinedItemsCatalog
from backbench.estimating.document_facts import ESTIMATE_REF, DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import (
    ESTIMATE,
    Estimate,
    EstimateConfirmation,
    EstimateRevision,
    EstimateRevisionsList,
    EstimatesList,
    MostUsedLineItemsList,
)
from backbench.estimating.file_types import FileRecord, FilesList, NewFile
from backbench.estimating.files import FILE
from backbench.estimating.grids import GRID, Grid, GridsList
from backbench.estimating.handoffs import Handoff, HandoffsList
from backbench.estimating.messages import DraftedMessage
from backbench.estimating.pdf_exports import PdfExport, PdfExportsList
from backbench.estimating.revisions import CONFIRMABLE, RevisionTotals
from backbench.estimating.summaries import EstimateSummariesList
from backbench.exports import downloads
from backbench.exports.exports import AccountDataExport
from backbench.http.operations import Operation as Op
from backbench.http.operations import key, link, order_link, public, session
from backbench.imports import imports
from backbench.imports.imports import MAX_UPLOAD_BYTES as MAX_IMPORT_BYTES
from backbench.imports.imports import Import, ImportResult, ImportsList, NewImport, UndoneImport
from backbench.orders import (
    balances,
    intake_words,
    invoices,
    numbers,
    order_details,
    order_links,
    order_messages,
    order_notices,
    order_questions,
    order_signatures,
    order_summaries,
    orders,
    payment_codes,
    payments,
    photos,
    slips,
)
from backbench.orders.balances import Balance
from backbench.orders.client_orders import ClientOrder
from backbench.orders.intake_words import IntakeWords
from backbench.orders.invoices import INVOICE, Invoice, InvoicesList
from backbench.orders.numbers import AgreedList, WorkshopNumbers
from backbench.orders.order_details import ORDER_DETAILS, OrderDetails
from backbench.orders.order_links import ORDER_REF, StatusLink
from backbench.orders.order_messages import OrderMessage
from backbench.orders.order_notices import Notice, NoticesList
from backbench.orders.order_questions import OrderQuestion, OrderQuestionsList
from backbench.orders.order_signatures import OrderSignature
from backbench.orders.order_summaries import OrderCounts, OrderSummariesList
from backbench.orders.orders import ORDER, Order, OrderResponse, OrdersList
from backbench.orders.payment_codes import PaymentRequest
from backbench.orders.payments import PAYMENT, Payment, PaymentsList
from backbench.orders.photos import MAX_UPLOAD_BYTES, PHOTO, NewPhoto, Photo, PhotosList
from backbench.sharing import certificates, client_estimates, comments, decisions, shared_links
from backbench.sharing.client_estimates import ClientEstimate
from backbench.sharing.comments import Comment, CommentsList, EstimateComment
from backbench.sharing.decisions import DECISION, Decision, DecisionsList, count_acceptance
from backbench.sharing.link_access import count_comment, count_decision
from backbench.sharing.links import LINK, LINK_OR_REVOKED, AddressWithSecret, ChangedLink, LinksList, LinkWithSecret
from backbench.values.calls import Scope
from backbench.values.emoji import EmojiSet
from backbench.values.money import Totals
from backbench.workshops import audit, inbox, recipients, settings, synthesis, team, workshops
from backbench.workshops.audit import AuditTrail
from backbench.workshops.inbox import Inbox
from backbench.workshops.members import MEMBERSHIP, WorkshopMember
from backbench.workshops.recipients import RecipientsList
from backbench.workshops.team import INVITATION, AddedInvitation, InvitationAddress, InvitationPreview, InvitationsList
from backbench.workshops.workshops import (
    OWN_WORKSHOP,
    WORKSHOP,
    Workshop,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopsList,
)

PREFIX = "/api"
reads_orders = session | key("orders:read")
writes_orders = session | key("orders:write")
reads_estimates = session | key("estimates:read")
writes_estimates = session | key("estimates:write")
orders_from_estimates = session | key("estimates:read", "orders:write")
# What agents may write.
drafts_orders = writes_orders | key("drafts:write")
drafts_estimates = writes_estimates | key("drafts:write")
reads_customers = session | key("customers:read")
writes_customers = session | key("customers:write")
reads_payments = session | key("payments:read")
writes_payments = session | key("payments:write")
reads_invoices = session | key("invoices:read")
writes_invoices = session | key("invoices:write")
# An invoice shows its buyer.
drafts_invoices = writes_invoices | key("drafts:write", "invoices:read")
reads_files = session | key("files:read")
writes_files = session | key("files:write")
reads_settings = session | key("orders:read") | key("estimates:read")
reads_changes = (
    session
    | key("orders:read")
    | key("estimates:read")
    | key("customers:read")
    | key("payments:read")
    | key("invoices:read")
)
any_key = reduce(or_, map(key, get_args(Scope)))
# What joins areas needs the scopes of all of them.
reads_inbox = session | key("orders:read", "estimates:read")
reads_numbers = session | key("orders:read", "estimates:read", "payments:read")
reads_histories = session | key("customers:read", "orders:read", "estimates:read", "payments:read")
reads_persons = session | key("customers:read", "orders:read", "estimates:read", "payments:read", "invoices:read")
# Why a write has no event, and so gives no workshop a new version.
PROPOSAL = "a proposal changes nothing of the workshop"
ACCOUNT, NOTHING = "changes an account", "stores nothing of a workshop"
# Why a POST takes no Idempotency-Key.
SIGNED_OUT, DRAFT = "a repetition has no session", "a draft is stored nowhere"
PAGE = "the payment provider makes a page for each request"
# A table: one operation per line, however long.
# fmt: off
OPERATIONS: tuple[Op, ...] = (
    # Accounts and sessions
    Op("signIn", "POST", "/authenticate", public, sign_in.authenticate, SignedIn, takes=Credentials, log="session.created", errors=(401, 429), hides_validation_errors=True, no_event=ACCOUNT, cookies="set"),
    Op("signOut", "POST", "/logout", session, sign_in.logout, log="session.deleted", no_event=ACCOUNT, cookies="cleared", no_key=SIGNED_OUT),
    Op("signUp", "POST", "/accounts", public, sign_up.sign_up, status=202, limit=count_request, log="account.requested", errors=(403, 429), no_event=ACCOUNT),
    Op("verifyAccount", "POST", "/accounts/verify", public, sign_up.verify, SignedIn, prepare=sign_up.hash_new_password, log="session.created", no_event="the new workshop has an entry", cookies="set"),
    Op("resendVerification", "POST", "/accounts/verify/resend", public, sign_up.resend_verification, status=202, limit=count_request, errors=(429,), no_event=ACCOUNT),
    Op("requestPasswordReset", "POST", "/password-resets", public, sign_up.request_password_reset, status=202, limit=count_request, errors=(429,), no_event=ACCOUNT),
    Op("resetPassword", "POST", "/password-resets/confirm", public, passwords.reset, status=204, prepare=passwords.hash_reset, log="password.reset", no_event=ACCOUNT),
    Op("startGoogleSignIn", "GET", "/auth/google", public, google.begin, status=302, errors=(403, 404, 429)),
    Op("finishGoogleSignIn", "GET", "/auth/google/callback", public, google.callback, status=302, log="session.created", errors=(404,), cookies="set"),
    Op("changePassword", "PUT", "/me/password", session, passwords.change, status=204, prepare=passwords.hash_change, log="password.changed", errors=(400, 404, 429), no_event=ACCOUNT),
    Op("deleteAccount", "DELETE", "/me", session, sign_up.delete, status=204, prepare=deletion.verify_deletion, log="account.deleted", errors=(400, 404, 409, 429), no_event="each workshop that it leaves has an entry", is_long=True),
    Op("unlinkGoogle", "DELETE", "/me/sign-in-methods/google", session, google.unlink, status=204, log="google.unlinked", errors=(404, 409), no_event=ACCOUNT),
    Op("createFeedback", "POST", "/feedback", session, feedback.create, AccountDataExportFeedback, status=201, no_event=ACCOUNT, errors=(429,)),
    Op("boot", "GET", "/boot", session, boot.get, Boot, is_made_once=True, errors=(404,)),
    Op("getProfile", "GET", "/me", session, sign_up.get_profile, MeProfile, errors=(404,)),
    Op("updateProfile", "PATCH", "/me", session, sign_up.update_profile, MeProfile, errors=(404,), no_event="each workshop that shows it has an entry"),
    Op("exportAccount", "GET", "/me/data-export", session, downloads.data_export, AccountDataExport, errors=(404, 429), is_made_once=True),
    Op("downloadArchive", "GET", "/me/data-archive", session, downloads.data_archive, content_type="application/zip", is_made_once=True, errors=(404, 429)),
    Op("listSessions", "GET", "/me/sessions", session, sessions.list_all, SessionsList),
    Op("deleteSession", "DELETE", "/me/sessions/{sessionId}", session, sessions.delete, status=204, log="session.deleted", no_event=ACCOUNT, on=SESSION),
    Op("listApiKeys", "GET", "/me/api-keys", session, api_keys.list_all, ApiKeysList),
    Op("createApiKey", "POST", "/me/api-keys", session, api_keys.create, ApiKeyWithSecret, status=201, log="api_key.created", is_secret=True, no_event=ACCOUNT),
    Op("revokeApiKey", "DELETE", "/me/api-keys/{keyId}", session, api_keys.revoke, status=204, log="api_key.revoked", no_event=ACCOUNT, on=API_KEY),
    Op("getApiKey", "GET", "/key", key(), api_keys.get_current, CurrentApiKey),
    # Workshops
    Op("listWorkshops", "GET", "/workshops", session, workshops.list_all, WorkshopsList),
    Op("createWorkshop", "POST", "/workshops", session, workshops.create, Workshop, status=201, event="workshop.created", no_quota="the workshop is empty", replays=workshops.authorize_replay),
    Op("getWorkshop", "GET", "/workshops/{workshopId}", session, workshops.get, Workshop, on=WORKSHOP),
    Op("updateWorkshop", "PATCH", "/workshops/{workshopId}", session, workshops.update, Workshop, event="workshop.updated", on=WORKSHOP),
    Op("deleteWorkshop", "DELETE", "/workshops/{workshopId}", session, deletion.delete_workshop, status=204, errors=(409,), no_event="the log ends with the workshop", is_long=True, on=OWN_WORKSHOP),
    Op("replaceContext", "PUT", "/workshops/{workshopId}/context", session, workshops.replace_context, WorkshopContext, event="workshop.updated", on=WORKSHOP),
    Op("synthesizeContext", "POST", "/workshops/{workshopId}/context/synthesis", session, synthesis.synthesize, WorkshopContextDerived, prepare=synthesis.derive, event="workshop.updated", errors=(409, 429), on=WORKSHOP),
    Op("listInvitations", "GET", "/workshops/{workshopId}/invitations", session, team.list_invitations, InvitationsList, on=OWN_WORKSHOP),
    Op("createInvitation", "POST", "/workshops/{workshopId}/invitations", session, team.invite, AddedInvitation, status=201, event="invitation.created", errors=(429,), is_secret=True, on=OWN_WORKSHOP, locks=team.lock_members),
    Op("addInvitationAddress", "POST", "/invitations/{invitationId}/addresses", session, team.add_address, InvitationAddress, status=201, event="invitation.created", errors=(409,), is_secret=True, on=INVITATION, locks=team.lock_invitations),
    Op("deleteInvitation", "DELETE", "/invitations/{invitationId}", session, team.delete_invitation, status=204, event="invitation.deleted", on=INVITATION, locks=team.lock_invitations),
    Op("previewInvitation", "POST", "/invitations/preview", public, team.preview, InvitationPreview, no_event=NOTHING),
    Op("acceptInvitation", "POST", "/invitations/accept", session, team.accept, Workshop, event="member.joined", errors=(404,), replays=workshops.authorize_replay),
    Op("joinWorkshop", "POST", "/invitations/join", public, sign_up.join, SignedIn, prepare=sign_up.hash_password, log="session.created", errors=(403, 409), no_event="the workshop that it joins has an entry", cookies="set"),
    Op("updateMember", "PATCH", "/workshops/{workshopId}/members/{userId}", session, team.update_member, WorkshopMember, event="member.updated", errors=(409,), on=OWN_WORKSHOP, locks=team.lock_members),
    Op("deleteMember", "DELETE", "/workshops/{workshopId}/members/{userId}", session, team.remove_member, status=204, event="member.left", errors=(409,), is_long=True, on=WORKSHOP, locks=team.lock_members),
    Op("listAuditEntries", "GET", "/workshops/{workshopId}/audit", session, audit.list_all, AuditTrail, on=OWN_WORKSHOP),
    Op("listChanges", "GET", "/workshops/{workshopId}/changes", reads_changes, changes.list_since, Changes, on=WORKSHOP),
    Op("listCalendars", "GET", "/workshops/{workshopId}/calendars", session, calendars.list_all, CalendarsList, on=WORKSHOP),
    Op("createCalendar", "POST", "/workshops/{workshopId}/calendars", session, calendars.create, CalendarWithSecret, status=201, no_event=ACCOUNT, errors=(409,), is_secret=True, on=WORKSHOP),
    Op("deleteCalendar", "DELETE", "/calendars/{calendarId}", session, calendars.delete, status=204, no_event=ACCOUNT),
    Op("getCalendarFeed", "GET", "/calendar-feeds/{fileName}", public, calendar_feeds.feed, content_type="text/calendar", errors=(429,)),
    Op("listWebhooks", "GET", "/workshops/{workshopId}/webhooks", session, webhooks.list_all, WebhooksList, on=OWN_WORKSHOP),
    Op("createWebhook", "POST", "/workshops/{workshopId}/webhooks", session, webhooks.create, WebhookWithSecret, status=201, event="webhook.created", location="/webhooks/{webhook.id}", errors=(409,), is_secret=True, on=OWN_WORKSHOP),
    Op("getWebhook", "GET", "/webhooks/{webhookId}", session, webhooks.get, Webhook, on=WEBHOOK),
    Op("updateWebhook", "PATCH", "/webhooks/{webhookId}", session, webhooks.update, Webhook, event="webhook.updated", exceeds_quota="an owner must be able to stop it", on=WEBHOOK),
    Op("deleteWebhook", "DELETE", "/webhooks/{webhookId}", session, webhooks.delete, status=204, event="webhook.deleted", on=WEBHOOK),
    Op("rotateWebhookSecret", "POST", "/webhooks/{webhookId}/rotate", session, webhooks.rotate, WebhookSecret, event="webhook.rotated", exceeds_quota="an owner must be able to stop it", is_secret=True, on=WEBHOOK),
    Op("testWebhook", "POST", "/webhooks/{webhookId}/test", session, webhooks.test, status=202, errors=(409, 429), no_event=NOTHING, on=WEBHOOK),
    Op("listDeliveries", "GET", "/webhooks/{webhookId}/deliveries", session, webhooks.list_deliveries, DeliveriesList, on=WEBHOOK),
    Op("replayWebhook", "POST", "/webhooks/{webhookId}/replay", session, webhooks.replay, status=202, event="webhook.updated", exceeds_quota="an owner must hear of what was missed", on=WEBHOOK),
    Op("resendDelivery", "POST", "/deliveries/{deliveryId}/resend", session, webhooks.resend, status=202, errors=(409, 429), no_event=NOTHING, on=DELIVERY),
    Op("getPushKey", "GET", "/push/key", session, push_subscriptions.get_key, PushKey),
    Op("listPushSubscriptions", "GET", "/me/push-subscriptions", session, push_subscriptions.list_all, PushSubscriptionsList),
    Op("createPushSubscription", "POST", "/me/push-subscriptions", session, push_subscriptions.create, PushSubscription, status=201, no_event=ACCOUNT, errors=(409,)),
    Op("deletePushSubscription", "DELETE", "/me/push-subscriptions/{subscriptionId}", session, push_subscriptions.delete, status=204, no_event=ACCOUNT, on=PUSH_SUBSCRIPTION),
    Op("testPushSubscription", "POST", "/me/push-subscriptions/{subscriptionId}/test", session, push_subscriptions.test, status=202, no_event=ACCOUNT, on=PUSH_SUBSCRIPTION),
    Op("callTools", "POST", "/mcp", any_key, tools.call_tools, messages=(McpMessage, McpResponse), errors=(400, 404, 413, 415), no_event="each tool is an operation with its own", no_key="the protocol repeats no call"),
    Op("streamEvents", "GET", "/workshops/{workshopId}/events", reads_changes, events.stream, content_type="text/event-stream", is_made_once=True, errors=(429,), on=WORKSHOP),
    Op("getInbox", "GET", "/workshops/{workshopId}/inbox", reads_inbox, inbox.get, Inbox, on=WORKSHOP),
    Op("markInboxRead", "POST", "/workshops/{workshopId}/inbox/read", session, inbox.mark_read, status=204, prepare=inbox.list_items, no_event=ACCOUNT, on=WORKSHOP),
    Op("dismissInboxItem", "DELETE", "/workshops/{workshopId}/inbox/{itemId}", session, inbox.dismiss, status=204, prepare=inbox.list_items, event="inbox.dismissed", on=WORKSHOP),
    Op("getEntitlements", "GET", "/workshops/{workshopId}/entitlements", session, billing.get, WorkshopEntitlementsUsage, on=WORKSHOP),
    Op("getDocumentSettings", "GET", "/workshops/{workshopId}/document-settings", reads_settings, settings.get, DocumentSettings, on=WORKSHOP),
    Op("replaceDocumentSettings", "PUT", "/workshops/{workshopId}/document-settings", session, settings.replace, DocumentSettings, prepare=settings.draw_logo, slot="pdf", event="workshop.updated", is_long=True, on=WORKSHOP),
    # Plan and billing
    Op("startTrial", "POST", "/workshops/{workshopId}/billing/trial", session, billing.start_trial, WorkshopEntitlementsUsage, event="plan.changed", errors=(409,), no_quota="the plan may allow more afterwards", on=OWN_WORKSHOP),
    Op("createCheckout", "POST", "/workshops/{workshopId}/billing/checkout", session, billing.create_checkout, CheckoutPage, errors=(409,), no_event=NOTHING, on=OWN_WORKSHOP, no_key=PAGE),
    Op("createPortal", "POST", "/workshops/{workshopId}/billing/portal", session, billing.create_portal, CheckoutPage, errors=(409,), no_event=NOTHING, on=OWN_WORKSHOP, no_key=PAGE),
    Op("receiveStripeEvent", "POST", "/webhooks/stripe", public, billing.receive, status=204, prepare=billing.read_event, errors=(400, 413), no_event="each plan that it changes has an entry"),
    # Orders
    Op("listOrders", "GET", "/workshops/{workshopId}/orders", reads_orders, orders.list_all, OrdersList, hides_missing_workshop=True, on=MEMBERSHIP),
    Op("createOrder", "POST", "/workshops/{workshopId}/orders", drafts_orders, orders.create, Order, status=201, event="order.created", hides_missing_workshop=True, on=MEMBERSHIP),
    Op("getOrder", "GET", "/orders/{orderId}", reads_orders, orders.get, OrderResponse, on=ORDER),
    Op("updateOrder", "PATCH", "/orders/{orderId}", session, orders.update, Order, event="order.updated", on=ORDER),
    Op("deleteOrder", "DELETE", "/orders/{orderId}", session, orders.delete, status=204, event="order.deleted", on=ORDER, errors=(409,)),
    Op("moveOrder", "PATCH", "/orders/{orderId}/status", writes_orders, orders.move, Order, event="order.moved", on=ORDER, is_repeatable=True),
    Op("listOrderSummaries", "GET", "/workshops/{workshopId}/order-summaries", reads_orders, order_summaries.list_all, OrderSummariesList, on=WORKSHOP),
    Op("countOrders", "GET", "/workshops/{workshopId}/order-counts", reads_orders, order_summaries.count, OrderCounts, on=WORKSHOP),
    Op("getOrderDetails", "GET", "/orders/{orderId}/details", reads_orders, order_details.get, OrderDetails, on=ORDER_DETAILS),
    Op("updateOrderDetails", "PATCH", "/orders/{orderId}/details", drafts_orders, order_details.update, OrderDetails, event="order.details_updated", on=ORDER_DETAILS, locks=order_details.lock_named),
    Op("collectOrder", "POST", "/orders/{orderId}/collected", writes_orders, order_details.collect, OrderDetails, event="order.collected", errors=(409,), on=ORDER_DETAILS),
    Op("uncollectOrder", "DELETE", "/orders/{orderId}/collected", writes_orders, order_details.uncollect, OrderDetails, event="order.details_updated", compared_with="/orders/{orderId}/details", on=ORDER_DETAILS),
    Op("downloadSlip", "GET", "/orders/{orderId}/slip", reads_orders, slips.download, content_type="application/pdf", is_made_once=True, errors=(409,), on=ORDER_DETAILS),
    Op("getOrderSignature", "GET", "/orders/{orderId}/signature", reads_orders, order_signatures.get, OrderSignature, on=ORDER_REF),
    Op("signOrder", "PUT", "/orders/{orderId}/signature", writes_orders, order_signatures.sign, OrderSignature, event="order.details_updated", errors=(409,), on=ORDER_REF),
    Op("deleteOrderSignature", "DELETE", "/orders/{orderId}/signature", session, order_signatures.clear, OrderSignature, event="order.details_updated", on=ORDER_REF),
    # Invoices
    Op("listInvoices", "GET", "/orders/{orderId}/invoices", reads_invoices, invoices.list_all, InvoicesList, on=ORDER_REF),
    Op("createInvoice", "POST", "/orders/{orderId}/invoices", drafts_invoices, invoices.create, Invoice, status=201, event="invoice.created", errors=(409,), on=ORDER_REF),
    Op("getInvoice", "GET", "/invoices/{invoiceId}", reads_invoices, invoices.get, Invoice, on=INVOICE),
    Op("updateInvoice", "PATCH", "/invoices/{invoiceId}", writes_invoices, invoices.update, Invoice, event="invoice.updated", errors=(409,), on=INVOICE),
    Op("deleteInvoice", "DELETE", "/invoices/{invoiceId}", writes_invoices, invoices.delete, status=204, event="invoice.deleted", errors=(409,), on=INVOICE),
    Op("issueInvoice", "POST", "/invoices/{invoiceId}/issue", session, invoices.issue, Invoice, event="invoice.issued", errors=(409,), on=INVOICE, compared_with="/invoices/{invoiceId}"),
    Op("correctInvoice", "POST", "/invoices/{invoiceId}/corrections", session, invoices.correct, Invoice, status=201, event="invoice.created", errors=(409,), on=INVOICE),
    Op("downloadInvoice", "GET", "/invoices/{invoiceId}/pdf", reads_invoices, invoices.download, content_type="application/pdf", is_made_once=True, errors=(409,), on=INVOICE),
    Op("downloadInvoiceXml", "GET", "/invoices/{invoiceId}/xml", reads_invoices, invoices.download_xml, content_type="application/xml", is_made_once=True, errors=(409,), on=INVOICE),
    Op("listWorkshopInvoices", "GET", "/workshops/{workshopId}/invoices", reads_invoices, invoices.list_of_workshop, InvoicesList, on=WORKSHOP),
    Op("downloadInvoicesCsv", "GET", "/workshops/{workshopId}/invoices.csv", reads_invoices, downloads.invoices_csv, content_type="text/csv", is_made_once=True, on=WORKSHOP),
    # Payments and what is due
    Op("listPayments", "GET", "/orders/{orderId}/payments", reads_payments, payments.list_all, PaymentsList, on=ORDER_REF),
    Op("recordPayment", "POST", "/orders/{orderId}/payments", writes_payments, payments.record, Payment, status=201, event="payment.recorded", errors=(409,), on=ORDER_REF),
    Op("voidPayment", "POST", "/payments/{paymentId}/void", writes_payments, payments.void, Payment, event="payment.voided", no_quota="a wrong payment must not stand", errors=(409,), on=PAYMENT),
    Op("getBalance", "GET", "/orders/{orderId}/balance", reads_payments, balances.get, Balance, on=ORDER_REF),
    Op("replaceAgreedPrice", "PUT", "/orders/{orderId}/agreed", writes_payments, balances.agree, Balance, event="order.agreed", errors=(409,), compared_with="/orders/{orderId}/balance", on=ORDER_REF),
    Op("getPaymentRequest", "GET", "/orders/{orderId}/payment-request", reads_payments, payment_codes.get_request, PaymentRequest, on=ORDER_REF),
    Op("getPaymentCode", "GET", "/orders/{orderId}/payment-code", reads_payments, slips.payment_code, content_type="image/svg+xml", is_made_once=True, on=ORDER_REF),
    Op("getClientPaymentCode", "GET", "/client/order/payment-code", order_link, slips.payment_code_for_customer, content_type="image/svg+xml", is_made_once=True, errors=(404,)),
    Op("downloadReceipt", "GET", "/payments/{paymentId}/receipt", reads_payments, slips.receipt, content_type="application/pdf", is_made_once=True, errors=(409,), on=PAYMENT),
    Op("listWorkshopPayments", "GET", "/workshops/{workshopId}/payments", reads_payments, payments.list_of_workshop, PaymentsList, on=WORKSHOP),
    Op("getNumbers", "GET", "/workshops/{workshopId}/numbers", reads_numbers, numbers.get, WorkshopNumbers, on=WORKSHOP),
    Op("listAgreedPrices", "GET", "/workshops/{workshopId}/agreed", reads_numbers, numbers.list_agreed, AgreedList, on=WORKSHOP),
    Op("downloadOrdersCsv", "GET", "/workshops/{workshopId}/orders.csv", reads_orders, downloads.orders_csv, content_type="text/csv", is_made_once=True, on=WORKSHOP),
    Op("downloadPaymentsCsv", "GET", "/workshops/{workshopId}/payments.csv", reads_payments, downloads.payments_csv, content_type="text/csv", is_made_once=True, on=WORKSHOP),
    Op("downloadCustomersCsv", "GET", "/workshops/{workshopId}/customers.csv", reads_customers, downloads.customers_csv, content_type="text/csv", is_made_once=True, on=WORKSHOP),
    Op("downloadTilesCsv", "GET", "/workshops/{workshopId}/tiles.csv", reads_estimates, downloads.tiles_csv, content_type="text/csv", is_made_once=True, on=WORKSHOP),
    Op("downloadNumbersCsv", "GET", "/workshops/{workshopId}/numbers.csv", reads_numbers, downloads.numbers_csv, content_type="text/csv", is_made_once=True, on=WORKSHOP),
    # What the customer may see of an order
    Op("getStatusLink", "GET", "/orders/{orderId}/status-link", reads_orders, order_links.get, StatusLink, on=ORDER_REF),
    Op("downloadStatusCode", "GET", "/orders/{orderId}/status-code", reads_orders, slips.code, content_type="image/svg+xml", is_made_once=True, on=ORDER_REF),
    Op("renewStatusLink", "POST", "/orders/{orderId}/status-link/renew", session, order_links.renew, StatusLink, event="order.link_renewed", is_secret=True, on=ORDER_REF),
    Op("getClientOrder", "GET", "/client/order", order_link, client_estimates.order, ClientOrder),
    Op("askAboutOrder", "POST", "/client/order/questions", order_link, order_questions.ask, OrderQuestion, status=201, event="order.asked", errors=(409,)),
    Op("listOrderQuestions", "GET", "/orders/{orderId}/questions", reads_orders, order_questions.list_all, OrderQuestionsList, on=ORDER_REF),
    Op("answerOrderQuestion", "POST", "/orders/{orderId}/questions", writes_orders, order_questions.answer, OrderQuestion, status=201, event="order.answered", errors=(409,), on=ORDER_REF),
    Op("draftOrderMessage", "POST", "/orders/{orderId}/message-draft", writes_orders, order_messages.draft, OrderMessage, no_event=NOTHING, on=ORDER_DETAILS, no_key=DRAFT),
    Op("listNotices", "GET", "/orders/{orderId}/notices", reads_orders, order_notices.list_all, NoticesList, on=ORDER_REF),
    Op("createNotice", "POST", "/orders/{orderId}/notices", writes_orders, order_notices.create, Notice, status=201, event="order.notified", on=ORDER_REF),
    # Photos of an order
    Op("listPhotos", "GET", "/orders/{orderId}/photos", reads_orders, photos.list_all, PhotosList, on=ORDER),
    Op("uploadPhoto", "POST", "/orders/{orderId}/photos", writes_orders, photos.upload, Photo, status=201, prepare=photos.receive, slot="uploads", event="photo.created", on=ORDER, form=NewPhoto, max_file_bytes=MAX_UPLOAD_BYTES, errors=(409,)),
    Op("reorderPhotos", "PUT", "/orders/{orderId}/photos/order", writes_orders, photos.reorder, PhotosList, event="photo.updated", on=ORDER, compared_with="/orders/{orderId}/photos"),
    Op("getPhoto", "GET", "/photos/{photoId}", reads_orders, photos.get, Photo, on=PHOTO),
    Op("updatePhoto", "PATCH", "/photos/{photoId}", writes_orders, photos.update, Photo, event="photo.updated", on=PHOTO),
    Op("deletePhoto", "DELETE", "/photos/{photoId}", session, photos.delete, status=204, event="photo.deleted", on=PHOTO),
    Op("downloadPhoto", "GET", "/photos/{photoId}/image", reads_orders, photos.image, content_type="image/jpeg", on=PHOTO),
    Op("downloadThumbnail", "GET", "/photos/{photoId}/thumb", reads_orders, photos.thumb, content_type="image/jpeg", on=PHOTO),
    Op("downloadClientPhoto", "GET", "/client/order/photos/{photoId}", order_link, photos.client_image, content_type="image/jpeg"),
    Op("downloadClientThumbnail", "GET", "/client/order/photos/{photoId}/thumb", order_link, photos.client_thumb, content_type="image/jpeg"),
    # Customers
    Op("listCustomers", "GET", "/workshops/{workshopId}/customers", reads_customers, customers.list_all, CustomersList, on=WORKSHOP),
    Op("createCustomer", "POST", "/workshops/{workshopId}/customers", writes_customers, customers.create, Customer, status=201, event="customer.created", on=WORKSHOP),
    Op("getCustomer", "GET", "/customers/{customerId}", reads_customers, customers.get, Customer, on=CUSTOMER),
    Op("updateCustomer", "PATCH", "/customers/{customerId}", writes_customers, customers.update, Customer, event="customer.updated", on=CUSTOMER),
    Op("deleteCustomer", "DELETE", "/customers/{customerId}", writes_customers, customers.delete, status=204, event="customer.deleted", is_long=True, on=CUSTOMER, locks=customer_links.lock_links),
    Op("getCustomerHistory", "GET", "/customers/{customerId}/history", reads_histories, history.list_all, CustomerHistory, on=CUSTOMER),
    Op("mergeCustomers", "POST", "/customers/{customerId}/merge", writes_customers, merges.merge, Customer, event="customer.merged", is_long=True, on=CUSTOMER, locks=customer_links.lock_links),
    Op("unmergeCustomers", "POST", "/customers/{customerId}/unmerge", writes_customers, merges.unmerge, Customer, event="customer.updated", no_quota="a wrong merge must not stand", errors=(409,), is_long=True, on=CUSTOMER_RECORD, locks=customer_links.lock_links),
    Op("eraseCustomer", "POST", "/customers/{customerId}/erase", session, erasures.erase, Erasure, prepare=erasures.find_texts, slot="erasures", event="customer.erased", no_quota="a person may be erased at any time", is_long=True, on=CUSTOMER_RECORD, locks=customer_links.lock_links),
    Op("getCustomerData", "GET", "/customers/{customerId}/data", reads_persons, downloads.customer_data, CustomerData, is_made_once=True, on=CUSTOMER),
    # Imports
    Op("listImports", "GET", "/workshops/{workshopId}/imports", session, imports.list_all, ImportsList, on=WORKSHOP),
    Op("createImport", "POST", "/workshops/{workshopId}/imports", session, imports.create, Import, status=201, prepare=imports.receive, slot="uploads", form=NewImport, max_file_bytes=MAX_IMPORT_BYTES, errors=(409,), no_event=PROPOSAL, on=WORKSHOP),
    Op("getImport", "GET", "/imports/{importId}", session, imports.get, Import, on=imports.IMPORT),
    Op("updateImport", "PATCH", "/imports/{importId}", session, imports.update, Import, prepare=imports.check, slot="uploads", errors=(409,), no_event=PROPOSAL, on=imports.IMPORT),
    Op("runImport", "POST", "/imports/{importId}/run", session, imports.run, ImportResult, prepare=imports.convert, slot="uploads", event="import.run", errors=(409,), is_long=True, on=imports.IMPORT),
    Op("undoImport", "POST", "/imports/{importId}/undo", session, imports.undo, UndoneImport, event="import.undone", no_quota="it deletes", errors=(409,), is_long=True, on=imports.IMPORT),
    # Estimates
    Op("listEstimates", "GET", "/workshops/{workshopId}/estimates", reads_estimates, estimates.list_all, EstimatesList, on=WORKSHOP),
    Op("listEstimateSummaries", "GET", "/workshops/{workshopId}/estimate-summaries", reads_estimates, summaries.list_all, EstimateSummariesList, on=WORKSHOP),
    Op("listRecipients", "GET", "/workshops/{workshopId}/recipients", reads_estimates, recipients.list_latest, RecipientsList, on=WORKSHOP),
    Op("createEstimate", "POST", "/workshops/{workshopId}/estimates", drafts_estimates, estimates.create, Estimate, status=201, event="estimate.created", on=WORKSHOP),
    Op("getEstimate", "GET", "/estimates/{estimateId}", reads_estimates, estimates.get, Estimate, on=ESTIMATE),
    Op("updateEstimate", "PATCH", "/estimates/{estimateId}", drafts_estimates, estimates.update, Estimate, event="estimate.updated", on=ESTIMATE),
    Op("deleteEstimate", "DELETE", "/estimates/{estimateId}", writes_estimates, estimating_deletion.delete, status=204, event="estimate.deleted", errors=(409,), on=ESTIMATE_REF),
    Op("duplicateEstimate", "POST", "/estimates/{estimateId}/duplicate", writes_estimates, estimates.duplicate, Estimate, status=201, event="estimate.created", on=ESTIMATE),
    Op("createLineItem", "POST", "/estimates/{estimateId}/line-items", drafts_estimates, estimates.add_line, Estimate, status=201, event="estimate.updated", errors=(409,), on=ESTIMATE),
    Op("updateLineItem", "PATCH", "/estimates/{estimateId}/line-items/{lineId}", drafts_estimates, estimates.update_line, Estimate, event="estimate.updated", on=ESTIMATE),
    Op("deleteLineItem", "DELETE", "/estimates/{estimateId}/line-items/{lineId}", drafts_estimates, estimates.delete_line, Estimate, event="estimate.updated", on=ESTIMATE),
    Op("getEstimateTotals", "GET", "/estimates/{estimateId}/totals", reads_estimates, estimates.get_totals, Totals, on=ESTIMATE),
    Op("previewEstimate", "GET", "/estimates/{estimateId}/preview", reads_estimates, previews.preview, content_type="image/png", is_page_image=True, errors=(409,), on=ESTIMATE),
    Op("getEstimateDocument", "GET", "/estimates/{estimateId}/document", reads_estimates, document_facts.get, DocumentFacts, on=ESTIMATE_REF),
    Op("replaceEstimateDocument", "PUT", "/estimates/{estimateId}/document", writes_estimates, document_facts.replace, DocumentFacts, event="estimate.updated", on=ESTIMATE_REF),
    Op("createOrderFromEstimate", "POST", "/estimates/{estimateId}/orders", orders_from_estimates, order_details.create_order, Order, status=201, event="order.created", on=ESTIMATE),
    Op("listMostUsedLineItems", "GET", "/workshops/{workshopId}/line-items/most-used", reads_estimates, estimates.list_most_used, MostUsedLineItemsList, on=WORKSHOP),
    Op("confirmEstimate", "POST", "/estimates/{estimateId}/confirm", writes_estimates, revisions.confirm, EstimateConfirmation, status=201, event="estimate.confirmed", errors=(409,), location="/estimates/{estimateId}/revisions/{revision.revisionNumber}", compared_with="/estimates/{estimateId}", on=CONFIRMABLE),
    Op("listRevisions", "GET", "/estimates/{estimateId}/revisions", reads_estimates, revisions.list_all, EstimateRevisionsList, on=ESTIMATE_REF),
    Op("getRevision", "GET", "/estimates/{estimateId}/revisions/{revisionNumber}", reads_estimates, revisions.get, EstimateRevision, on=ESTIMATE_REF),
    Op("getRevisionTotals", "GET", "/estimates/{estimateId}/revisions/{revisionNumber}/totals", reads_estimates, revisions.get_totals, RevisionTotals, on=ESTIMATE_REF),
    Op("listHandoffs", "GET", "/estimates/{estimateId}/handoffs", reads_estimates, handoffs.list_all, HandoffsList, on=ESTIMATE_REF),
    Op("createHandoff", "POST", "/estimates/{estimateId}/handoffs", session, handoffs.create, Handoff, status=201, event="handoff.created", on=ESTIMATE_REF),
    Op("draftMessage", "POST", "/estimates/{estimateId}/message-draft", writes_estimates, messages.draft, DraftedMessage, errors=(429,), no_event=NOTHING, on=ESTIMATE, no_key=DRAFT),
    Op("listPdfExports", "GET", "/estimates/{estimateId}/pdf-exports", reads_estimates, pdf_exports.list_all, PdfExportsList, on=ESTIMATE_REF),
    Op("createPdfExport", "POST", "/estimates/{estimateId}/pdf-exports", writes_estimates, pdf_exports.create, PdfExport, status=201, prepare=pdf_exports.render, slot="pdf", event="pdf.created", errors=(409,), location="/estimates/{estimateId}/pdf-exports/{id}", on=ESTIMATE_REF),
    Op("downloadPdfExport", "GET", "/estimates/{estimateId}/pdf-exports/{pdfExportId}", reads_estimates, pdf_exports.download, content_type="application/pdf", on=ESTIMATE_REF),
    Op("getPdfExportPage", "GET", "/estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}", reads_estimates, previews.stored_page, content_type="image/png", is_page_image=True, errors=(409,), on=ESTIMATE_REF),
    Op("deletePdfExport", "DELETE", "/estimates/{estimateId}/pdf-exports/{pdfExportId}", writes_estimates, pdf_exports.delete, status=204, event="pdf.deleted", errors=(409,), on=ESTIMATE_REF),
    # Links and decisions of clients
    Op("listLinks", "GET", "/estimates/{estimateId}/links", reads_estimates, shared_links.list_all, LinksList, on=ESTIMATE_REF),
    Op("createLink", "POST", "/estimates/{estimateId}/links", writes_estimates, shared_links.create, LinkWithSecret, status=201, prepare=shared_links.prepare_create, slot="pdf", event="estimate.shared", errors=(409,), is_secret=True, on=ESTIMATE_REF),
    Op("updateLink", "PATCH", "/links/{linkId}", writes_estimates, shared_links.update, ChangedLink, prepare=shared_links.prepare_update, slot="pdf", event="estimate.shared", errors=(409,), on=LINK_OR_REVOKED),
    Op("addLinkAddress", "POST", "/links/{linkId}/addresses", writes_estimates, shared_links.add_address, AddressWithSecret, status=201, event="estimate.shared", errors=(409,), is_secret=True, on=LINK),
    Op("revokeLink", "DELETE", "/links/{linkId}", writes_estimates, shared_links.revoke, status=204, event="estimate.unshared", on=LINK),
    Op("mailLink", "POST", "/links/{linkId}/mail", writes_estimates, shared_links.mail, status=202, event="estimate.shared", errors=(409, 429), on=LINK),
    Op("getClientEstimate", "GET", "/client/estimate", link, client_estimates.get, ClientEstimate),
    Op("downloadClientPdf", "GET", "/client/estimate/pdf", link, client_estimates.download, content_type="application/pdf", errors=(404,)),
    Op("getClientLogo", "GET", "/client/estimate/logo", link, client_estimates.logo, content_type="image/png, image/jpeg, image/webp", errors=(404,)),
    Op("getClientPage", "GET", "/client/estimate/pages/{pageNumber}", link, client_estimates.page, content_type="image/png", is_page_image=True, errors=(409,)),
    Op("getDepositCode", "GET", "/client/estimate/payment-code", link, slips.deposit_code, content_type="image/svg+xml", is_made_once=True, errors=(404,)),
    Op("reportOpening", "POST", "/client/estimate/opened", link, client_estimates.opened, status=204, event="estimate.opened"),
    Op("addClientComment", "POST", "/client/estimate/comments", link, comments.add, Comment, status=201, limit=count_comment, event="estimate.commented", errors=(409,)),
    Op("listComments", "GET", "/estimates/{estimateId}/comments", reads_estimates, comments.list_all, CommentsList, on=ESTIMATE_REF),
    Op("answerComment", "POST", "/links/{linkId}/comments", writes_estimates, comments.answer, EstimateComment, status=201, event="estimate.commented", errors=(409,), on=LINK),
    Op("acceptEstimate", "POST", "/client/estimate/accept", link, decisions.accept, Decision, status=201, limit=count_acceptance, event="estimate.accepted", errors=(409,)),
    Op("declineEstimate", "POST", "/client/estimate/decline", link, decisions.decline, Decision, status=201, limit=count_decision, event="estimate.declined", errors=(409,)),
    Op("listDecisions", "GET", "/estimates/{estimateId}/decisions", reads_estimates, decisions.list_all, DecisionsList, on=ESTIMATE_REF),
    Op("recordDecision", "POST", "/estimates/{estimateId}/decisions", session, decisions.record, Decision, status=201, event="estimate.accepted", errors=(409,), on=ESTIMATE_REF),
    Op("downloadCertificate", "GET", "/decisions/{decisionId}/certificate", reads_estimates, certificates.download, content_type="application/pdf", is_made_once=True, errors=(409,), on=DECISION),
    Op("voidDecision", "POST", "/decisions/{decisionId}/void", session, decisions.void, Decision, event="decision.voided", no_quota="a wrong decision must not stand", errors=(409,), on=DECISION),
    # Grids and the catalog
    Op("listGrids", "GET", "/workshops/{workshopId}/grids", reads_estimates, grids.list_all, GridsList, on=WORKSHOP),
    Op("createGrid", "POST", "/workshops/{workshopId}/grids", writes_estimates, grids.create, Grid, status=201, event="grid.created", errors=(409,), on=WORKSHOP),
    Op("reorderGrids", "PUT", "/workshops/{workshopId}/grids/order", writes_estimates, grids.reorder, GridsList, event="workshop.updated", on=WORKSHOP),
    Op("addGridButtons", "POST", "/grids/{gridId}/buttons", writes_estimates, grids.add_buttons, Grid, event="grid.updated", errors=(409,), on=GRID),
    Op("getGrid", "GET", "/grids/{gridId}", reads_estimates, grids.get, Grid, on=GRID),
    Op("updateGrid", "PATCH", "/grids/{gridId}", writes_estimates, grids.update, Grid, event="grid.updated", on=GRID),
    Op("deleteGrid", "DELETE", "/grids/{gridId}", writes_estimates, grids.delete, status=204, event="grid.deleted", on=GRID),
    Op("getCatalog", "GET", "/catalog", reads_estimates, catalog.get, PredefinedItemsCatalog),
    Op("listEmoji", "GET", "/catalog/emoji", reads_estimates, catalog.list_emoji, EmojiSet),
    Op("listCatalogKeywords", "GET", "/catalog/keywords", reads_estimates, catalog.list_keywords, CatalogKeywords),
    Op("listIntakeWords", "GET", "/catalog/intake", reads_orders, intake_words.get, IntakeWords),
    # Files
    Op("uploadFile", "POST", "/files", writes_files, files.upload, FileRecord, status=201, prepare=files.receive, slot="uploads", event="file.created", replays=files.authorize_upload_replay, form=NewFile, errors=(404, 409), location="/files/{id}"),
    Op("downloadFile", "GET", "/files/{fileId}", reads_files, files.download, content_type="image/png, image/jpeg, image/webp, application/pdf", on=FILE),
    Op("deleteFile", "DELETE", "/files/{fileId}", writes_files, files.delete, status=204, event="file.deleted", errors=(409,), on=FILE, locks=files.lock_icons),
    Op("listFiles", "GET", "/workshops/{workshopId}/files", reads_files, files.list_all, FilesList, on=WORKSHOP),
)
# fmt: on
