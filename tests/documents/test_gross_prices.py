"""Gross prices: what was entered is what is printed, its sum is the total, and the tax is a part of it, everywhere."""

import json
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from backbench.documents.documents import EstimateDocument, PdfExportOptions
from backbench.estimating.document_facts import DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.documents import estimate_document
from backbench.estimating.estimates import EstimateRevision
from backbench.estimating.line_items import Figures, LineItem
from backbench.estimating.message_texts import MessageFacts
from backbench.estimating.message_texts import draft as message_draft
from backbench.estimating.revisions import CURRENT_RULES, ConfirmedRevision, DocumentSnapshot, revision_totals
from backbench.estimating.summaries import stored_total
from backbench.integrations.pdf.render_process import draft, new_compiler
from backbench.sharing.client_documents import canonical_document, client_document
from backbench.values.locales import NO_BREAK_SPACE, money, price
from backbench.values.money import EXACT
from backbench.values.numbers import Number
from backbench.values.taxes import Tax
from tests.documents import gross_estimates
from tests.documents.gross_estimates import DIGITS, GeneratedEstimate, Line
from tests.integrations.pdf.pdf_text import text_of

NOW = "2026-05-02T10:00:00.000Z"
ROWS = PdfExportOptions(show_markup=True, show_discount=True)


def tax_of(text: str) -> Tax:
    return Tax(Number(text)) if gross_estimates.rate(text) or text == "0" else Tax(text)  # type: ignore[arg-type]


def confirmed(estimate: GeneratedEstimate) -> ConfirmedRevision:
    """The revision that a confirmation of the estimate makes."""
    items = [
        LineItem(f"l{at}", f"Item {at}", "piece", Number(line.price), Number(line.quantity))
        for at, line in enumerate(estimate.lines)
    ]
    taxes = {f"l{at}": tax_of(line.tax) for at, line in enumerate(estimate.lines) if line.tax != estimate.tax}
    facts = DocumentFacts(
        line_taxes=taxes or UNSET,
        prices_entered="gross" if estimate.is_entered_gross else UNSET,
        prices_shown=UNSET if estimate.is_entered_gross else "gross",
    )
    settings = DocumentSettings(estimate.currency, time_zone="Europe/Warsaw", tax_percent=Number(estimate.tax))
    snapshot = DocumentSnapshot(
        "Workshop", "", "", "", "sans", None, settings, settings.today(NOW), rules=CURRENT_RULES
    )
    revision = EstimateRevision("r", 1, NOW, "u", "Doors", Number(estimate.markup), Number(estimate.discount), items)
    return ConfirmedRevision(revision, "Anna", facts.revision_terms(settings), facts, snapshot)


def check(estimate: GeneratedEstimate, options: PdfExportOptions = ROWS) -> EstimateDocument:
    expected, revision = gross_estimates.figures(estimate), confirmed(estimate)
    check_totals(estimate, revision, expected)
    document = estimate_document(revision, options, locale="en", preliminary=False)
    check_document(estimate, document, expected)
    return document


def check_totals(estimate: GeneratedEstimate, confirmed_: ConfirmedRevision, expected: gross_estimates.Figures) -> None:
    """Of the API, lists and balances."""
    revision, terms = confirmed_.revision, confirmed_.terms
    totals, of_revision = terms.totals(revision), revision_totals(confirmed_)
    for each in (totals, of_revision):
        assert each.prices_shown == "gross"
        assert [Fraction(line.amount) for line in each.lines] == expected.amounts
        assert [Fraction(value) for value in (each.subtotal, each.markup, each.discount, each.total)] == [
            expected.subtotal,
            expected.markup,
            expected.discount,
            expected.total,
        ]
        assert Fraction(each.tax or 0) == sum(part.amount for part in expected.parts)
        assert each.net + (each.tax or 0) == each.total
    rows = [(str(row.kind or row.percent), row.net + row.amount, row.amount) for row in of_revision.taxes]
    assert [(row[0], Fraction(row[1]), Fraction(row[2])) for row in rows] == [tuple(part) for part in expected.parts]
    lines = None if terms.is_total_of_sum else revision.line_items
    assert terms.is_total_of_sum == estimate.is_entered_gross
    stored = str(Figures.of(revision.line_items))
    found = stored_total(stored, lines, revision.markup_percent, revision.discount_percent, terms)
    assert Fraction(found) == expected.total


