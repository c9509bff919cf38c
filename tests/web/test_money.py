"""Money of the web app: its totals are those of the server, for every estimate."""

import os
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from backbench.documents.figures import Rates, document_figures
from backbench.estimating.line_items import LineItem
from backbench.values import numbers
from backbench.values.currencies import MINOR_DIGITS, minor_unit
from backbench.values.enums import PricesEntered, PricesShown
from backbench.values.money import EXACT, Totals, total
from backbench.values.numbers import Number
from backbench.values.taxes import NO_RATES, Tax, TaxKind

ROOT = Path(__file__).parents[2]
DENO = Path(sysconfig.get_path("scripts")) / "deno"
few = settings(max_examples=200, deadline=None)
many = settings(max_examples=5_000, deadline=None)


class Job(NamedTuple):
    lines: list[LineItem]
    markup_percent: Number
    discount_percent: Number
    tax_percent: Number | None
    line_taxes: dict[str, Tax]
    deposit_percent: Number | None
    currency: str
    tax_kind: TaxKind = "rate"
    deposit_amount: Number | None = None
    prices_entered: PricesEntered = "net"
    prices_shown: PricesShown = "net"

    @property
    def amounts(self) -> PricesShown:
        """What its sums are: prices that are entered with tax are always shown with it."""
        return "gross" if self.prices_entered == "gross" else self.prices_shown


Answer = dict[str, Any]
Ask = Callable[[Job], Answer]


def decimals(most: int) -> st.SearchStrategy[Number]:
    """With up to four decimals: often few digits, where halves are common, and sometimes as many as allowed."""
    places = st.sampled_from([0, 1, 2, 3, 4])
    units = st.integers(0, 999) | st.integers(0, 10**6) | st.integers(0, most * 10**4)
    return st.builds(lambda value, place: Number(min(Decimal(value).scaleb(-place), Decimal(most))), units, places)


