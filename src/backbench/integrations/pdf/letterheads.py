"""Letterhead of documents: the sender's name, logo and contact details, with links."""

import re
from urllib.parse import quote

from msgspec import Struct

from backbench.documents.documents import Letterhead
from backbench.integrations.pdf.typesetting import (
    BreakableText,
    Title,
    breakable,
    legible,
    segments,
    text_lines,
    title_layout,
)
from backbench.integrations.pdf.widths import text_width
from backbench.values.enums import DocumentLocale
from backbench.values.locales import NO_BREAK_SPACE
from backbench.values.phones import dialled
from backbench.words import words

_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
_PHONE = re.compile(r"\+?[\d ()/.–-]{5,30}")
# Pieces of an address or number that stay on one line.
_PIECES = re.compile(r"[^@/.]*[@/]+|\.?[^@/.]+|\.+")
_WEBSITE = re.compile(r"(?:https?://)?[\w.-]+\.[a-zA-Z]{2,}(?:/[!-~]*)?")


class LinkedText(Struct, frozen=True, rename="kebab"):
    """A line of text. `url` is "" if it is not a link.

    Of a code, such as an address or a number, each segment stays in one piece and no hyphen is added.
    """

    text: BreakableText
    url: str = ""
    is_code: bool = False


class LetterheadLayout(Struct, frozen=True, rename="kebab"):
    """`logo` is an emoji, or "". `logo_image` are the bytes of an image that is printed in its place, or empty.

    `contact` has one column or two, and `contact_width` is its width in points: with one that Typst has to find, a
    document takes a tenth longer.
    """

    name: Title
    logo: str
    logo_image: list[int]
    tagline: BreakableText
    contact: list[list[LinkedText]]
    contact_width: float


def letterhead_layout(letterhead: Letterhead, locale: DocumentLocale) -> LetterheadLayout:
    image = letterhead.logo_image if letterhead.show_logo else None
    address = [LinkedText(line) for line in text_lines(letterhead.address, locale)]
    others = [
        linked(letterhead.phone),
        linked(letterhead.email),
        linked(letterhead.website),
        code(tax_id_text(letterhead.tax_id, locale)),
        *(LinkedText(line) for line in text_lines(letterhead.registration, locale)),
    ]
    columns = _columns(address, [entry for entry in others if entry.text])
    return LetterheadLayout(
        name=title_layout(letterhead.name, locale, (24, 17), (48, 14), (100, 11.5), (250, 9.5)),
        logo=legible(letterhead.logo) if letterhead.show_logo and image is None else "",
        logo_image=list(image or b""),
        tagline=breakable(letterhead.tagline, locale),
        contact=columns,
        contact_width=_width(columns),
    )


# Of the contact: more lines are in two columns, where both are narrow enough for the name to keep its place.
_MOST_LINES = 4
_CONTACT_SIZE = 7.8
_COLUMN_WIDTH, _COLUMNS_WIDTH, _ONLY_WIDTH, _GAP = (each / 25.4 * 72 / _CONTACT_SIZE for each in (48, 88, 58, 6))


def _columns(address: list[LinkedText], others: list[LinkedText]) -> list[list[LinkedText]]:
    entries = address + others
    if len(entries) <= _MOST_LINES or not others:
        return [entries]
    # An address is never divided.
    at = max(len(address), (len(entries) + 1) // 2)
    columns = [entries[:at], entries[at:]]
    widths = list(map(_widest, columns))
    return columns if max(widths) <= _COLUMN_WIDTH and sum(widths) <= _COLUMNS_WIDTH else [entries]


def _widest(entries: list[LinkedText]) -> float:
    return max((text_width("".join(entry.text)) for entry in entries), default=0)


def _width(columns: list[list[LinkedText]]) -> float:
    """In points."""
    ems = _ONLY_WIDTH if len(columns) == 1 else sum(map(_widest, columns)) + _GAP
    return ems * _CONTACT_SIZE


def tax_id_text(tax_id: str, locale: DocumentLocale) -> str:
    """The tax id with its name, unless it is entered with one, as in "NIP 525...".

    NIP is the name of a Polish one: ten digits, with or without PL. With another country's prefix it is a VAT number.
    """
    labels = words(locale).paper
    if not re.match(r"(?:[A-Z]{2} ?)?[A-Z]?\d", tax_id):
        return tax_id
    prefix = re.match(r"[A-Z]{2}", tax_id)
    digits = re.sub(r"\D", "", tax_id)
    if prefix and (prefix[0] != "PL" or locale != "pl"):
        name = labels["vat_number"]
    else:
        name = labels["polish_tax_id"] if len(digits) == 10 else labels["tax_id"]
    return f"{name}{NO_BREAK_SPACE}{tax_id}"


def linked(text: str) -> LinkedText:
    """An email address, telephone number or website with its link; other text without one."""
    if _EMAIL.fullmatch(text):
        return code(text, f"mailto:{quote(text, safe='@')}")
    if _PHONE.fullmatch(text):
        return code(text, dialled(text).link)
    if _WEBSITE.fullmatch(text):
        return code(text.removeprefix("https://"), text if "://" in text else f"https://{text}")
    return LinkedText(segments(text))


def code(text: str, url: str = "") -> LinkedText:
    """An address or number: a line breaks after @ and / and before a dot."""
    return LinkedText([part for piece in _PIECES.findall(text) for part in segments(piece)], url, is_code=True)
