"""The whole space of URLs on one page: a line an operation.

Routing, access, the OpenAPI document and the access tests are derived from this table.
"""

from backbench.actions import (
    audit,
    catalog,
    document_settings,
    estimates,
    exports,
    grids,
    orders,
    profile,
    workshops,
)
from backbench.api import sign_in
from backbench.api.operations import Operation as Op
from backbench.api.operations import key, public, session
from backbench.domain.accounts import Credentials, MeProfile, SignedIn
from backbench.domain.api_keys import ApiKeysList, IssuedApiKey
from backbench.domain.audit import AuditTrail
from backbench.domain.catalog import EmojiSet, PredefinedItemsCatalog
from backbench.domain.document_settings import DocumentSettings
from backbench.domain.estimates import (
    Estimate,
    EstimateConfirmation,
    EstimateRevision,
    EstimateRevisionsList,
    EstimatesList,
    MostUsedLineItemsList,
)
from backbench.domain.exports import AccountDataExport
from backbench.domain.grids import Grid, GridsList
from backbench.domain.handoffs import Handoff, HandoffsList
from backbench.domain.money import Totals
from backbench.domain.orders import Order, OrderShown, OrdersList
from backbench.domain.plans import WorkshopEntitlementsUsage
from backbench.domain.sessions import SessionsList
from backbench.domain.workshops import Workshop, WorkshopContext, WorkshopsList

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
        hides_faults=True,
    ),
    Op("POST", "/logout", session, sign_in.logout),
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
    Op("DELETE", "/workshops/{workshopId}", session, workshops.remove, status=204, refuses=(409,)),
    Op("PUT", "/workshops/{workshopId}/context", session, workshops.write_context, WorkshopContext),
    Op("GET", "/workshops/{workshopId}/audit", session, audit.show_all, AuditTrail),
    Op(
        "GET",
        "/workshops/{workshopId}/entitlements",
        session,
        workshops.entitlements,
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
    # Orders
    Op("GET", "/workshops/{workshopId}/orders", reads, orders.show_all, OrdersList, hides_absence=True),
    Op("POST", "/workshops/{workshopId}/orders", writes, orders.create, Order, status=201, hides_absence=True),
    Op("GET", "/orders/{orderId}", reads, orders.show, OrderShown),
    Op("PATCH", "/orders/{orderId}", session, orders.edit, Order),
    Op("DELETE", "/orders/{orderId}", session, orders.remove, status=204),
    Op("PATCH", "/orders/{orderId}/status", writes, orders.change_status, Order),
    # Estimates
    Op("GET", "/workshops/{workshopId}/estimates", session, estimates.show_all, EstimatesList),
    Op("POST", "/workshops/{workshopId}/estimates", session, estimates.create, Estimate, status=201),
    Op("GET", "/estimates/{estimateId}", session, estimates.show, Estimate),
    Op("PATCH", "/estimates/{estimateId}", session, estimates.edit, Estimate),
    Op("DELETE", "/estimates/{estimateId}", session, estimates.remove, status=204),
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
    Op("DELETE", "/grids/{gridId}", session, grids.remove, status=204),
    Op("GET", "/catalog", session, catalog.show, PredefinedItemsCatalog),
    Op("GET", "/catalog/emoji", session, catalog.show_emoji, EmojiSet),
)
