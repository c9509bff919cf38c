"""Data export: everything stored about an account, in one response of constant memory."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from msgspec import UNSET, Struct, UnsetType

from backbench.accounts import accounts, api_keys, feedback
from backbench.accounts.accounts import Account, AccountDataExportAuthProvider, AccountStatus
from backbench.accounts.api_keys import ApiKey
from backbench.accounts.feedback import AccountDataExportFeedback
from backbench.billing.plans import PlanRules, WorkshopPlan, WorkshopPlanSource
from backbench.engine.database import Database, Read
from backbench.estimating import estimates, grids, revisions
from backbench.estimating.estimates import Estimate, EstimateRevision
from backbench.estimating.grids import Grid
from backbench.estimating.line_items import LineItem
from backbench.integrations.temporary_files import TemporaryContent
from backbench.orders import orders
from backbench.orders.orders import Order
from backbench.values.calls import Call
from backbench.values.enums import TitleFont, UserLocale
from backbench.values.numbers import Number, joined_elements, to_json
from backbench.values.pagination import UNPAGED
from backbench.values.scalars import Email
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.workshops import members, synthesis, workshops
from backbench.workshops.workshops import (
    Background,
    StoredWorkshop,
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


# Verbs


async def data_export(db: Database, call: Call, plan_rules: PlanRules) -> AsyncGenerator[bytes, None]:
    """The data of the account, from one snapshot of the database.

    The export is written to a temporary file first, so that a slow client does not occupy a database connection.
    """
    async with TemporaryContent() as content:
        async with db.snapshot() as read, aclosing(export_pieces(read, call, plan_rules)) as pieces:
            async for piece in pieces:
                await content.write(piece)
        async with aclosing(content.read()) as whole:
            async for piece in whole:
                yield piece


async def export_pieces(db: Read, call: Call, plan_rules: PlanRules) -> AsyncGenerator[bytes, None]:
    """The JSON of the export, piece by piece. Raises NotFound."""
    account = await accounts.find(db, call.uid)
    owned_and_joined = await workshops.list_stored(db, call.uid)
    yield b'{"user":' + to_json(_user(account)) + b',"workshops":['
    for index, workshop in enumerate(owned_and_joined):
        yield b"," if index else b""
        async for piece in _workshop(db, call, workshop, plan_rules):
            yield piece
    yield b'],"feedback":' + to_json(await feedback.list_all(db, call.uid))
    yield b',"authProviders":' + to_json(await accounts.list_identities(db, call.uid))
    yield b',"apiTokens":' + to_json(await api_keys.list_stored(db, call.uid))
    yield b"}"


async def _workshop(
    db: Read, call: Call, workshop: StoredWorkshop, plan_rules: PlanRules
) -> AsyncGenerator[bytes, None]:
    yield b'{"workshop":' + to_json(await _record(db, call, workshop, plan_rules))
    yield b',"grids":' + to_json(await grids.list_stored(db, workshop.id)) + b',"estimates":['
    is_first = True
    async for page in estimates.of_workshop(workshop.id).pieces(db, UNPAGED):
        for estimate in page:
            yield b"" if is_first else b","
            is_first = False
            async for piece in _estimate(db, estimate):
                yield piece
    yield b'],"orders":['
    async for piece in joined_elements(orders.pieces_as_json(db, workshop.id)):
        yield piece
    yield b"]}"


async def _estimate(db: Read, estimate: Estimate) -> AsyncGenerator[bytes, None]:
    """ExportedEstimate: the members of Estimate, and its revisions."""
    yield to_json(estimate)[:-1] + b',"revisions":['
    async for piece in joined_elements(revisions.of_estimate(estimate.id).pieces(db, UNPAGED)):
        yield piece
    yield b"]}"


async def _record(db: Read, call: Call, workshop: StoredWorkshop, plan_rules: PlanRules) -> ExportedWorkshopRecord:
    """The plan is the one in effect, as everywhere. Ids of the payment provider are for owners."""
    is_owner = await members.lookup_role(db, workshop.id, call.uid) == "owner"
    attempts = await synthesis.list_all(db, workshop.id)
    return made_of(
        ExportedWorkshopRecord,
        workshop.with_plan_at(call.now, plan_rules),
        context_synthesis_attempts=[attempt.at for attempt in attempts if attempt.kind == "context_synthesis"],
        message_draft_attempts=[attempt.at for attempt in attempts if attempt.kind == "message_draft"],
        billing_customer_id=(workshop.billing_customer_id if is_owner else None) or UNSET,
        billing_subscription_id=workshop.billing_subscription_id if is_owner else UNSET,
    )


def _user(account: Account) -> AccountDataExportUser:
    return made_of(AccountDataExportUser, account, uid=account.id, terms_version=account.terms_version or UNSET)
