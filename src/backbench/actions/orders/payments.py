"""Payments for orders: list and record them, and void a wrong one."""

from backbench.actions.orders.balances import find as find_money
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.payments import (
    NewPayment,
    NewVoid,
    Payment,
    PaymentsQuery,
    already_void,
    new_payment,
    other_currency,
    over_refund,
)
from backbench.domain.values.pagination import Page, PageQuery
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings
from backbench.storage.orders import owed, payments
from backbench.storage.orders.order_links import OrderRef


async def list_all(db: Read, order: OrderRef, query: PageQuery) -> Page[Payment]:
    """List the payments for an order, newest first, voided ones included."""
    return await payments.of_order(order.id).page(db, query)


async def list_of_workshop(db: Read, workshop_id: str, query: PaymentsQuery) -> Page[Payment]:
    """List the payments that a workshop received in a period, the latest first, voided ones included."""
    return await payments.of_workshop(workshop_id, query).page(db, query)


async def record(db: Write, call: Call, order: OrderRef, body: NewPayment) -> Payment:
    """Record a payment for an order, in the currency of the workshop. It is never edited.

    Raises Conflict `other_currency` where the order is in another currency, `over_refund` where more would be paid back
    than was received.
    """
    settings = await document_settings.find(db, order.workshop_id)
    today = settings.today(call.now).isoformat()
    payment = new_payment(body, call, order.id, settings.currency, today)
    money = await find_money(db, order.id, settings)
    if money.currency != payment.currency:
        raise other_currency()
    if money.paid_in(payment.currency) + payment.added < 0:
        raise over_refund()
    await db.add("payments", payment, workshop_id=order.workshop_id)
    await owed.save(db, order.id)
    return payment


async def void(db: Write, call: Call, payment: Payment, workshop_id: str, body: NewVoid) -> Payment:
    """Void a payment, with the reason. It stays in the list and counts no more.

    Raises Conflict `void` for a second time, `over_refund` where more would have been paid back than was received.
    """
    if payment.is_void:
        raise already_void()
    money = await find_money(db, payment.order_id, await document_settings.find(db, workshop_id))
    if money.paid_in(payment.currency) - payment.added < 0:
        raise over_refund()
    after = await db.save("payments", payment, voided_at=call.now, voided_by=call.uid, reason=body.reason)
    await owed.save(db, payment.order_id)
    return after