usual_rates = st.sampled_from([Number(0), Number(5), Number(8), Number("13.5"), Number(23)])
rates = usual_rates | decimals(100)
taxes = (rates | st.sampled_from(NO_RATES)).map(Tax)
lines = st.lists(st.tuples(decimals(10**9), decimals(10**6)), max_size=8).map(
    lambda pairs: [LineItem(str(at), "Line", "piece", price, quantity) for at, (price, quantity) in enumerate(pairs)]
)
jobs = st.builds(
    Job,
    lines=lines,
    markup_percent=usual_rates | decimals(1000),
    discount_percent=rates,
    tax_percent=st.none() | rates,
    line_taxes=st.just({}) | st.dictionaries(st.sampled_from(["0", "1", "2", "3", "no line"]), taxes, max_size=4),
    deposit_percent=st.none() | rates,
    currency=st.sampled_from(["EUR", "PLN", "JPY", "KWD"]),
    tax_kind=st.sampled_from(["rate", "rate", "rate", *NO_RATES]),
    deposit_amount=st.none() | decimals(10**9),
    prices_entered=st.sampled_from(["net", "gross"]),
    prices_shown=st.sampled_from(["net", "gross"]),
)


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Asks one process of the app's JavaScript for totals."""
    environment = os.environ | {"DENO_DIR": str(ROOT / "build" / "deno"), "DENO_NO_UPDATE_CHECK": "1"}
    script = ROOT / "tests" / "web" / "unit" / "totals_process.js"
    with subprocess.Popen(
        [DENO, "run", "--quiet", "--no-check", script],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(job: Job) -> Answer:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(numbers.to_json(request(job)) + b"\n")
            process.stdin.flush()
            found: Answer = msgspec.json.decode(process.stdout.readline())
            return found

        yield ask
        process.stdin.close()


def request(job: Job) -> dict[str, Any]:
    """The estimate with its numbers as the API sends them."""
    estimate = {
        "lineItems": job.lines,
        "markupPercent": job.markup_percent,
        "discountPercent": job.discount_percent,
        "taxPercent": job.tax_percent,
        "taxKind": job.tax_kind,
        "lineTaxes": job.line_taxes,
        "depositPercent": job.deposit_percent,
        "depositAmount": job.deposit_amount,
        "taxLabel": "VAT",
        "pricesEntered": job.prices_entered,
        "pricesShown": job.prices_shown,
    }
    return {"estimate": estimate, "currency": job.currency}


def of_server(job: Job) -> Totals:
    return total(
        job.lines,
        markup_percent=job.markup_percent,
        discount_percent=job.discount_percent,
        tax_percent=job.tax_percent,
        currency=job.currency,
        tax_kind=job.tax_kind,
        line_taxes=job.line_taxes,
        tax_label="VAT",
        prices_entered=job.prices_entered,
        computed=job.amounts,
    )


def expected(job: Job) -> Answer:
    """The server's answer, with amounts as text in the decimals of the currency."""
    totals = of_server(job)
    names = ("subtotal", "markup", "discount", "net", "tax", "total")
    found: Answer = {name: text(getattr(totals, name), job) for name in names if getattr(totals, name) is not UNSET}
    found |= {"currency": job.currency, "digits": MINOR_DIGITS[job.currency]}
    found["lines"] = [{"id": line.id, "amount": text(line.amount, job)} for line in totals.lines]
    if totals.taxes is not UNSET:
        found["taxes"] = [
            (
                {"label": tax.label, "percent": tax.percent.shortest()}
                if tax.percent is not UNSET
                else {"kind": tax.kind}
            )
            | {"net": text(tax.net, job), "amount": text(tax.amount, job)}
            for tax in totals.taxes
        ]
    if totals.prices_shown is not UNSET:
        found["pricesShown"] = totals.prices_shown
    deposit = document_deposit(job, totals)
    return found if deposit is None else found | {"deposit": text(deposit, job)}


def document_deposit(job: Job, totals: Totals) -> Decimal | None:
    """As printed."""
    rates = Rates(
        job.markup_percent,
        job.discount_percent,
        job.tax_percent,
        line_taxes=job.line_taxes,
        tax_kind=job.tax_kind,
        deposit=job.deposit_percent,
        deposit_amount=job.deposit_amount,
        prices=job.amounts,
    )
    _, sums = document_figures(job.lines, totals, rates, show_markup=True, show_discount=True)
    return None if sums.deposit is None else sums.deposit.amount


def text(value: Decimal, job: Job) -> str:
    with localcontext(EXACT):
        return format(value.quantize(minor_unit(job.currency)), "f")


def check(ask: Ask, job: Job) -> None:
    answer = ask(job)
    shown = answer.pop("shownPrices")
    assert answer == expected(job)
    check_prices(job, shown, answer)


def check_prices(job: Job, shown: list[str], answer: Answer) -> None:
    """The unit prices on the screen times their quantities are the amounts on the screen."""
    with localcontext(EXACT):
        for line, price, computed in zip(job.lines, shown, answer["lines"], strict=True):
            amount = (Decimal(price) * line.quantity).quantize(minor_unit(job.currency), ROUND_HALF_UP)
            assert text(amount, job) == computed["amount"]
            if job.amounts == "net" or job.prices_entered == "gross":
                assert Decimal(price) == line.unit_price


def test_the_total_on_the_screen_is_the_total_of_the_server(ask: Ask) -> None:
    few(given(jobs)(lambda job: check(ask, job)))()


@pytest.mark.prove
def test_thousands_of_estimates_have_the_totals_of_the_server(ask: Ask) -> None:
    many(given(jobs)(lambda job: check(ask, job)))()


def test_every_currency_has_the_decimals_of_the_server(ask: Ask) -> None:
    zero = Number(0)
    for currency, digits in MINOR_DIGITS.items():
        assert ask(Job([], zero, zero, None, {}, None, currency))["digits"] == digits
