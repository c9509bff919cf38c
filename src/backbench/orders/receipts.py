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
    balance = (await balances.find_stored(db, payment.order_id)).of_order(settings).balance()
    return made_of(
        ReceiptDocument,
        payment,
        balance,
        found.facts,
        found.order,
        locale=(await accounts.find(db, call.uid)).locale if query.locale is UNSET else query.locale,
        workshop_name=workshop.name,
        workshop_contact=contact(settings),
        tax_id=settings.tax_id,
        payment_id=payment.id,
        received_on=date.fromisoformat(payment.received_on),
        balance_currency=balance.currency,
        stated_on=settings.today(call.now),
        voided_on=None if payment.voided_at is UNSET else local_date(payment.voided_at, settings.zone),
        void_reason=payment.reason or "",
    )
