"""Balances of orders: read one, and set the price that was agreed without an estimate."""

from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.balances import Balance, EnteredPrice, NewPrice, OrderMoney, is_accepted
from backbench.domain.orders.payments import other_currency, require_exact, thousandths
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings
from backbench.storage.orders import balances, owed
from backbench.storage.orders.order_links import OrderRef


async def get(db: Read, order: OrderRef) -> Balance:
    """Read what was agreed for an order, what has been paid, and what is due."""
    return (await find(db, order.id, await document_settings.find(db, order.workshop_id))).balance()


async def agree(db: Write, call: Call, order: OrderRef, body: NewPrice) -> Balance | Unchanged[Balance]:
    """Set the price of an order without an estimate; null clears it.

    Raises Conflict `accepted` where an accepted revision states the price, `other_currency` where the order was paid in
    another currency than that of the workshop.
    """
    settings = await document_settings.find(db, order.workshop_id)
    stored = await balances.find(db, order.id)
    money = stored.of_order(settings)
    entered = None
    if body.amount is not None:
        require_exact(body.amount, settings.currency)
        _require_allowed(money, settings)
        entered = EnteredPrice(thousandths(body.amount), settings.currency)
    if entered == stored.entered:
        return Unchanged(money.balance())
    await balances.save_entered(db, order.id, entered, call.now)
    await owed.save(db, order.id)
    return (await find(db, order.id, settings)).balance()


def _require_allowed(money: OrderMoney, settings: DocumentSettings) -> None:
    if money.price is not None and money.price.source == "accepted":
        raise is_accepted()
    if any(currency != settings.currency for currency in money.sums):
        raise other_currency()


async def find(db: Read, order_id: str, settings: DocumentSettings) -> OrderMoney:
    """Price and payments of the order. `settings` are those of its workshop. Raises NotFound."""
    return (await balances.find(db, order_id)).of_order(settings)
