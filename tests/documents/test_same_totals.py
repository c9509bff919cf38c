"""Totals are the same in the API, the hashed JSON, the PDF, the client page and the app, for every kind of estimate."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from decimal import Decimal, localcontext
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import example, given, settings

from backbench.documents.documents import EstimateDocument, PdfExportOptions
from backbench.estimating.document_facts import DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.documents import estimate_document
from backbench.estimating.estimates import EstimateRevision
from backbench.estimating.line_items import LineItem
from backbench.estimating.revisions import (
    CURRENT_RULES,
    CURRENT_TEXTS,
    ConfirmedRevision,
    DocumentSnapshot,
    RevisionTotals,
    revision_totals,
)
from backbench.integrations.pdf.estimates.layout import page_layout
from backbench.integrations.pdf.render_process import draft, new_compiler
from backbench.sharing.client_documents import canonical_document, client_document
from backbench.values.locales import NO_BREAK_SPACE
from backbench.values.money import EXACT
from backbench.values.numbers import Number
from tests.documents.generated_documents import Ask, jobs, process
from tests.integrations.pdf.pdf_text import text_of

few = settings(max_examples=30, deadline=None)
many = settings(max_examples=3000, deadline=None)

# A discount of nothing has no minus sign.
FOR_FREE = (
    [LineItem("l0", "Door", "piece", Number(0), Number(0))],
    Decimal(0),
    Decimal(5),
    DocumentFacts(),
    PdfExportOptions(show_markup=False, show_discount=True),
    "en",
    "PLN",
)


class Asked(NamedTuple):
    """The JavaScript of the client page and of the app, and the renderer of PDFs."""

    page: Ask
    app: Ask
    compiler: Any


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    with ExitStack() as opened:
        page = opened.enter_context(process("page_sums_process.js"))
        app = opened.enter_context(process("unit/totals_process.js"))
        yield Asked(page, app, new_compiler())


def confirmed(items: list[LineItem], markup: Number, discount: Number, facts: DocumentFacts, currency: Any) -> Any:
    now = "2026-05-02T10:00:00.000Z"
    document_settings = DocumentSettings(
        currency=currency, time_zone="Europe/Warsaw", iban="PL61109010140000071219812874"
    )
    snapshot = DocumentSnapshot(
        "Workshop",
        "🪵",
        "",
        "",
        "sans",
        None,
        document_settings,
        document_settings.today(now),
        rules=CURRENT_RULES,
        texts=CURRENT_TEXTS,
    )
    revision = EstimateRevision("r", 1, now, "u", "Doors", markup, discount, items)
    return ConfirmedRevision(revision, "Anna", facts.revision_terms(document_settings), facts, snapshot)


def check(asked: Asked, job: Any) -> None:
    items, markup, discount, facts, options, locale, currency = job
    revision = confirmed(items, markup, discount, facts, currency)
    document = estimate_document(revision, options, locale=locale, preliminary=False)
    api = revision_totals(revision)
    shown = json.loads(canonical_document(client_document(document)))
    check_hashed(shown, api)
    check_app(asked, revision, api, shown)
    check_page_and_pdf(asked, document, shown)


def check_hashed(shown: Any, api: RevisionTotals) -> None:
    """The hashed JSON has the totals of the API, and its lines, sections and rows add up."""
    sums = shown["sums"]
    assert Decimal(sums["total"]) == api.total
    assert Decimal(sums["net"]) == api.net
    taxes = [Decimal(each["amount"]) for each in sums["taxes"]] or [Decimal(sums.get("tax", {"amount": 0})["amount"])]
    assert sum(taxes) == (api.tax or 0)
    rows = Decimal(sums["subtotal"]) + amount(sums, "markup") - amount(sums, "discount")
    with localcontext(EXACT):
        assert rows == Decimal(sums["total" if sums.get("prices") == "gross" else "net"])
        if all("amount" in line for line in shown["lines"]):
            assert sum(Decimal(line["amount"]) for line in shown["lines"]) == Decimal(sums["subtotal"])
        for section in shown.get("sections", []):
            part = shown["lines"][section["first"] : section["first"] + section["lines"]]
            if "amount" in section:
                assert sum(Decimal(line["amount"]) for line in part) == Decimal(section["amount"])
        if "deposit" in sums:
            assert Decimal(sums["deposit"]["amount"]) + Decimal(sums["deposit"]["balance"]) == Decimal(sums["total"])


def amount(sums: Any, name: str) -> Decimal:
    return Decimal(sums[name]["amount"]) if name in sums else Decimal(0)


def check_app(asked: Asked, revision: ConfirmedRevision, api: RevisionTotals, shown: Any) -> None:
    terms = revision.terms
    estimate = {
        "lineItems": revision.revision.line_items,
        "markupPercent": revision.revision.markup_percent,
        "discountPercent": revision.revision.discount_percent,
        "taxPercent": None if terms.tax_percent is msgspec.UNSET else terms.tax_percent,
        "taxKind": terms.tax_kind,
        "lineTaxes": terms.line_taxes,
        "pricesEntered": terms.prices_entered,
        "pricesShown": terms.prices_shown,
        "depositPercent": None if terms.deposit_percent is msgspec.UNSET else terms.deposit_percent,
        "depositAmount": None if terms.deposit_amount is msgspec.UNSET else terms.deposit_amount,
    }
    app = asked.app({"estimate": estimate, "currency": api.currency})
    assert [Decimal(app[name]) for name in ("net", "total")] == [api.net, api.total]
    assert [Decimal(line["amount"]) for line in app["lines"]] == [line.amount for line in api.lines]
    assert Decimal(app.get("deposit", 0)) == amount(shown["sums"], "deposit")


def check_page_and_pdf(asked: Asked, document: EstimateDocument, shown: Any) -> None:
    """Labels and figures of the page are those of the PDF, and the text of the PDF has them."""
    page, layout = asked.page(shown), page_layout(document)
    assert plain(page["above"]) == plain(layout.sums)
    assert plain([page["total"]]) == plain([(layout.total.label, layout.total.amount)])
    assert plain(page["included"]) == plain(layout.included)
    assert plain(page["deposit"]) == plain(layout.deposit)
    text = " ".join(text_of(draft(asked.compiler, document)).replace(NO_BREAK_SPACE, " ").split())
    rows = [*page["above"], page["total"], *page["included"], *page["deposit"]]
    for label, figure in rows:
        assert f"{label} {figure}".replace(NO_BREAK_SPACE, " ") in text
    if layout.table.rows and shown.get("breakdown") != "unpriced":
        printed = [row.figures for row in layout.table.rows if row.kind == "line"]
        for line, figures, amount_text in zip(shown["lines"], printed, page["amounts"], strict=True):
            is_priced = line["quantity"] != "0" and line.get("unitPrice") != "0"
            assert not is_priced or amount_text in figures


def plain(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Labels and figures without no-break spaces: on the page no Polish word of one letter ends a line."""
    return [[text.replace(NO_BREAK_SPACE, " ") for text in row] for row in rows]


def test_totals_are_the_same_everywhere(asked: Asked) -> None:
    few(example(FOR_FREE)(given(jobs)(lambda job: check(asked, job))))()


@pytest.mark.prove
def test_totals_of_thousands_of_estimates_are_the_same_everywhere(asked: Asked) -> None:
    many(given(jobs)(lambda job: check(asked, job)))()
