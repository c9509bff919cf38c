"""Plan entitlements of a workshop: what its plan allows and how much of it is used."""

from backbench.actions.authorization import member_of
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import (
    BrandMarkEntitlement,
    CheckoutAvailability,
    PlanRules,
    RevisionsEntitlement,
    StorageEntitlement,
    WorkshopBilling,
    WorkshopEntitlementsUsage,
)
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read


async def get(
    db: Read,
    caller: Caller,
    workshop_id: str,
    now: Instant,
    checkout: CheckoutAvailability,
    plan_rules: PlanRules,
) -> WorkshopEntitlementsUsage:
    """Read the plan of a workshop, what it allows and how much is used. The payment provider is never called."""
    workshop = await member_of(db, caller, workshop_id)
    plan = workshop.plan_at(now, plan_rules)
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
            checkout_availability=checkout,
        ),
    )
