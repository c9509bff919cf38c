"""Slip layout model: paper, texts, and the QR code in whole dots of a label printer."""

from msgspec import Struct

from backbench.documents.slips import SlipDocument, SlipFormat
from backbench.integrations.pdf.drawing import signature_svg
from backbench.integrations.pdf.letterheads import tax_id_text
from backbench.integrations.pdf.typesetting import BreakableText, breakable, legible, segments, text_lines
from backbench.integrations.pdf.widths import SEMIBOLD, cut, cut_lines, text_width
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.values.enums import DocumentLocale
from backbench.values.locales import day, money
from backbench.words import words

# Label printers have 203 dots an inch. A module of whole dots is printed sharp.
DOT_MM = 25.4 / 203
_MOST_DOTS = 5
# Of a label: the size of its title in points, the lines that it has, and those with the place below it.
_LABEL_SIZE = 7.5
_LABEL_LINES: dict[str, tuple[int, int]] = {"label-62x29": (4, 3), "label-54x25": (3, 2)}
# On A5, in em: more of a description and of a condition does not fit onto the half of the customer, or of the workshop.
_CUSTOMER_TEXTS, _OWN_TEXTS = (90, 170), (170, 420)
# Width and height of the paper, in millimetres; 0: as long as needed.
SIZES: dict[SlipFormat, tuple[float, float]] = {
    "a5": (148, 210),
    "receipt-80": (80, 0),
    "receipt-58": (58, 0),
    "label-62x29": (62, 29),
    "label-54x25": (54, 25),
}
# The largest side of a code with its quiet zone.
_CODE_SPACE: dict[SlipFormat, float] = {
    "a5": 30, "receipt-80": 34, "receipt-58": 34, "label-62x29": 28.5, "label-54x25": 25,
}  # fmt: skip


class Row(Struct, frozen=True):
    """A label, and the lines beside it. `size` is in points, smaller for longer texts.

    `is_figure`: amounts and dates, in figures of one width.
    """

    label: str
    lines: list[BreakableText]
    size: float
    is_figure: bool = False


class SlipLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template. Lengths are in millimetres; `code_side` is without the quiet zone.

    `label` are the lines of a label's title and, where it is wanted, its place. `money` are price, paid and due.
    """

    lang: DocumentLocale
    title: str
    width: float
    height: float
    workshop: BreakableText
    contact: list[BreakableText]
    order: str
    number: str
    piece: str
    heading: BreakableText
    heading_size: float
    label: list[str]
    due: str
    # In points, on a label: its one line.
    due_size: float
    customer: list[Row]
    money: list[tuple[str, str]]
    terms: list[BreakableText]
    own: list[Row]
    # As SVG; "" where nobody has signed.
    drawing: str
    signed: BreakableText
    code: str
    code_side: float
    quiet: float
    labels: dict[str, str]


def slip_layout(document: SlipDocument) -> SlipLayout:
    locale, labels = document.locale, words(document.locale).slip
    width, height = SIZES[document.format]
    code = qr_svg(document.address)
    module = _module_mm(_modules(code), _CODE_SPACE[document.format])
    # Of the text beside the code of a label, without the margin of the paper.
    ems = (width - (_modules(code) + 2 * QUIET_MODULES) * module - 3) / 25.4 * 72 / _LABEL_SIZE
    return SlipLayout(
        lang=locale,
        title=f"{labels['order']} {document.number}",
        width=width,
        height=height,
        workshop=segments(document.workshop_name),
        contact=_contact(document),
        order=labels["order"],
        number=str(document.number),
        piece=labels["piece"].format(piece=document.piece, pieces=document.pieces),
        heading=breakable(document.title, locale),
        heading_size=12 if len(document.title) <= 100 else 9,
        label=_label(document, ems),
        due=_due(document),
        due_size=_LABEL_SIZE * min(1, ems / max(1, text_width(_due(document)))),
        customer=_customer_rows(document),
        money=_money_texts(document),
        terms=text_lines(_in_few_lines(document.terms), locale),
        own=_workshop_rows(document),
        drawing=signature_svg(document.strokes),
        signed=breakable(_signed(document), locale),
        code=code,
        code_side=_modules(code) * module,
        quiet=QUIET_MODULES * module,
        labels={name: legible(text) for name, text in labels.items()},
    )


def _signed(document: SlipDocument) -> str:
    """What is below the line of the signature."""
    on = "" if document.signed_on is None else day(document.signed_on, document.locale)
    return ", ".join(part for part in (words(document.locale).slip["signature"], document.signer, on) if part)


def _label(document: SlipDocument, ems: float) -> list[str]:
    """The title in the lines that a label has, which are so many em wide; and the place on a line of its own."""
    if document.format not in _LABEL_LINES:
        return []
    ems /= SEMIBOLD
    has_place = document.has_place and document.place.strip() != ""
    title = cut_lines(document.title, ems, _LABEL_LINES[document.format][has_place])
    return [*title, cut(document.place, ems)] if has_place else title


def _contact(document: SlipDocument) -> list[BreakableText]:
    tax_id = [tax_id_text(document.tax_id, document.locale)] if document.tax_id.strip() else []
    return [breakable(line, document.locale) for line in [*document.workshop_contact[:8], *tax_id]]


def _modules(code: str) -> int:
    """The modules of a side of the code."""
    return int(code.partition('width="')[2].partition('"')[0])


def _module_mm(modules: int, space: float) -> float:
    """The side of a module: as many whole dots as the space allows."""
    dots = int(space / (modules + 2 * QUIET_MODULES) / DOT_MM)
    return max(1, min(dots, _MOST_DOTS)) * DOT_MM


def _due(document: SlipDocument) -> str:
    if document.due_on is None:
        return ""
    return ", ".join(part for part in (day(document.due_on, document.locale), document.due_time) if part)


def _customer_rows(document: SlipDocument) -> list[Row]:
    description, condition = _texts(document, _CUSTOMER_TEXTS)
    return _rows(
        document,
        {
            "customer": document.customer_name,
            "due": _due(document),
            "limit": _limit(document),
            "received": day(document.received_on, document.locale),
            "serial": document.serial,
            "item": description,
            "condition": condition,
        },
    )


def _workshop_rows(document: SlipDocument) -> list[Row]:
    description, condition = _texts(document, _OWN_TEXTS)
    return _rows(
        document,
        {
            "customer": document.customer_name,
            "phone": document.phone,
            "due": _due(document),
            "limit": _limit(document),
            "to_pay": _to_pay(document),
            "place": document.place,
            "received": day(document.received_on, document.locale),
            "serial": document.serial,
            "item": description,
            "condition": condition,
        },
    )


def _texts(document: SlipDocument, widths: tuple[int, int]) -> tuple[str, str]:
    """Description and condition: whole where the paper is as long as needed."""
    description, condition = _in_few_lines(document.description), _in_few_lines(document.condition)
    if document.format != "a5":
        return description, condition
    return cut(description, widths[0]), cut(condition, widths[1])


def _limit(document: SlipDocument) -> str:
    if document.price_limit is None:
        return ""
    return money(document.price_limit, document.currency, document.locale)


def _to_pay(document: SlipDocument) -> str:
    return "" if document.money is None else money(document.money.due, document.money.currency, document.locale)


def _money_texts(document: SlipDocument) -> list[tuple[str, str]]:
    """Price, what was paid, and what is still to pay: that alone where nothing was paid."""
    found = document.money
    if found is None:
        return []
    amounts = {"price": found.agreed, "paid": found.paid, "to_pay": found.due}
    shown = amounts if found.paid else {"to_pay": found.due}
    labels = words(document.locale).slip
    return [(labels[name], money(amount, found.currency, document.locale)) for name, amount in shown.items()]


def _rows(document: SlipDocument, texts: dict[str, str]) -> list[Row]:
    labels = words(document.locale).slip
    return [
        Row(
            labels[name],
            text_lines(text, document.locale),
            _size(text),
            is_figure=name in ("due", "limit", "to_pay", "received"),
        )
        for name, text in texts.items()
        if text.strip()
    ]


def _in_few_lines(text: str) -> str:
    """One that has many lines is set as one paragraph, to fit onto the paper."""
    if text.count("\n") <= 3:
        return text
    return " · ".join(line.strip() for line in text.split("\n") if line.strip())


def _size(text: str) -> float:
    if len(text) <= 250:
        return 9
    return 7.5 if len(text) <= 700 else 6
