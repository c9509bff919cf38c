"""Receipt layout model: the texts of a receipt of a payment as its template places them."""

from msgspec import Struct

from backbench.documents.receipts import ReceiptDocument
from backbench.integrations.pdf.letterheads import tax_id_text
from backbench.integrations.pdf.typesetting import BreakableText, breakable, legible, segments
from backbench.integrations.pdf.widths import cut, text_width
from backbench.values.amounts_in_words import in_words
from backbench.values.enums import DocumentLocale
from backbench.values.locales import day, money
from backbench.words import words


class Row(Struct, frozen=True):
    """`is_figure`: an amount or a date, in figures of one width."""

    label: str
    text: BreakableText
    is_strong: bool = False
    is_figure: bool = False


class ReceiptLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template, in reading order. `void` is empty for a payment that stands. `size` is in points.

    `signatures` are the labels of lines to sign on, each with the name below it, or none.
    """

    lang: DocumentLocale
    title: str
    author: str
    size: float
    workshop: BreakableText
    contact: list[BreakableText]
    void: list[BreakableText]
    order: str
    kind: str
    number: BreakableText
    rows: list[Row]
    state: str
    sums: list[Row]
    signatures: list[tuple[str, BreakableText]]
    statement: str


def receipt_layout(document: ReceiptDocument) -> ReceiptLayout:
    locale, labels = document.locale, words(document.locale).receipt
    kind, statement = _kind(document)
    # A payment of an earlier release is known by its id.
    number = document.number or labels["number"].format(id=document.payment_id)
    tax_id = [tax_id_text(document.tax_id, locale)] if document.tax_id.strip() else []
    return ReceiptLayout(
        lang=locale,
        title=f"{kind} {number}, {labels['order'].format(number=document.order_number)}",
        author=legible(document.workshop_name),
        size=_size(document),
        workshop=segments(document.workshop_name),
        contact=[breakable(line, locale) for line in [*document.workshop_contact[:8], *tax_id]],
        void=_void(document),
        order=labels["order"].format(number=document.order_number),
        kind=kind,
        number=segments(number),
        rows=_rows(document),
        state=labels["state"].format(day=day(document.stated_on, locale)),
        sums=_sums(document),
        signatures=_signatures(document),
        statement=statement,
    )


# In points, by the width in em of the longer texts together: more are set smaller, to stay on one page.
_SIZES = ((200, 9.5), (420, 7), (700, 5.5), (float("inf"), 4.8))


def _size(document: ReceiptDocument) -> float:
    texts = (document.workshop_name, document.customer_name, document.title, document.note, document.void_reason)
    width = sum(map(text_width, texts))
    return next(size for most, size in _SIZES if width <= most)


def _kind(document: ReceiptDocument) -> tuple[str, str]:
    """What the receipt is called, and the sentence that says what it confirms.

    A deposit is called what the estimate calls it.
    """
    kind = document.kind
    name = document.deposit_kind if kind == "deposit" and document.deposit_kind else kind
    labels = words(document.locale).receipt
    return labels[name], labels["statement"].format(confirmed=labels[f"{name}_confirmed"])


def _void(document: ReceiptDocument) -> list[BreakableText]:
    if document.voided_on is None:
        return []
    text = words(document.locale).receipt["void"].format(day=day(document.voided_on, document.locale))
    return [breakable(text, document.locale), breakable(document.void_reason, document.locale)]


def _rows(document: ReceiptDocument) -> list[Row]:
    locale, labels = document.locale, words(document.locale).receipt
    is_refund = document.kind == "refund"
    customer = tax_id_text(document.customer_tax_id, locale) if document.customer_tax_id.strip() else ""
    texts = [
        ("refunded" if is_refund else "amount", money(document.amount, document.currency, locale)),
        ("in_words", in_words(document.amount, document.currency, locale)),
        ("received", day(document.received_on, locale)),
        ("refund_method" if is_refund else "method", words(locale).receipt_methods[document.method]),
        ("refunded_to" if is_refund else "from", document.customer_name),
        ("customer_tax_id", customer),
        ("for", document.title),
        ("note", document.note),
    ]
    return [
        Row(
            "" if name == "customer_tax_id" else labels[name],
            breakable(text, locale),
            is_strong=name in ("amount", "refunded"),
            is_figure=name in ("amount", "refunded", "received"),
        )
        for name, text in texts
        if text.strip()
    ]


# Of a name below its signature, in em: one line.
_NAME_WIDTH = 52 / 25.4 * 72 / 8.5


def _signatures(document: ReceiptDocument) -> list[tuple[str, BreakableText]]:
    """Who took the money signs; of a refund, who paid it back and who got it. Nobody took what no hand passed on."""
    labels, taker = words(document.locale).receipt, [cut(document.recorded_by, _NAME_WIDTH)]
    if document.method != "cash":
        return [(labels["issued_by"], taker)]
    if document.kind != "refund":
        return [(labels["taken_by"], taker)]
    return [(labels["paid_by"], taker), (labels["got_by"], [cut(document.customer_name, _NAME_WIDTH)])]


def _sums(document: ReceiptDocument) -> list[Row]:
    """Nothing where no price is agreed."""
    if document.agreed is None or document.due is None:
        return []
    labels = words(document.locale).receipt
    amounts = {"agreed": document.agreed, "paid": document.paid, "due": document.due}
    return [
        Row(
            labels[name],
            segments(money(amount, document.balance_currency, document.locale)),
            is_strong=name == "due",
            is_figure=True,
        )
        for name, amount in amounts.items()
    ]
