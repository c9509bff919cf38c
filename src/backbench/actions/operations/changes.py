"""Changes of a workshop since a cursor, for clients that keep a copy of its orders, estimates and grids."""

from collections.abc import Sequence

from msgspec import structs

from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.operations.changes import (
    DEFAULT_LIMIT,
    MAX_OBJECTS_BEHIND,
    ChangeCursor,
    ChangedObject,
    Changes,
    ChangesQuery,
    Kind,
    LogPosition,
    RemovedObject,
    cursor_at,
    read_cursor,
    readable_kinds,
)
from backbench.domain.orders.order_details import OrderDetails
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings
from backbench.storage.operations import changes
from backbench.storage.workshops import members

# A page ends before its estimates and grids exceed this, except for a single larger one.
_MAX_PAGE_BYTES = 2 * 1024 * 1024
# Fewer of them than this cannot exceed it by much, so their sizes need not be read.
_FEW = 8


async def list_since(
    db: Read, call: Call, workshop: StoredWorkshop, query: ChangesQuery, services: Services
) -> Changes:
    """Read what changed after the cursor `since`; without one, the present cursor alone.

    A key with `orders:read` reads orders and photos, one with `estimates:read` estimates and grids, one with
    `customers:read` customers, one with `payments:read` payments; `workshop` is for sessions.
    """
    workshop_id = workshop.id
    since = None if query.since is None else read_cursor(query.since, "/since")
    position = await changes.find_position(db, workshop_id, 0 if since is None else since.version)
    if since is None or not position.continues(since):
        return _without_objects(position.cursor, is_reset=since is not None)
    if since.version == position.version:
        return _without_objects(position.cursor, is_reset=False)
    kinds = readable_kinds(call.caller)
    changed = await changes.list_objects(db, workshop_id, since.version, position.version)
    readable = [each for each in changed if each.kind in kinds]
    if len({each.id for each in readable}) > MAX_OBJECTS_BEHIND:
        return _without_objects(position.cursor, is_reset=True)
    page = await _page(db, workshop_id, since.version, _first(readable, query.limit or DEFAULT_LIMIT))
    has_more = len(page) < len(readable)
    cursor = await _cursor_after(db, workshop_id, position, page) if has_more else position.cursor
    found = await _present_state(db, workshop_id, since.version, page, str(cursor), has_more=has_more)
    if not any(each.kind == "workshop" for each in page):
        return found
    return structs.replace(
        found, workshop=workshop.to_response(await members.list_all(db, workshop_id), call.now, services.plan_rules)
    )


def _without_objects(cursor: ChangeCursor, *, is_reset: bool) -> Changes:
    return Changes(
        cursor=str(cursor),
        more=False,
        reset=is_reset,
        orders=[],
        order_details=[],
        estimates=[],
        grids=[],
        payments=[],
        photos=[],
        customers=[],
        removed=[],
    )


def _first(objects: list[ChangedObject], limit: int) -> list[ChangedObject]:
    """The first of the objects. Those of one version are not separated, since the next page starts after a version."""
    end = limit
    while 0 < end < len(objects) and objects[end].version == objects[end - 1].version:
        end -= 1
    return objects[: end or 2]


async def _page(db: Read, workshop_id: str, since: int, objects: list[ChangedObject]) -> list[ChangedObject]:
    """The first of the objects, as many as fit into a page."""
    if sum(each.kind in ("estimate", "grid", "customer") for each in objects) <= _FEW:
        return objects
    sizes = await changes.list_sizes(db, workshop_id, since, objects[-1].version)
    total = 0
    for index, each in enumerate(objects):
        total += sizes.get(each.id, 0)
        if total > _MAX_PAGE_BYTES and index > 0:
            return objects[:index]
    return objects


async def _cursor_after(
    db: Read, workshop_id: str, position: LogPosition, page: Sequence[ChangedObject]
) -> ChangeCursor:
    """The cursor at the last object of the page."""
    last = page[-1].version
    return cursor_at(position.history, last, await changes.entry_id(db, workshop_id, last))


async def _present_state(
    db: Read, workshop_id: str, since: int, page: Sequence[ChangedObject], cursor: str, *, has_more: bool
) -> Changes:
    """The objects of the page as they are now, and the ids of those that are gone."""
    ids = {each.id for each in page if not each.is_details}
    kinds: set[Kind | None] = {each.kind for each in page}
    scope = (db, workshop_id, since, page[-1].version if page else since)
    # An object that changed again after this page belongs to a later one.
    orders = [each for each in await changes.list_orders(*scope) if each.id in ids] if "order" in kinds else []
    estimates = [each for each in await changes.list_estimates(*scope) if each.id in ids] if "estimate" in kinds else []
    grids = [each for each in await changes.list_grids(*scope) if each.id in ids] if "grid" in kinds else []
    payments = [each for each in await changes.list_payments(*scope) if each.id in ids] if "payment" in kinds else []
    customers = [each for each in await changes.list_customers(*scope) if each.id in ids] if "customer" in kinds else []
    details = await _details(db, workshop_id, since, page)
    photos = [each for each in await changes.list_photos(*scope) if each.id in ids] if "photo" in kinds else []
    present = {each.id for kind in (orders, estimates, grids, photos, customers) for each in kind}
    removed = [
        RemovedObject(each.kind, each.id)
        for each in page
        if each.kind in ("order", "estimate", "grid", "photo", "customer")
        and each.id not in present
        and not each.is_details
    ]
    return Changes(
        cursor=cursor,
        more=has_more,
        reset=False,
        orders=orders,
        order_details=details,
        estimates=estimates,
        grids=grids,
        payments=payments,
        photos=[each.to_response() for each in photos],
        customers=customers,
        removed=removed,
    )


async def _details(db: Read, workshop_id: str, since: int, page: Sequence[ChangedObject]) -> list[OrderDetails]:
    """The details of the orders of the page whose details may have changed."""
    ids = {each.id for each in page if each.is_details}
    if not ids:
        return []
    found = await changes.list_details(db, workshop_id, since, page[-1].version)
    wanted = [each for each in found if each.order.id in ids]
    settings = None
    if any(each.needs_settings for each in wanted):
        settings = await document_settings.find(db, workshop_id)
    return [each.to_response(settings) for each in wanted]
