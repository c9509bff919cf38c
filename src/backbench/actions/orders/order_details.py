"""Order details: read and change them, and record that an order was collected."""

from msgspec import UNSET

from backbench.actions.customers.customer_links import require_known
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.balances import Price
from backbench.domain.orders.order_details import (
    Facts,
    NewCollection,
    OrderDetails,
    OrderDetailsEdit,
    not_done,
    unknown_member,
)
from backbench.domain.values.errors import Forbidden
from backbench.domain.workshops.audit import ChangeSource, Unchanged
from backbench.storage.customers import customers
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.estimating import document_settings, estimates
from backbench.storage.orders import balances, order_details, owed
from backbench.storage.orders.order_details import StoredDetails
from backbench.storage.workshops import audit, members


async def get(db: Read, details: StoredDetails) -> OrderDetails:
    """Read the details of an order."""
    return await response(db, details)


async def update(
    db: Write, call: Call, details: StoredDetails, body: OrderDetailsEdit
) -> OrderDetails | Unchanged[OrderDetails]:
    """Change the details of an order; null clears a member. Clearing `dueOn` clears `dueTime`.

    Raises Forbidden for a key without `payments:write` that links an estimate by which another price is agreed.
    """
    after = details.facts.edited(body)
    if after == details.facts:
        return Unchanged(await response(db, details))
    await _require_known(db, details, after)
    links_another = after.estimate_id != details.facts.estimate_id
    changes_owed = details.order.is_collected and links_another
    if changes_owed and after.estimate_id is not None:
        # Its acceptance at the same moment is seen here, or the order there.
        await estimates.lock_row(db, after.estimate_id)
    keeps_price = not links_another or call.caller.may("payments:write")
    price = None if keeps_price else await _price(db, details)
    await order_details.save(db, details, after, call.now)
    if not keeps_price and await _price(db, details) != price:
        raise Forbidden(missing_scope="payments:write")
    if changes_owed:
        await owed.save(db, details.order.id)
    return await _changed(db, details)


async def collect(
    db: Write, call: Call, details: StoredDetails, body: NewCollection
) -> OrderDetails | Unchanged[OrderDetails]:
    """Record that an order was collected, once. Raises Conflict `not_done` unless its status is `done`."""
    if details.order.status != "done":
        raise not_done()
    if details.order.is_collected:
        return Unchanged(await response(db, details))
    # Not before the move to `done`, which another node's clock may have stamped.
    at = max(call.now, details.order.last_activity_at)
    await order_details.save_collected(db, details.order.id, at, or_none(body.to))
    await owed.save(db, details.order.id)
    return await _changed(db, details)


async def uncollect(db: Write, details: StoredDetails) -> OrderDetails | Unchanged[OrderDetails]:
    """Take back that an order was collected."""
    if not details.order.is_collected:
        return Unchanged(await response(db, details))
    await order_details.save_collected(db, details.order.id, None, None)
    return await _changed(db, details)


async def lock_named(db: Write, workshop_id: str, body: OrderDetailsEdit) -> None:
    """Locks which customers and members the orders of the workshop name, where the edit changes that.

    Before the order: who deletes a customer or removes a member locks its orders after them as well.
    """
    if body.customer_id is not UNSET:
        await customers.lock_links(db, workshop_id)
    if body.assigned_to is not UNSET:
        await db.lock(f"members {workshop_id}")


async def response(db: Read, found: StoredDetails) -> OrderDetails:
    settings = await document_settings.find(db, found.order.workshop_id) if found.needs_settings else None
    return found.to_response(settings)


async def release_assignee(db: Write, source: ChangeSource, workshop_id: str, uid: str) -> None:
    """Takes a member that leaves from its orders; each has an entry in the log, by which clients learn of it."""
    released = await order_details.clear_assignee(db, workshop_id, uid)
    if released:
        changes = [source.change(workshop_id, "order.details_updated", order_id) for order_id in released]
        await audit.add_all(db, changes)


async def _changed(db: Write, before: StoredDetails) -> OrderDetails:
    """The details as the transaction has left them."""
    return await response(db, await order_details.find(db, before.order.id))


async def _price(db: Read, details: StoredDetails) -> Price | None:
    """The price that is agreed for the order at this moment of the transaction."""
    settings = await document_settings.find(db, details.order.workshop_id)
    return (await balances.find(db, details.order.id)).of_order(settings).price


async def _require_known(db: Write, before: StoredDetails, after: Facts) -> None:
    """Raises ValidationError where a member that is new names nothing of the workshop."""
    workshop_id = before.order.workshop_id
    if after.customer_id not in (None, before.facts.customer_id):
        await require_known(db, workshop_id, after.customer_id)
    if after.assigned_to not in (None, before.facts.assigned_to) and (
        await members.lookup_role(db, workshop_id, after.assigned_to) is None
    ):
        raise unknown_member("/assignedTo", "Not a member of the workshop")
    if after.estimate_id not in (None, before.facts.estimate_id) and (
        await estimates.lookup_workshop(db, after.estimate_id) != workshop_id
    ):
        raise unknown_member("/estimateId", "The workshop has no such estimate")
