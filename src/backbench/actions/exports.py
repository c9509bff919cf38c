"""The full export of an account, streamed: memory stays the same however much there is."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from msgspec import UNSET

from backbench.domain.accounts import Account
from backbench.domain.audit import AuditEntry
from backbench.domain.estimates import Estimate
from backbench.domain.exports import AccountDataExportUser, ExportedEstimate, ExportedWorkshopRecord
from backbench.domain.numbers import to_json
from backbench.domain.orders import Order
from backbench.domain.sessions import Caller
from backbench.domain.workshops import StoredWorkshop
from backbench.storage import accounts, api_keys, audit, estimates, feedback, grids, identities, orders, workshops
from backbench.storage.database import Database, Read

_PAGE = 500


async def data_export(db: Database, caller: Caller) -> AsyncGenerator[bytes, None]:
    """AccountDataExport as JSON, piece by piece, of one moment. NotFound before the first piece, or not at all."""
    async with db.snapshot() as read:
        account = await accounts.find(read, caller.uid)
        yield b'{"user":' + to_json(_user(account)) + b',"workshops":['
        for index, workshop in enumerate(await workshops.all_of(read, caller.uid)):
            yield b"," if index else b""
            async for piece in _workshop(read, workshop):
                yield piece
        yield b'],"feedback":' + to_json(await feedback.all_of(read, caller.uid))
        yield b',"authProviders":' + to_json(await identities.all_of(read, caller.uid))
        yield b',"apiTokens":' + to_json(await api_keys.all_of(read, caller.uid)) + b',"audit":['
        is_first = True
        async for entries in _trails(read, caller):
            yield _continued(entries, is_first)
            is_first = False
        yield b"]}"


async def _trails(db: Read, caller: Caller) -> AsyncGenerator[list[AuditEntry], None]:
    """The audit trails of the workshops that the account owns, page by page."""
    for workshop in await workshops.all_of(db, caller.uid):
        if await workshops.role_of(db, workshop.id, caller.uid) != "owner":
            continue
        cursor: str | None = None
        while page := await audit.page(db, workshop.id, cursor, _PAGE):
            yield page
            cursor = audit.cursor_of(page[-1])


async def _workshop(db: Read, workshop: StoredWorkshop) -> AsyncGenerator[bytes, None]:
    yield b'{"workshop":' + to_json(await _record(db, workshop))
    yield b',"grids":' + to_json(await grids.all_of(db, workshop.id)) + b',"estimates":['
    last_estimate: Estimate | None = None
    while page := await estimates.page_for_export(db, workshop.id, last_estimate, _PAGE):
        exported = [await _estimate(db, estimate) for estimate in page]
        yield _continued(exported, last_estimate is None)
        last_estimate = page[-1]
    yield b'],"orders":['
    last_order: Order | None = None
    while order_page := await orders.page_for_export(db, workshop.id, last_order, _PAGE):
        yield _continued(order_page, last_order is None)
        last_order = order_page[-1]
    yield b"]}"


def _continued(page: Sequence[Any], is_first: bool) -> bytes:
    """The page as the members of a JSON array that goes on."""
    return (b"" if is_first else b",") + to_json(page)[1:-1]


async def _record(db: Read, workshop: StoredWorkshop) -> ExportedWorkshopRecord:
    attempts = await workshops.ai_attempts(db, workshop.id)
    return ExportedWorkshopRecord(
        id=workshop.id,
        name=workshop.name,
        tagline=workshop.tagline,
        logo=workshop.logo,
        crafter_name=workshop.crafter_name,
        crafter_avatar_seed=workshop.crafter_avatar_seed,
        background=workshop.background,
        title_font=workshop.title_font,
        plan=workshop.plan,
        plan_expires_at=workshop.plan_expires_at,
        plan_source=workshop.plan_source,
        is_default=workshop.is_default,
        created_at=workshop.created_at,
        billing_cancel_at_period_end=workshop.billing_cancel_at_period_end,
        context_synthesis_attempts=[attempt.at for attempt in attempts if attempt.kind == "context_synthesis"],
        message_draft_attempts=[attempt.at for attempt in attempts if attempt.kind == "message_draft"],
        custom_background=workshop.custom_background,
        accent_color=workshop.accent_color,
        context=workshop.context,
        context_derived=workshop.context_derived or UNSET,
        billing_customer_id=workshop.billing_customer_id or UNSET,
        billing_subscription_id=workshop.billing_subscription_id,
    )


async def _estimate(db: Read, estimate: Estimate) -> ExportedEstimate:
    return ExportedEstimate(
        id=estimate.id,
        workshop_id=estimate.workshop_id,
        name=estimate.name,
        markup_percent=estimate.markup_percent,
        discount_percent=estimate.discount_percent,
        created_at=estimate.created_at,
        updated_at=estimate.updated_at,
        line_items=estimate.line_items,
        revisions=await estimates.revisions(db, estimate.id),
        recipient_name=estimate.recipient_name,
    )


def _user(account: Account) -> AccountDataExportUser:
    return AccountDataExportUser(
        uid=account.id,
        email=account.email,
        name=account.name,
        status=account.status,
        email_verified_at=account.email_verified_at,
        terms_version=account.terms_version or UNSET,
        terms_accepted_at=account.terms_accepted_at or UNSET,
        last_login_at=account.last_login_at or UNSET,
        locale=account.locale,
    )
