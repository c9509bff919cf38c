"""Sums of an estimate as texts: the rows above the total, the taxes in it, the deposit, and the size of the total."""

from decimal import Decimal

from backbench.documents.documents import EstimateDocument
from backbench.documents.figures import DocumentTax
from backbench.integrations.pdf.estimates.table import WIDE, amount_text
from backbench.integrations.pdf.wording import LABELS, MISSING, in_words, price_words, tax_label
from backbench.values.locales import percent

Rows = list[tuple[str, str]]
# In points: the width of the sums less the gap between label and figure, and sizes of the total.
SUMS_WIDTH = 78 / 25.4 * 72
TOTAL_LABEL_SIZE, LARGEST_TOTAL, SMALLEST_TOTAL = 9, 15.0, 8.0


def sums_rows(document: EstimateDocument) -> tuple[Rows, Rows]:
    """The rows above the total, empty if there is only a total; and those of what a gross total includes."""
    if not document.sums.is_gross:
        return _before_taxes(document) + _taxes(document, document.sums.taxes), []
    included, apart = LABELS[document.locale]["included"], document.sums.kinds_apart
    taxes = [tax for tax in document.sums.taxes if tax.kind is None or not apart]
    untaxed = [tax for tax in document.sums.taxes if tax.kind is not None and apart]
    rows = [(included.format(text=text), amount) for text, amount in _taxes(document, taxes)]
    return _before_taxes(document), rows + [_untaxed(tax, document) for tax in untaxed]


def _before_taxes(document: EstimateDocument) -> Rows:
    labels, sums, locale = LABELS[document.locale], document.sums, document.locale
    rows: list[tuple[str, Decimal]] = []
    if sums.markup is not None or sums.discount is not None:
        rows.append((price_words(document, "subtotal"), sums.subtotal))
    if sums.markup is not None:
        rows.append((f"{labels['markup']} {percent(sums.markup.percent, locale)}", sums.markup.amount))
    if sums.discount is not None:
        rows.append((f"{labels['discount']} {percent(sums.discount.percent, locale)}", -sums.discount.amount))
    if sums.is_taxed and not sums.is_gross:
        rows.append((in_words(document, "net"), sums.net))
    return [(text, amount_text(amount, document)) for text, amount in rows]


def _taxes(document: EstimateDocument, taxes: list[DocumentTax]) -> Rows:
    sums, label = document.sums, tax_label(document)
    rows = []
    if sums.tax is not None:
        text = f"{label} {percent(sums.tax.percent, document.locale)}"
        rows.append((text, amount_text(sums.tax.amount, document)))
    return rows + [_tax(tax, document, is_only=len(sums.taxes) == 1) for tax in taxes]


def _untaxed(tax: DocumentTax, document: EstimateDocument) -> tuple[str, str]:
    """The part of a gross total that has no tax in it."""
    label = LABELS[document.locale][f"{tax.kind}_part"].format(label=tax_label(document))
    return label, amount_text(tax.net, document)


def _tax(tax: DocumentTax, document: EstimateDocument, *, is_only: bool) -> tuple[str, str]:
    labels, label, net = LABELS[document.locale], tax_label(document), amount_text(tax.net, document)
    if tax.percent is not None:
        text = labels["tax_of"].format(label=label, percent=percent(tax.percent, document.locale), net=net)
        return text, amount_text(tax.amount, document)
    kind = labels[tax.kind or "outside"].format(label=label)
    return kind if is_only else labels["kind_of"].format(kind=kind, net=net), MISSING


def deposit_rows(document: EstimateDocument) -> Rows:
    """The deposit and what then remains. A preliminary estimate has none: nothing is ordered with it."""
    deposit, labels = document.sums.deposit, LABELS[document.locale]
    if deposit is None or document.preliminary:
        return []
    share = "" if deposit.percent is None else percent(deposit.percent, document.locale)
    amount = amount_text(deposit.amount, document)
    if deposit.kind is None or deposit.balance is None:
        return [(labels["deposit"].format(percent=share), amount)]
    kind = labels["with_order"].format(kind=f"{labels[deposit.kind]} {share}".rstrip())
    rows = [(kind, amount)]
    return [*rows, (labels["balance"], amount_text(deposit.balance, document))] if deposit.balance else rows


def total_size(label: str, amount: str) -> float:
    """In points: the label stays on one line."""
    left = SUMS_WIDTH - len(label) * WIDE * TOTAL_LABEL_SIZE
    return max(SMALLEST_TOTAL, min(LARGEST_TOTAL, round(left / (len(amount) * WIDE) * 2) / 2))
