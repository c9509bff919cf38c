"""The whole space of URLs on one page: a line an operation.

Routing, access, the OpenAPI document and the access tests are derived from this table.
"""

from backbench.actions.accounts import passwords, profile
from backbench.actions.accounts.google import unlink
from backbench.actions.billing import billing, entitlements
from backbench.actions.estimating import catalog, document_settings, estimates, files, grids, messages, pdf_exports
from backbench.actions.operations import exports
from backbench.actions.workshops import audit, invitations, members, orders, synthesis, workshops
from backbench.api import accounts, google, sign_in, webhooks
from backbench.api import files as stored_files
from backbench.api import pdf_exports as stored_papers
from backbench.domain.accounts.accounts import Credentials, MeProfile, SignedIn
from backbench.domain.accounts.api_keys import ApiKeysList, IssuedApiKey
from backbench.domain.accounts.feedback import AccountDataExportFeedback
from backbench.domain.accounts.sessions import SessionsList
from backbench.domain.billing.billing import CheckoutPage
from backbench.domain.billing.plans import WorkshopEntitlementsUsage
from backbench.domain.documents.pdf_exports import PdfExport, PdfExportsList
from backbench.domain.estimating.catalog import PredefinedItemsCatalog
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import (
    Estimate,
    EstimateConfirmation,
    EstimateRevision,
    EstimateRevisionsList,
    EstimatesList,
    MostUsedLineItemsList,
)
from backbench.domain.estimating.files import FileRecord, FilesList, NewFile
from backbench.domain.estimating.grids import Grid, GridsList
from backbench.domain.estimating.handoffs import Handoff, HandoffsList
from backbench.domain.estimating.message_drafts import DraftedMessage
from backbench.domain.operations.exports import AccountDataExport
from backbench.domain.values.emoji import EmojiSet
from backbench.domain.values.money import Totals
from backbench.domain.workshops.audit import AuditTrail
from backbench.domain.workshops.invitations import Invitation, InvitationsList
from backbench.domain.workshops.orders import Order, OrderResponse, OrdersList
from backbench.domain.workshops.workshops import (
    Workshop,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopMember,
    WorkshopsList,
)
from backbench.http.operations import Operation as Op
from backbench.http.operations import key, public, session

PREFIX = "/api"

reads = session | key("orders:read")
writes = session | key("orders:write")