def check_document(estimate: GeneratedEstimate, document: EstimateDocument, expected: gross_estimates.Figures) -> None:
    """Of PDFs and the client page: with rows of percent, or without any percent, prices are those that are expected."""
    lines, sums = document.lines, document.sums
    hashed = json.loads(canonical_document(client_document(document)))
    assert Fraction(sums.total) == expected.total == Fraction(hashed["sums"]["total"])
    shown = hashed["lines"]
    assert [Fraction(each["amount"]) for each in shown] == [Fraction(line.amount) for line in lines]
    if document.options == ROWS or estimate.markup == estimate.discount == "0":
        assert [Fraction(each["unitPrice"]) for each in shown] == expected.prices
        assert [Fraction(each["amount"]) for each in shown] == expected.amounts
        if estimate.is_entered_gross:
            assert [each["unitPrice"] for each in shown] == [plain(line.price) for line in estimate.lines]
    markup, discount = (Fraction(row.amount) if row else 0 for row in (sums.markup, sums.discount))
    assert sum(Fraction(line.amount) for line in lines) == Fraction(sums.subtotal)
    assert Fraction(sums.subtotal) + markup - discount == expected.total
    for entered, line in zip(estimate.lines, lines, strict=True):
        digits, unit_price = DIGITS[estimate.currency], line.unit_price
        assert unit_price is None or decimals_of(unit_price) <= digits or plain(entered.price) == plain(str(unit_price))
        if unit_price is not None:
            assert gross_estimates.half_up(Fraction(unit_price) * Fraction(line.quantity), digits) == Fraction(
                line.amount
            )
    of_tax: dict[str, Fraction] = {}
    for entered, line in zip(estimate.lines, lines, strict=True):
        of_tax[entered.tax] = of_tax.get(entered.tax, Fraction(0)) + Fraction(line.amount)
    if not sums.markup and not sums.discount:
        assert of_tax == {part.tax: part.gross for part in expected.parts}


def plain(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimals_of(value: Decimal) -> int:
    return max(0, -int(value.normalize().as_tuple().exponent))


def check_texts(estimate: GeneratedEstimate, compiler: Any) -> None:
    """The text of the PDF, and of the message, have the prices, amounts, taxes and total."""
    document = check(estimate)
    currency, expected = estimate.currency, gross_estimates.figures(estimate)
    text = " ".join(text_of(draft(compiler, document)).replace(NO_BREAK_SPACE, " ").split())
    total = money(decimal(expected.total), currency, "en").replace(NO_BREAK_SPACE, " ")
    assert total in text
    for each in expected.prices:
        shown = price(decimal(each), currency, "en").replace(NO_BREAK_SPACE, " ")
        assert shown.removeprefix(f"{currency} ") in text
    totals = revision_totals(confirmed(estimate))
    facts = MessageFacts("Doors", totals.total, currency, "Workshop", tax=totals.tax or None)
    assert total in message_draft(facts, "en", "formal", False).body.replace(NO_BREAK_SPACE, " ")


def decimal(value: Fraction) -> Decimal:
    with localcontext(EXACT):
        return Decimal(value.numerator) / Decimal(value.denominator)


def estimates(count: int, seed: int) -> list[GeneratedEstimate]:
    generator = random.Random(seed)
    return [gross_estimates.generated(generator) for _ in range(count)]


def test_seven_chairs_of_150_are_1050() -> None:
    """Entered without tax, as 121.95, and with it."""
    for price_, is_gross in (("121.95", False), ("150", True)):
        document = check(GeneratedEstimate([Line(price_, "7", "23")], "23", "0", "0", "PLN", is_gross))
        assert [(line.unit_price, line.amount) for line in document.lines] == [(Decimal(150), Decimal(1050))]
        sums = document.sums
        assert sums.tax is not None
        assert (sums.total, sums.net, sums.tax.amount) == (Decimal(1050), Decimal("853.66"), Decimal("196.34"))


def test_prices_meant_gross_are_printed_and_add_up() -> None:
    for estimate in estimates(250, seed=1):
        check(estimate)
        check(estimate, PdfExportOptions())


def test_texts_of_pdfs_and_messages_have_gross_prices() -> None:
    compiler = new_compiler()
    for estimate in estimates(12, seed=2):
        check_texts(estimate, compiler)


@pytest.mark.prove
def test_thousands_of_prices_meant_gross_are_printed_and_add_up() -> None:
    compiler = new_compiler()
    for at, estimate in enumerate(estimates(10_000, seed=3)):
        check(estimate)
        check(estimate, random.Random(at).choice([PdfExportOptions(), PdfExportOptions(show_discount=True)]))
        if at % 100 == 0:
            check_texts(estimate, compiler)


def test_a_price_entered_with_tax_stays_as_fine_as_it_is() -> None:
    leaflets = GeneratedEstimate(
        [Line("0.0425", "10000", "23"), Line("0.0425", "7", "exempt")], "23", "0", "0", "PLN", True
    )

    assert [line.amount for line in check(leaflets).lines] == [425, Decimal("0.3")]


def test_a_hidden_markup_makes_no_fraction_of_the_minor_unit() -> None:
    """Where no whole price gives the amount, the line has none."""
    leaflets = GeneratedEstimate([Line("0.042", "10000", "23")], "23", "10", "0", "PLN", True)
    document = estimate_document(confirmed(leaflets), PdfExportOptions(), locale="en", preliminary=False)

    assert [(line.unit_price, line.amount) for line in document.lines] == [(None, Decimal(462))]


def test_facts_of_a_gross_price_are_stored_and_read() -> None:
    facts = DocumentFacts(prices_entered="gross")

    assert msgspec.json.encode(facts) == b'{"pricesEntered":"gross"}'
    assert facts.replacing(DocumentFacts()) == facts
    assert DocumentFacts().replacing(facts) == facts
    assert DocumentFacts(prices_entered="net").replacing(facts) == DocumentFacts()
