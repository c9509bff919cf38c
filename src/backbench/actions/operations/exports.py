"""Data export of an account, streamed in constant memory."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from tempfile import TemporaryFile
from typing import IO, Any

from msgspec import UNSET

from backbench.domain.accounts.accounts import Account
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.estimates import Estimate
from backbench.domain.operations.exports import AccountDataExportUser, ExportedWorkshopRecord
from backbench.domain.values.errors import Unavailable
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import PageQuery
from backbench.domain.workshops.audit import AuditEntry
from backbench.domain.workshops.orders import Order
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.accounts import accounts, api_keys, feedback, identities
from backbench.storage.engine.database import Database, Read
from backbench.storage.estimating import estimates, grids
from backbench.storage.workshops import ai_attempts, audit, members, orders, workshops

# Rows read at once. An order with its notes is small; an estimate or a revision may have 500 lines.
_PAGE = 200
_LARGE_PAGE = 10
_PIECE = 256 * 1024
# Above every revision number.
_BEYOND = 2**31


async def data_export(db: Database, caller: Caller) -> AsyncGenerator[bytes, None]:
    """Export the data of the signed-in account, from one snapshot of the database.

    The export is written to a temporary file first, so that a slow client does not occupy a database connection.
    """
    with TemporaryFile() as file:
        async with db.snapshot() as read:
            async for piece in _everything(read, caller):
                _append(file, piece)
                # Lets other requests run in between.
                await asyncio.sleep(0)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _append(file: IO[bytes], piece: bytes) -> None:
    try:
        file.write(piece)
    except OSError as error:
        raise Unavailable(
            "unavailable", "The disk has no space for the temporary file of the export", wait=60
        ) from error


async def _everything(db: Read, caller: Caller) -> AsyncGenerator[bytes, None]:
    account = await accounts.find(db, caller.uid)
    yield b'{"user":' + to_json(_user(account)) + b',"workshops":['
    for index, workshop in enumerate(await workshops.list_all(db, caller.uid)):
        yield b"," if index else b""
        async for piece in _workshop(db, workshop):
            yield piece
    yield b'],"feedback":' + to_json(await feedback.list_all(db, caller.uid))
    yield b',"authProviders":' + to_json(await identities.list_all(db, caller.uid))
    yield b',"apiTokens":' + to_json(await api_keys.list_all(db, caller.uid)) + b',"audit":['
    is_first = True
    async for entries in _audit_entries(db, caller):
        yield _continued(entries, is_first)
        is_first = False
    yield b"]}"


async def _audit_entries(db: Read, caller: Caller) -> AsyncGenerator[list[AuditEntry], None]:
    """The audit entries of the workshops that the account owns, page by page."""
    for workshop in await workshops.list_all(db, caller.uid):
        if await members.lookup_role(db, workshop.id, caller.uid) != "owner":
            continue
        query: PageQuery | None = PageQuery(_PAGE)
        while query is not None:
            entries, next_cursor = await audit.list_page(db, workshop.id, query)
            if entries:
                yield entries
            query = None if next_cursor is None else PageQuery(_PAGE, next_cursor)


async def _workshop(db: Read, workshop: StoredWorkshop) -> AsyncGenerator[bytes, None]:
    yield b'{"workshop":' + to_json(await _record(db, workshop))
    yield b',"grids":' + to_json(await grids.list_all(db, workshop.id)) + b',"estimates":['
    last: Estimate | None = None
    while page := await estimates.list_after(db, workshop.id, last, _LARGE_PAGE):
        for estimate in page:
            yield b"," if last else b""
            async for piece in _estimate(db, estimate):
                yield piece
            last = estimate
    yield b'],"orders":['
    last_order: Order | None = None
    while order_page := await orders.list_after(db, workshop.id, last_order, _PAGE):
        yield _continued(order_page, last_order is None)
        last_order = order_page[-1]
    yield b"]}"


async def _estimate(db: Read, estimate: Estimate) -> AsyncGenerator[bytes, None]:
    """ExportedEstimate: the members of Estimate, and its revisions."""
    yield to_json(estimate)[:-1] + b',"revisions":['
    before, is_first = _BEYOND, True
    while page := await estimates.list_revisions_before(db, estimate.id, before, _LARGE_PAGE):
        yield _continued(page, is_first)
        before, is_first = page[-1].revision_number, False
    yield b"]}"


def _continued(page: Sequence[Any], is_first: bool) -> bytes:
    """The page as further members of a JSON array."""
    return (b"" if is_first else b",") + to_json(page)[1:-1]


async def _record(db: Read, workshop: StoredWorkshop) -> ExportedWorkshopRecord:
    attempts = await ai_attempts.list_all(db, workshop.id)
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
