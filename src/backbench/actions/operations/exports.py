"""Data export of an account, streamed in constant memory."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from msgspec import UNSET, Struct

from backbench.domain.accounts.accounts import Account
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.estimates import Estimate
from backbench.domain.operations.exports import AccountDataExportUser, ExportedWorkshopRecord
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.exported_links import exported_link
from backbench.domain.values.numbers import joined_elements, to_json
from backbench.domain.values.pagination import UNPAGED
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import AuditEntry
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.temporary_files import TemporaryContent
from backbench.storage.accounts import accounts, api_keys, feedback, identities
from backbench.storage.engine.database import Database, Read
from backbench.storage.estimating import estimates, grids, revisions
from backbench.storage.sharing import comments, decisions, links
from backbench.storage.workshops import ai_attempts, audit, members, orders, workshops

T = TypeVar("T")


async def data_export(db: Database, call: Call) -> AsyncGenerator[bytes, None]:
    """The data of the account, from one snapshot of the database.

    The export is written to a temporary file first, so that a slow client does not occupy a database connection.
    """
    async with TemporaryContent() as content:
        async with db.snapshot() as read, aclosing(export_pieces(read, call)) as pieces:
            async for piece in pieces:
                await content.write(piece)
        async with aclosing(content.read()) as whole:
            async for piece in whole:
                yield piece


async def export_pieces(db: Read, call: Call) -> AsyncGenerator[bytes, None]:
    """The JSON of the export, piece by piece. Raises NotFound."""
    account = await accounts.find(db, call.uid)
    owned_and_joined = await workshops.list_all(db, call.uid)
    yield b'{"user":' + to_json(_user(account)) + b',"workshops":['
    for index, workshop in enumerate(owned_and_joined):
        yield b"," if index else b""
        async for piece in _workshop(db, workshop, call.now):
            yield piece
    yield b'],"feedback":' + to_json(await feedback.list_all(db, call.uid))
    yield b',"authProviders":' + to_json(await identities.list_all(db, call.uid))
    yield b',"apiTokens":' + to_json(await api_keys.list_all(db, call.uid))
    yield b',"audit":['
    async for piece in joined_elements(_audit_entries(db, call, owned_and_joined)):
        yield piece
    yield b"]}"


async def _audit_entries(
    db: Read, call: Call, found: Sequence[StoredWorkshop]
) -> AsyncGenerator[Sequence[AuditEntry], None]:
    """The audit entries of the workshops that the account owns, piece by piece."""
    for workshop in found:
        if await members.lookup_role(db, workshop.id, call.uid) == "owner":
            async for entries in audit.of_workshop(workshop.id).pieces(db, UNPAGED):
                yield entries


async def _workshop(db: Read, workshop: StoredWorkshop, now: Instant) -> AsyncGenerator[bytes, None]:
    yield b'{"workshop":' + to_json(await _record(db, workshop))
    yield b',"grids":' + to_json(await grids.list_all(db, workshop.id)) + b',"estimates":['
    is_first = True
    async for page in estimates.of_workshop(workshop.id).pieces(db, UNPAGED):
        for estimate in page:
            yield b"" if is_first else b","
            is_first = False
            async for piece in _estimate(db, estimate, now):
                yield piece
    yield b'],"orders":['
    async for piece in joined_elements(orders.pieces_as_json(db, workshop.id)):
        yield piece
    yield b"]"
    if await decisions.has_kept(db, workshop.id):
        yield b',"keptDecisions":['
        kept = decisions.of_deleted_estimates(workshop.id).pieces(db, UNPAGED)
        async for piece in joined_elements(_exported(kept, StoredDecision.to_evidence)):
            yield piece
        yield b"]"
    yield b"}"


async def _estimate(db: Read, estimate: Estimate, now: Instant) -> AsyncGenerator[bytes, None]:
    """ExportedEstimate: the members of Estimate, its revisions, and how it was shared."""
    yield to_json(estimate)[:-1] + b',"revisions":['
    async for piece in joined_elements(revisions.of_estimate(estimate.id).pieces(db, UNPAGED)):
        yield piece
    yield b"]"
    if await links.is_shared(db, estimate.id):
        async for piece in _sharing(db, estimate.id, now):
            yield piece
    yield b"}"


async def _exported(pieces: AsyncIterator[Sequence[T]], convert: Callable[[T], Struct]) -> AsyncGenerator[Any, None]:
    async for piece in pieces:
        yield [convert(each) for each in piece]


async def _sharing(db: Read, estimate_id: str, now: Instant) -> AsyncGenerator[bytes, None]:
    """The member with links, decisions with their evidence, and comments."""
    yield b',"sharing":{"links":['
    found = links.with_documents(estimate_id).pieces(db, UNPAGED)
    async for part in joined_elements(_exported(found, lambda link: exported_link(link, now))):
        yield part
    yield b'],"decisions":['
    async for part in joined_elements(
        _exported(decisions.of_estimate(estimate_id).pieces(db, UNPAGED), StoredDecision.to_evidence)
    ):
        yield part
    yield b'],"comments":['
    async for part in joined_elements(comments.of_estimate(estimate_id).pieces(db, UNPAGED)):
        yield part
    yield b"]}"


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
