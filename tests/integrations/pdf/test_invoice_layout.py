"""Invoice layout: rows and sums that state what the figures of the invoice say, and add up."""

from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any

from msgspec import structs
from tools.golden_documents import GLAZURA

from backbench.documents.invoices import (
    AdvanceRef,
    Corrected,
    EnteredLine,
    Figures,
    InvoiceDocument,
    PrintedInvoice,
    advance,
    difference,
    less_advances,
    of_lines,
    sums_of,
)
from backbench.integrations.pdf.invoice_layout import invoice_layout
from backbench.values.enums import DocumentLocale, PricesShown
from backbench.values.numbers import Number
from backbench.values.taxes import Tax
from backbench.words import words
from tests.documents.test_invoice_files import BUYERS, SELLER
from tests.support.violations import violations

LOCALES: tuple[DocumentLocale, ...] = ("en", "pl")
PRICES: tuple[PricesShown, ...] = ("net", "gross")
SHELF = EnteredLine(
    id="1", label="Blat", unit="piece", unit_price=Number(100), quantity=Number(10), tax=Tax(Number(23))
)
LEG = structs.replace(SHELF, id="2", label="Noga", unit="freeform", quantity=Number(1))
NOTHING = Number(0)


def figures(*lines: EnteredLine, prices: PricesShown = "net") -> Figures:
    return of_lines(lines, currency="PLN", prices=prices, tax=Tax(Number(23)), label="VAT")


def invoice(of: Figures, **members: Any) -> InvoiceDocument:
    whole = InvoiceDocument(
        id="an invoice",
        kind="invoice",
        currency="PLN",
        seller=SELLER,
        buyer=BUYERS[0],
        figures=of,
        number="FV 1/2026",
    )
    return structs.replace(whole, **members)


def correction(before: Figures, after: Figures, **members: Any) -> InvoiceDocument:
    sums = difference(sums_of(before), sums_of(after))
    corrects = Corrected("an invoice", "FV 1/2026", "Inaczej", "2026-11-28", "invoice", sums_of(before), sums)
    return invoice(after, kind="correction", corrects=corrects, lines_before=before, **members)


def layout(document: InvoiceDocument, locale: DocumentLocale) -> Any:
    printed = PrintedInvoice(
        document=document,
        letterhead=GLAZURA,
        locale=locale,
        paper_size="A4",
        order_number=12,
        made_on=date(2026, 11, 29),
    )
    return invoice_layout(printed)


def plain_amount(text: str, locale: DocumentLocale) -> str:
    """Without currency and groups."""
    found = text.replace(",", "." if locale == "pl" else "")
    return "".join(each for each in found if each in "0123456789.").strip(".")


def test_a_line_of_quantity_0_is_charged_with_nothing_and_is_no_option() -> None:
    other = structs.replace(LEG, tax=Tax(Number(8)))
    with violations() as case:
        for locale, prices, price in product(LOCALES, PRICES, (Number(50), NOTHING)):
            before = figures(SHELF, other, prices=prices)
            after = figures(SHELF, structs.replace(other, quantity=NOTHING, unit_price=price), prices=prices)
            for document in (invoice(after), correction(before, after)):
                with case(f"{locale}, {prices}, {document.kind} at {price}"):
                    row = layout(document, locale).table.rows[1]
                    assert row.quantity == ("0", "", "×")
                    assert [plain_amount(text, locale) for text in row.figures[-2:]] == [f"{price}.00", "0.00"]


def test_advances_are_taken_off_as_far_as_the_figures_take_them_off() -> None:
    whole = figures(SHELF)
    paid = advance(whole, Decimal(369), "PLN", "Zaliczka")
    left = less_advances(whole, [paid])
    fewer = less_advances(figures(structs.replace(SHELF, quantity=Number(4))), [paid])
    nothing = figures(structs.replace(SHELF, quantity=NOTHING))
    advances = [AdvanceRef("an advance", "ZAL 1/2026", paid.total)]
    cases = {
        "what an advance leaves": (invoice(left, kind="final", advances=advances), ["1230.00", "369.00", "861.00"]),
        "corrected": (correction(left, fewer, advances=advances), ["492.00", "369.00", "123.00"]),
        "corrected to nothing": (correction(left, nothing, advances=advances), ["0.00"]),
    }
    with violations() as case:
        for locale, (name, (document, stated)) in product(LOCALES, cases.items()):
            with case(f"{locale}: {name}"):
                found = layout(document, locale)
                labels = words(locale).invoice
                whole_, taken = labels["whole"], labels["advances"].format(numbers="ZAL 1/2026")
                rows = [amount for label, amount in found.sums if label in (whole_, taken)]
                assert [plain_amount(text, locale) for text in (*rows, found.total.amount)] == stated
                assert (found.total.label == labels["left"]) == (len(stated) > 1)
