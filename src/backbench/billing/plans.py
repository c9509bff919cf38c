"""Plans: the limits and features of a workshop, and the expiry of `pro`."""

from typing import Literal

from msgspec import Struct

from backbench.values.times import Instant

WorkshopPlan = Literal["free", "pro"]
WorkshopPlanSource = Literal["grant", "trial", "subscription"]
CheckoutAvailability = Literal["available", "pro_purchase_disabled", "payments_not_configured"]
MIB = 1024 * 1024


class Plan(Struct, frozen=True):
    """A workshop's plan. `pro` with `expires_at` becomes `free` at that time."""

    plan: WorkshopPlan
    expires_at: Instant | None
    source: WorkshopPlanSource | None

    def at(self, now: Instant) -> "Plan":
        if self.plan == "pro" and self.expires_at is not None and self.expires_at <= now:
            return FREE
        return self

    @property
    def storage_bytes(self) -> int:
        return 5 * 1024 * MIB if self.plan == "pro" else 50 * MIB

    @property
    def revisions_per_estimate(self) -> int | None:
        """None is unlimited."""
        return None if self.plan == "pro" else 3

    @property
    def may_hide_brand_mark(self) -> bool:
        return self.plan == "pro"


FREE = Plan("free", None, None)
PRO = Plan("pro", None, None)
# The host put the workshop on free: unlike a workshop without a grant, it does not have the default plan.
GRANTED_FREE = Plan("free", None, "grant")


class PlanRules(Struct, frozen=True):
    """What the host sets: the plan of workshops without a grant, and limits that do not depend on the plan's price."""

    default: WorkshopPlan = "free"
    workshops_per_account: int = 20
    free_data_bytes: int = 200 * MIB
    pro_data_bytes: int = 2 * 1024 * MIB

    def in_effect(self, stored: Plan, now: Instant) -> Plan:
        """The plan at `now`. A plan that has expired leaves the workshop without a grant."""
        plan = stored.at(now)
        if plan.plan == "pro":
            return plan
        return PRO if self.default == "pro" and plan != GRANTED_FREE else FREE

    def data_bytes(self, plan: Plan) -> int:
        """How much data the plan allows."""
        return self.pro_data_bytes if plan.plan == "pro" else self.free_data_bytes

    @property
    def least_data_bytes(self) -> int:
        """Every plan allows at least as much."""
        return min(self.free_data_bytes, self.pro_data_bytes)


class BrandMarkEntitlement(Struct, frozen=True, rename="camel"):
    can_disable: bool


class StorageEntitlement(Struct, frozen=True, rename="camel"):
    used_bytes: int
    limit_bytes: int


class RevisionsEntitlement(Struct, frozen=True, rename="camel"):
    limit_per_estimate: int | None


class WorkshopBilling(Struct, frozen=True, rename="camel"):
    has_account: bool
    plan_source: WorkshopPlanSource | None
    cancel_at_period_end: bool
    checkout_availability: CheckoutAvailability


class WorkshopEntitlementsUsage(Struct, frozen=True, rename="camel"):
    plan: WorkshopPlan
    plan_expires_at: Instant | None
    brand_mark: BrandMarkEntitlement
    file_storage: StorageEntitlement
    revisions: RevisionsEntitlement
    billing: WorkshopBilling
