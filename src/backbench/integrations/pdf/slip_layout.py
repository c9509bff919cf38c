"""Slip layout model: paper, texts, and the QR code in whole dots of a label printer."""

from msgspec import Struct

from backbench.documents.slips import SlipDocument, SlipFormat
from backbench.integrations.pdf.drawing import signature_svg
from backbench.integrations.pdf.typesetting import BreakableText, breakable, legible, segments, text_lines
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.values.enums import DocumentLocale
from backbench.values.locales import day, money
from backbench.words import words

# Label printers have 203 dots an inch. A module of whole dots is printed sharp.
DOT_MM = 25.4 / 203
_MOST_DOTS = 5
# The characters of a title that a label has space for.
_LABEL_TITLE = 48
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
    """A label, and the lines beside it. `size` is in points, smaller for longer texts."""

    label: str
    lines: list[BreakableText]
    size: float


class SlipLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template. Lengths are in millimetres; `code_side` is without the quiet zone."""

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
    due: str
    customer: list[Row]
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
    is_label = document.format.startswith("label")
    code = qr_svg(document.address)
    module = _module_mm(_modules(code), _CODE_SPACE[document.format])
    return SlipLayout(
        lang=locale,
        title=f"{labels['order']} {document.number}",
        width=width,
        height=height,
        workshop=segments(document.workshop_name),
        contact=[breakable(line, locale) for line in document.workshop_contact[:8]],
        order=labels["order"],
        number=str(document.number),
        piece=labels["piece"].format(piece=document.piece, pieces=document.pieces),
        heading=breakable(_short(document.title) if is_label else document.title, locale),
        heading_size=12 if len(document.title) <= 100 else 9,
        due=_due(document),
        customer=_customer_rows(document),
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


def _short(title: str) -> str:
    return title if len(title) <= _LABEL_TITLE else title[: _LABEL_TITLE - 1].rstrip() + "…"


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
    """Long texts are last: where the paper ends, nothing else is lost."""
    return _rows(
        document,
        {
            "customer": document.customer_name,
            "due": _due(document),
            "limit": _limit(document),
            "to_pay": _to_pay(document),
            "received": day(document.received_on, document.locale),
            "item": document.description,
            "condition": document.condition,
        },
    )


def _workshop_rows(document: SlipDocument) -> list[Row]:
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
            "item": document.description,
            "condition": document.condition,
        },
    )


def _limit(document: SlipDocument) -> str:
    if document.price_limit is None:
        return ""
    return money(document.price_limit, document.currency, document.locale)


def _to_pay(document: SlipDocument) -> str:
    if document.to_pay is None:
        return ""
    return money(document.to_pay.amount, document.to_pay.currency, document.locale)


def _rows(document: SlipDocument, texts: dict[str, str]) -> list[Row]:
    labels = words(document.locale).slip
    return [Row(labels[name], _lines(text, document), _size(text)) for name, text in texts.items() if text.strip()]


def _lines(text: str, document: SlipDocument) -> list[BreakableText]:
    """The lines of a text; one that has many is set as one paragraph, to fit onto the paper."""
    if text.count("\n") > 5:
        text = " · ".join(line.strip() for line in text.split("\n") if line.strip())
    return text_lines(text, document.locale)


def _size(text: str) -> float:
    if len(text) <= 250:
        return 9
    return 7.5 if len(text) <= 700 else 6
