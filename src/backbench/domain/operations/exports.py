"""Data export: everything stored about an account, in one response."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.accounts.accounts import AccountStatus
from backbench.domain.accounts.api_keys import ApiKey
from backbench.domain.accounts.feedback import AccountDataExportFeedback
from backbench.domain.billing.plans import WorkshopPlan, WorkshopPlanSource
from backbench.domain.estimating.estimates import EstimateRevision, LineItem
from backbench.domain.estimating.grids import Grid
from backbench.domain.values.enums import TitleFont, UserLocale
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import Email
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import Order
from backbench.domain.workshops.workshops import (
    Background,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopCustomBackground,
)


class AccountDataExportUser(Struct, frozen=True, rename="camel"):
    uid: str
    email: Email
    name: str
    status: AccountStatus
    email_verified_at: Instant | None
    terms_version: str | UnsetType = UNSET
    terms_accepted_at: Instant | UnsetType = UNSET
    last_login_at: Instant | UnsetType = UNSET
    locale: UserLocale | UnsetType = UNSET


class AccountDataExportAuthProvider(Struct, frozen=True, rename="camel"):
    provider: Literal["google"]
    subject: str
    linked_at: Instant


class ExportedWorkshopRecord(Struct, frozen=True, rename="camel"):
    """The stored record with the plan in effect. Ids of the payment provider are for owners."""

    id: str
    name: str
    tagline: str
    logo: str
    crafter_name: str
    crafter_avatar_seed: str
    background: Background
    title_font: TitleFont
    plan: WorkshopPlan
    plan_expires_at: Instant | None
    plan_source: WorkshopPlanSource | None
    is_default: bool
    created_at: Instant
    billing_cancel_at_period_end: bool
    context_synthesis_attempts: list[Instant]
    message_draft_attempts: list[Instant]
    custom_background: WorkshopCustomBackground | None = None
    accent_color: str | None = None
    context: WorkshopContext | UnsetType = UNSET
    context_derived: WorkshopContextDerived | UnsetType = UNSET
    billing_customer_id: str | UnsetType = UNSET
    billing_subscription_id: str | UnsetType | None = UNSET


class ExportedEstimate(Struct, frozen=True, rename="camel"):
    id: str
    workshop_id: str
    name: str
    markup_percent: Number
    discount_percent: Number
    created_at: Instant
    updated_at: Instant
    line_items: list[LineItem]
    revisions: list[EstimateRevision]
    recipient_name: str | UnsetType = UNSET


class ExportedWorkshop(Struct, frozen=True, rename="camel"):
    workshop: ExportedWorkshopRecord
    grids: list[Grid]
    estimates: list[ExportedEstimate]
    orders: list[Order]


class AccountDataExport(Struct, frozen=True, rename="camel"):
    user: AccountDataExportUser
    workshops: list[ExportedWorkshop]
    feedback: list[AccountDataExportFeedback]
    auth_providers: list[AccountDataExportAuthProvider]
    api_tokens: list[ApiKey]
