"""Payments for orders: list and record them, and void a wrong one."""

from backbench.actions.authorization import member_of, require_role
from backbench.actions.orders.balances import find as find_money
from backbench.actions.orders.balances import lock
from backbench.actions.orders.order_details import authorize
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
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings
from backbench.storage.orders import order_details, owed, payments


async def list_all(db: Read, call: Call, order_id: str, query: PageQuery) -> Page[Payment]:
    """List the payments for an order, newest first, voided ones included."""
    await authorize(db, call, order_id)
    return await payments.of_order(order_id).page(db, query)


async def list_of_workshop(db: Read, call: Call, workshop_id: str, query: PaymentsQuery) -> Page[Payment]:
    """List the payments that a workshop received in a period, the latest first, voided ones included."""
    await member_of(db, call, workshop_id)
    return await payments.of_workshop(workshop_id, query).page(db, query)


async def record(db: Write, call: Call, order_id: str, body: NewPayment) -> Audited[Payment]:
    """Record a payment for an order, in the currency of the workshop. It is never edited.

    Raises Conflict `other_currency` where the order is in another currency, `over_refund` where more would be paid back
    than was received.
    """
    await authorize(db, call, order_id)
    workshop_id = await lock(db, order_id)
    settings = await document_settings.find(db, workshop_id)
    today = settings.today(call.now).isoformat()
    payment = new_payment(body, call, order_id, settings.currency, today)
    money = await find_money(db, order_id, settings)
    if money.currency != payment.currency:
        raise other_currency()
    if money.paid_in(payment.currency) + payment.added < 0:
        raise over_refund()
    await db.add("payments", payment, workshop_id=workshop_id)
    await owed.save(db, order_id)
    return Audited(payment, workshop_id, payment.id)


async def void(db: Write, call: Call, payment_id: str, body: NewVoid) -> Audited[Payment]:
    """Void a payment, with the reason. It stays in the list and counts no more.

    Raises Conflict `void` for a second time, `over_refund` where more would have been paid back than was received.
    """
    order_id = (await find_for(db, call, payment_id)).order_id
    workshop_id = await lock(db, order_id)
    payment = await payments.find(db, payment_id)
    if payment.is_void:
        raise already_void()
    money = await find_money(db, order_id, await document_settings.find(db, workshop_id))
    if money.paid_in(payment.currency) - payment.added < 0:
        raise over_refund()
    after = await db.save("payments", payment, voided_at=call.now, voided_by=call.uid, reason=body.reason)
    await owed.save(db, order_id)
    return Audited(after, workshop_id, payment_id)


async def authorize_void(db: Read, call: Call, payment_id: str) -> None:
    """Raises NotFound or Forbidden where the caller may not act on the payment."""
    await find_for(db, call, payment_id)


async def find_for(db: Read, call: Call, payment_id: str) -> Payment:
    """The payment. Raises NotFound, and Forbidden when it is another workshop's."""
    payment = await payments.find(db, payment_id)
    workshop_id, role = await order_details.find_workshop(db, payment.order_id, call.uid)
    require_role(call, workshop_id, role)
    return payment
