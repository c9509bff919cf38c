"""Balances against an independent model, to the minor unit: 10,000 orders with revisions, prices and payments."""

from decimal import Decimal
from random import Random

import pytest
from msgspec import UNSET

from backbench.estimating.document_facts import RevisionTerms
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.line_items import Figures, LineItem
from backbench.orders.balances import AgreedRevision, Balance, EnteredPrice, StoredMoney
from backbench.values.numbers import Number
from tests.orders.payment_model import MINOR_DIGITS, Model, Paid, Revision, amount, revision

ORDERS = 10_000


def stored(of: Revision, number: int, currency: str, *, accepted: bool) -> AgreedRevision:
    lines = [
        LineItem(id=str(at), label="Oak", unit="job", unit_price=Number(price), quantity=Number(quantity))
        for at, (price, quantity) in enumerate(of.lines)
    ]
    terms = RevisionTerms(currency=currency, tax_percent=Number(of.tax), deposit_percent=Number(of.deposit))
    figures = str(Figures.of(lines))
    return AgreedRevision(number, Number(of.markup), Number(of.discount), terms, figures, None, accepted)


def money_of(model: Model) -> StoredMoney:
    """The model as the database has it: sums in thousandths."""
    scale = 10 ** (3 - MINOR_DIGITS[model.currency])
    standing = [each for each in model.payments if not each.is_void]
    paid = None
    if standing:
        deposits = sum(each.minor for each in standing if each.kind == "deposit")
        paid = f"{model.currency} {model.paid * scale} {deposits * scale} 2026-11-20T10:15:00.000Z"
    at = model.accepted if model.accepted is not None else len(model.revisions) - 1
    shown = None
    if model.revisions:
        shown = stored(model.revisions[at], at + 1, model.currency, accepted=model.accepted is not None)
    entered = None if model.entered is None else EnteredPrice(model.entered * scale, model.currency)
    return StoredMoney(shown, entered, paid)


def in_minor_units(balance: Balance) -> dict[str, object]:
    """The same form as that of the model."""
    digits = MINOR_DIGITS[balance.currency]

    def minor(value: Decimal) -> int:
        scaled = value.scaleb(digits)
        assert scaled == scaled.to_integral_value()
        return int(scaled)

    found: dict[str, object] = {
        "currency": balance.currency,
        "source": balance.source,
        "paid": minor(balance.paid),
    }
    for name in ("agreed", "due", "overpaid"):
        value = getattr(balance, name)
        if value is not UNSET:
            found[name] = minor(value)
    if balance.revision_number is not UNSET:
        found["revisionNumber"] = balance.revision_number
    if balance.deposit is not UNSET:
        found["deposit"] = {"amount": minor(balance.deposit.amount), "paid": minor(balance.deposit.paid)}
    return found


def history(random: Random, currency: str) -> Model:
    """An order after up to twelve operations."""
    model = Model(currency)
    for _ in range(random.randrange(12)):
        operation = random.choice(("confirm", "accept", "undecide", "enter", "clear", "pay", "pay", "refund", "void"))
        if operation == "confirm":
            model.revisions.append(revision(random, currency))
        elif operation == "accept" and model.revisions:
            model.accepted = random.randrange(len(model.revisions))
        elif operation == "undecide":
            model.accepted = None
        elif operation == "enter":
            model.entered = random.randrange(10**7)
        elif operation == "clear":
            model.entered = None
        elif operation == "pay":
            model.payments.append(Paid(random.choice(("payment", "deposit")), amount(random, model)))
        elif operation == "refund" and model.paid:
            model.payments.append(Paid("refund", random.randrange(1, model.paid + 1)))
        elif operation == "void" and model.payments:
            at = random.randrange(len(model.payments))
            model.payments[at].is_void = model.payments[at].is_void or model.may_void(at)
    return model


@pytest.mark.parametrize("currency", MINOR_DIGITS)
def test_the_balance_of_a_made_up_order_is_that_of_an_independent_model(currency: str) -> None:
    random = Random(f"balances in {currency}")
    sources = set()
    for _ in range(ORDERS // len(MINOR_DIGITS)):
        model = history(random, currency)
        balance = money_of(model).of_order(DocumentSettings(currency=currency)).balance()
        assert in_minor_units(balance) == model.balance()
        sources.add(balance.source)
    assert sources == {"accepted", "confirmed", "entered", "none"}
