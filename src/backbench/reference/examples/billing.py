"""Examples of plans and payments."""

from collections.abc import Mapping
from typing import Any

from backbench.billing.plans import (
    BrandMarkEntitlement,
    RevisionsEntitlement,
    StorageEntitlement,
    WorkshopBilling,
    WorkshopEntitlementsUsage,
)
from backbench.billing.subscriptions import CheckoutPage

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
RESPONSES: Mapping[str, Any] = {
    "getEntitlements": ENTITLEMENTS,
    "startTrial": ENTITLEMENTS,
    "createCheckout": CheckoutPage("https://checkout.stripe.com/c/pay/cs_test_a1b2c3"),
    "createPortal": CheckoutPage("https://billing.stripe.com/p/session/test_d4e5f6"),
}
