"""Examples of payments, balances, payment codes and the numbers of a workshop."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.orders.balances import AmountDue, Balance, Deposit, NewPrice
from backbench.orders.numbers import (
    AgreedEntry,
    AgreedList,
    CountedSums,
    Decided,
    MonthNumbers,
    OwedSums,
    WorkshopNumbers,
)
from backbench.orders.payment_codes import PaymentRequest
from backbench.orders.payments import NewPayment, NewVoid, Payment, PaymentsList
from backbench.reference.examples.ids import (
    ANNA_UID,
    DECIDED_AT,
    DECISION_ID,
    ESTIMATE_ID,
    MOVED_AT,
    ORDER_ID,
    ORDERED_AT,
    PAYMENT_ID,
)
from backbench.reference.examples.workshops import ORDER, WORKSHOP
from backbench.values.numbers import Number

PAYMENT = Payment(
    id=PAYMENT_ID,
    order_id=ORDER_ID,
    kind="deposit",
    amount=Number("483.39"),
    currency="EUR",
    method="transfer",
    received_on="2026-11-20",
    created_at=ORDERED_AT,
    created_by_uid=ANNA_UID,
    note="30 %, by bank transfer",
)
VOIDED = structs.replace(PAYMENT, voided_at=MOVED_AT, voided_by=ANNA_UID, reason="Typed twice")
BALANCE = Balance(
    currency="EUR",
    source="accepted",
    paid=Number("483.39"),
    agreed=Number("1611.3"),
    revision_number=1,
    deposit=Deposit(Number("483.39"), Number("483.39"), Number("30")),
    due=Number("1127.91"),
)
REQUEST = PaymentRequest(
    due=Number("1127.91"),
    currency="EUR",
    code=True,
    iban="IE29AIBK93115212345678",
    account_name=WORKSHOP.name,
    title="Order 214",
)
_NUMBERS = WorkshopNumbers(
    from_="2026-11-01",
    to="2026-11-23",
    open_estimates=CountedSums(7, [AmountDue("EUR", Number("18240.5"))]),
    decided=Decided(12, 5),
    months=[
        MonthNumbers(
            "2026-11",
            CountedSums(9, [AmountDue("EUR", Number("12480"))]),
            CountedSums(14, [AmountDue("EUR", Number("9910.39"))]),
        )
    ],
    late=3,
    ready=9,
    owed=OwedSums(3, [AmountDue("EUR", Number("412.5"))], 2),
)
_AGREED = AgreedEntry(
    id=DECISION_ID,
    at=DECIDED_AT,
    source="accepted",
    title=ORDER.title,
    currency="EUR",
    amount=Number("1611.3"),
    name="Aoife Gallagher",
    estimate_id=ESTIMATE_ID,
    order_id=ORDER_ID,
)
BODIES: Mapping[str, Any] = {
    "recordPayment": NewPayment("deposit", Number("483.39"), "transfer", "2026-11-20", "30 %, by bank transfer"),
    "voidPayment": NewVoid("Typed twice"),
    "replaceAgreedPrice": NewPrice(Number("240")),
}
RESPONSES: Mapping[str, Any] = {
    "listPayments": PaymentsList([PAYMENT]),
    "recordPayment": PAYMENT,
    "voidPayment": VOIDED,
    "getBalance": BALANCE,
    "replaceAgreedPrice": Balance(
        currency="EUR", source="entered", paid=Number(0), agreed=Number("240"), due=Number("240")
    ),
    "getPaymentRequest": REQUEST,
    "listWorkshopPayments": PaymentsList([PAYMENT]),
    "getNumbers": _NUMBERS,
    "listAgreedPrices": AgreedList([_AGREED]),
}
