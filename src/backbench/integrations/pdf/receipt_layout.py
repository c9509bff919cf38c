"""Receipt layout model: the texts of a receipt of a payment as its template places them."""

from msgspec import Struct

from backbench.documents.receipts import ReceiptDocument
from backbench.integrations.pdf.typesetting import BreakableText, breakable, legible, segments
from backbench.values.enums import DocumentLocale
from backbench.values.locales import day, money
from backbench.words import words


class Row(Struct, frozen=True):
    label: str
    text: BreakableText
    is_strong: bool = False


class ReceiptLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template, in reading order. `void` is empty for a payment that stands."""

    lang: DocumentLocale
    title: str
    author: str
    workshop: BreakableText
    contact: list[BreakableText]
    kind: str
    order: str
    void: list[BreakableText]
    rows: list[Row]
    state: str
    sums: list[Row]
    statement: str
    number: BreakableText


def receipt_layout(document: ReceiptDocument) -> ReceiptLayout:
    locale, labels = document.locale, words(document.locale).receipt
    kind = labels[document.kind]
    tax_id = [labels["tax_id"].format(id=document.tax_id)] if document.tax_id.strip() else []
    return ReceiptLayout(
        lang=locale,
        title=f"{kind}, {labels['order'].format(number=document.number)}",
        author=legible(document.workshop_name),
        workshop=segments(document.workshop_name),
        contact=[breakable(line, locale) for line in [*document.workshop_contact[:8], *tax_id]],
        kind=kind,
        order=labels["order"].format(number=document.number),
        void=_void(document),
        rows=_rows(document),
        state=labels["state"].format(day=day(document.stated_on, locale)),
        sums=_sums(document),
        statement=labels["statement"],
        number=segments(labels["number"].format(id=document.payment_id)),
    )


def _void(document: ReceiptDocument) -> list[BreakableText]:
    if document.voided_on is None:
        return []
    text = words(document.locale).receipt["void"].format(day=day(document.voided_on, document.locale))
    return [breakable(text, document.locale), breakable(document.void_reason, document.locale)]


def _rows(document: ReceiptDocument) -> list[Row]:
    locale, labels = document.locale, words(document.locale).receipt
    is_refund = document.kind == "refund"
    amount = money(document.amount, document.currency, locale)
    texts = [
        ("refunded" if is_refund else "amount", amount),
        ("received", day(document.received_on, locale)),
        ("refund_method" if is_refund else "method", words(locale).receipt_methods[document.method]),
        ("from", document.customer_name),
        ("for", document.title),
        ("note", document.note),
    ]
    return [
        Row(labels[name], breakable(text, locale), is_strong=text is amount) for name, text in texts if text.strip()
    ]


def _sums(document: ReceiptDocument) -> list[Row]:
    """Nothing where no price is agreed."""
    if document.agreed is None or document.due is None:
        return []
    labels = words(document.locale).receipt
    amounts = {"agreed": document.agreed, "paid": document.paid, "due": document.due}
    return [
        Row(labels[name], segments(money(amount, document.balance_currency, document.locale)), is_strong=name == "due")
        for name, amount in amounts.items()
    ]