OPERATIONS: tuple[Op, ...] = (
    # Accounts and sessions
    Op(
        "POST",
        "/authenticate",
        public,
        sign_in.authenticate,
        SignedIn,
        takes=Credentials,
        refuses=(401, 429),
        hides_validation_errors=True,
    ),
    Op("POST", "/logout", session, sign_in.logout),
    Op("POST", "/accounts", public, accounts.sign_up, status=202, refuses=(403, 429)),
    Op("POST", "/accounts/verify", public, accounts.verify, SignedIn),
    Op("POST", "/accounts/verify/resend", public, accounts.resend_verification, status=202, refuses=(429,)),
    Op("POST", "/password-resets", public, accounts.request_password_reset, status=202, refuses=(429,)),
    Op("POST", "/password-resets/confirm", public, passwords.reset, status=204),
    Op("GET", "/auth/google", public, google.begin, status=302, refuses=(403, 404, 429)),
    Op("GET", "/auth/google/callback", public, google.callback, status=302, refuses=(404,)),
    Op("PUT", "/me/password", session, passwords.change, status=204, refuses=(400, 404, 429)),
    Op("DELETE", "/me", session, accounts.delete, status=204, refuses=(400, 404, 409, 429)),
    Op("DELETE", "/me/sign-in-methods/google", session, unlink, status=204, refuses=(404, 409)),
    Op("POST", "/feedback", session, accounts.send_feedback, AccountDataExportFeedback, status=201),
    Op("GET", "/me", session, profile.show, MeProfile, refuses=(404,)),
    Op("PATCH", "/me", session, profile.edit, MeProfile, refuses=(404,)),
    Op("GET", "/me/data-export", session, exports.data_export, AccountDataExport, refuses=(404,)),
    Op("GET", "/me/sessions", session, profile.show_sessions, SessionsList),
    Op("DELETE", "/me/sessions/{sessionId}", session, profile.end_session, status=204),
    Op("GET", "/me/api-keys", session, profile.show_keys, ApiKeysList),
    Op("POST", "/me/api-keys", session, profile.issue_key, IssuedApiKey, status=201, is_secret=True),
    Op("DELETE", "/me/api-keys/{keyId}", session, profile.revoke_key, status=204),
    # Workshops
    Op("GET", "/workshops", session, workshops.show_all, WorkshopsList),
    Op("POST", "/workshops", session, workshops.create, Workshop, status=201),
    Op("GET", "/workshops/{workshopId}", session, workshops.show, Workshop),
    Op("PATCH", "/workshops/{workshopId}", session, workshops.edit, Workshop),
    Op("DELETE", "/workshops/{workshopId}", session, workshops.delete, status=204, refuses=(409,)),
    Op("PUT", "/workshops/{workshopId}/context", session, workshops.write_context, WorkshopContext),
    Op(
        "POST",
        "/workshops/{workshopId}/context/synthesis",
        session,
        synthesis.synthesize,
        WorkshopContextDerived,
        refuses=(409, 429),
    ),
    Op("GET", "/workshops/{workshopId}/invitations", session, invitations.show_all, InvitationsList),
    Op(
        "POST",
        "/workshops/{workshopId}/invitations",
        session,
        invitations.invite,
        Invitation,
        status=201,
        refuses=(429,),
    ),
    Op("DELETE", "/invitations/{invitationId}", session, invitations.withdraw, status=204),
    Op("POST", "/invitations/accept", session, invitations.accept, Workshop, refuses=(404,)),
    Op(
        "PATCH",
        "/workshops/{workshopId}/members/{userId}",
        session,
        members.edit,
        WorkshopMember,
        refuses=(409,),
    ),
    Op("DELETE", "/workshops/{workshopId}/members/{userId}", session, members.delete, status=204, refuses=(409,)),
    Op("GET", "/workshops/{workshopId}/audit", session, audit.show_all, AuditTrail),
    Op(
        "GET",
        "/workshops/{workshopId}/entitlements",
        session,
        entitlements.entitlements,
        WorkshopEntitlementsUsage,
    ),
    Op(
        "GET",
        "/workshops/{workshopId}/document-settings",
        session,
        document_settings.show,
        DocumentSettings,
    ),
    Op(
        "PUT",
        "/workshops/{workshopId}/document-settings",
        session,
        document_settings.write,
        DocumentSettings,
    ),
    # Plan and billing
    Op(
        "POST",
        "/workshops/{workshopId}/billing/trial",
        session,
        billing.start_trial,
        WorkshopEntitlementsUsage,
        refuses=(409,),
    ),
    Op(
        "POST", "/workshops/{workshopId}/billing/checkout", session, billing.open_checkout, CheckoutPage, refuses=(409,)
    ),
    Op("POST", "/workshops/{workshopId}/billing/portal", session, billing.open_portal, CheckoutPage, refuses=(409,)),
    Op("POST", "/webhooks/stripe", public, webhooks.stripe, status=204, refuses=(400, 413)),
    # Orders
    Op("GET", "/workshops/{workshopId}/orders", reads, orders.show_all, OrdersList, hides_missing_workshop=True),
    Op("POST", "/workshops/{workshopId}/orders", writes, orders.create, Order, status=201, hides_missing_workshop=True),
    Op("GET", "/orders/{orderId}", reads, orders.show, OrderResponse),
    Op("PATCH", "/orders/{orderId}", session, orders.edit, Order),
    Op("DELETE", "/orders/{orderId}", session, orders.delete, status=204),
    Op("PATCH", "/orders/{orderId}/status", writes, orders.change_status, Order),
    # Estimates
    Op("GET", "/workshops/{workshopId}/estimates", session, estimates.show_all, EstimatesList),
    Op("POST", "/workshops/{workshopId}/estimates", session, estimates.create, Estimate, status=201),
    Op("GET", "/estimates/{estimateId}", session, estimates.show, Estimate),
    Op("PATCH", "/estimates/{estimateId}", session, estimates.edit, Estimate),
    Op("DELETE", "/estimates/{estimateId}", session, estimates.delete, status=204),
    Op("POST", "/estimates/{estimateId}/duplicate", session, estimates.duplicate, Estimate, status=201),
    Op("GET", "/estimates/{estimateId}/totals", session, estimates.totals, Totals),
    Op("POST", "/estimates/{estimateId}/orders", session, estimates.start_work, Order, status=201),
    Op(
        "GET",
        "/workshops/{workshopId}/line-items/most-used",
        session,
        estimates.most_used,
        MostUsedLineItemsList,
    ),
    Op(
        "POST",
        "/estimates/{estimateId}/confirm",
        session,
        estimates.confirm,
        EstimateConfirmation,
        status=201,
        refuses=(409,),
    ),
    Op(
        "GET",
        "/estimates/{estimateId}/revisions",
        session,
        estimates.show_revisions,
        EstimateRevisionsList,
    ),
    Op(
        "GET",
        "/estimates/{estimateId}/revisions/{revisionNumber}",
        session,
        estimates.show_revision,
        EstimateRevision,
    ),
    Op("GET", "/estimates/{estimateId}/handoffs", session, estimates.show_handoffs, HandoffsList),
    Op("POST", "/estimates/{estimateId}/handoffs", session, estimates.hand_off, Handoff, status=201),
    Op("POST", "/estimates/{estimateId}/message-draft", session, messages.draft, DraftedMessage, refuses=(429,)),
    Op("GET", "/estimates/{estimateId}/pdf-exports", session, pdf_exports.show_all, PdfExportsList),
    Op(
        "POST",
        "/estimates/{estimateId}/pdf-exports",
        session,
        stored_papers.create,
        PdfExport,
        status=201,
        refuses=(409,),
    ),
    Op(
        "GET",
        "/estimates/{estimateId}/pdf-exports/{pdfExportId}",
        session,
        stored_papers.download,
        content_type="application/pdf",
    ),
    Op("DELETE", "/estimates/{estimateId}/pdf-exports/{pdfExportId}", session, pdf_exports.delete, status=204),
    # Grids and the catalog
    Op("GET", "/workshops/{workshopId}/grids", session, grids.show_all, GridsList),
    Op(
        "POST",
        "/workshops/{workshopId}/grids",
        session,
        grids.create,
        Grid,
        status=201,
        refuses=(409,),
    ),
    Op("GET", "/grids/{gridId}", session, grids.show, Grid),
    Op("PATCH", "/grids/{gridId}", session, grids.edit, Grid),
    Op("DELETE", "/grids/{gridId}", session, grids.delete, status=204),
    Op("GET", "/catalog", session, catalog.show, PredefinedItemsCatalog),
    Op("GET", "/catalog/emoji", session, catalog.show_emoji, EmojiSet),
    # Files
    Op(
        "POST",
        "/files",
        session,
        stored_files.upload,
        FileRecord,
        status=201,
        form=NewFile,
        refuses=(404, 409),
    ),
    Op(
        "GET",
        "/files/{fileId}",
        session,
        stored_files.download,
        content_type="*/*",
    ),
    Op("DELETE", "/files/{fileId}", session, files.delete, status=204, refuses=(409,)),
    Op("GET", "/workshops/{workshopId}/files", session, files.show_all, FilesList),
)
