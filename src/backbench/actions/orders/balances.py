"""Balances of orders: read one, and set the price that was agreed without an estimate."""

from backbench.actions.orders.order_details import authorize
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.balances import Balance, EnteredPrice, NewPrice, OrderMoney, is_accepted
from backbench.domain.orders.payments import other_currency, require_exact, thousandths
from backbench.domain.values.errors import NotFound
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings
from backbench.storage.orders import balances, order_links, owed


async def get(db: Read, call: Call, order_id: str) -> Balance:
    """Read what was agreed for an order, what has been paid, and what is due."""
    await authorize(db, call, order_id)
    workshop_id = (await order_links.find(db, order_id)).workshop_id
    return (await find(db, order_id, await document_settings.find(db, workshop_id))).balance()


async def agree(db: Write, call: Call, order_id: str, body: NewPrice) -> Audited[Balance] | Unchanged[Balance]:
    """Set the price of an order without an estimate; null clears it.

    Raises Conflict `accepted` where an accepted revision states the price, `other_currency` where the order was paid in
    another currency than that of the workshop.
    """
    await authorize(db, call, order_id)
    workshop_id = await lock(db, order_id)
    settings = await document_settings.find(db, workshop_id)
    stored = await balances.find(db, order_id)
    money = stored.of_order(settings)
    entered = None
    if body.amount is not None:
        require_exact(body.amount, settings.currency)
        _require_allowed(money, settings)
        entered = EnteredPrice(thousandths(body.amount), settings.currency)
    if entered == stored.entered:
        return Unchanged(money.balance())
    await balances.save_entered(db, order_id, entered, call.now)
    await owed.save(db, order_id)
    return Audited((await find(db, order_id, settings)).balance(), workshop_id, order_id)


def _require_allowed(money: OrderMoney, settings: DocumentSettings) -> None:
    if money.price is not None and money.price.source == "accepted":
        raise is_accepted()
    if any(currency != settings.currency for currency in money.sums):
        raise other_currency()


async def find(db: Read, order_id: str, settings: DocumentSettings) -> OrderMoney:
    """Price and payments of the order. `settings` are those of its workshop. Raises NotFound."""
    return (await balances.find(db, order_id)).of_order(settings)


async def lock(db: Write, order_id: str) -> str:
    """The workshop of the order, whose price and payments are locked until the transaction ends. Raises NotFound."""
    order = await order_links.lock(db, order_id)
    if order is None:
        raise NotFound
    return order.workshop_id
