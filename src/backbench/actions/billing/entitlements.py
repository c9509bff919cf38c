"""Plan entitlements of a workshop: what its plan allows and how much of it is used."""

from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.billing.plans import (
    BrandMarkEntitlement,
    RevisionsEntitlement,
    StorageEntitlement,
    WorkshopBilling,
    WorkshopEntitlementsUsage,
)
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.engine.database import Read


async def get(db: Read, call: Call, workshop: StoredWorkshop, services: Services) -> WorkshopEntitlementsUsage:
    """Read the plan of a workshop, what it allows and how much is used. The payment provider is never called."""
    plan = workshop.plan_at(call.now, services.plan_rules)
    return WorkshopEntitlementsUsage(
        plan=plan.plan,
        plan_expires_at=plan.expires_at,
        brand_mark=BrandMarkEntitlement(plan.may_hide_brand_mark),
        file_storage=StorageEntitlement(workshop.storage_used_bytes, plan.storage_bytes),
        revisions=RevisionsEntitlement(plan.revisions_per_estimate),
        billing=WorkshopBilling(
            has_account=workshop.billing_customer_id is not None,
            plan_source=plan.source,
            cancel_at_period_end=plan.source == "subscription" and workshop.billing_cancel_at_period_end,
            checkout_availability=services.checkout,
        ),
    )
