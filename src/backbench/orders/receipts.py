"""Receipts of payments. Nothing is stored and nothing is counted."""

from datetime import date

from msgspec import UNSET

from backbench.accounts import accounts
from backbench.documents.receipts import ReceiptDocument, ReceiptQuery
from backbench.engine.database import Read
from backbench.estimating import document_settings
from backbench.estimating.document_settings import contact
from backbench.orders import balances, order_details
from backbench.orders.payments import Payment
from backbench.values.calls import Call
from backbench.values.shapes import made_of
from backbench.values.times import local_date
from backbench.workshops import workshops


async def find_document(db: Read, call: Call, payment: Payment, query: ReceiptQuery) -> ReceiptDocument:
    """The receipt of a payment, with what was due after it."""
    found = await order_details.find(db, payment.order_id)
    workshop = await workshops.find(db, found.order.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    money = (await balances.find_stored(db, payment.order_id)).of_order(settings)
    balance = money.balance()
    asked = None if money.price is None else money.price.deposit
    booked = (await balances.list_booked(db, [payment.order_id], settings))[payment.order_id]
    return made_of(
        ReceiptDocument,
        payment,
        balance,
        found.order,
        locale=(await accounts.find(db, call.uid)).locale if query.locale is UNSET else query.locale,
        workshop_name=workshop.name,
        workshop_contact=contact(settings),
        tax_id=settings.tax_id,
        order_number=found.facts.number,
        customer_tax_id=booked.tax_id,
        payment_id=payment.id,
        deposit_kind=(settings.deposit_kind or None) if asked is None else asked.kind,
        received_on=date.fromisoformat(payment.received_on),
        recorded_by=await accounts.lookup_name(db, payment.created_by_uid) or "",
        balance_currency=balance.currency,
        stated_on=settings.today(call.now),
        voided_on=None if payment.voided_at is UNSET else local_date(payment.voided_at, settings.zone),
        void_reason=payment.reason or "",
    )
