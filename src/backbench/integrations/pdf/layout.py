"""Page layout model: the texts, colours and sizes of an estimate in the client's language, as the template places them.

All labels, colours and sizes are chosen here; the template only places them. Numbers are already formatted as text.
The template therefore computes nothing, and client text cannot become markup.
"""

import re
from itertools import chain
from typing import Literal

from msgspec import Struct, structs

from backbench.domain.documents.documents import EstimateDocument, Letterhead
from backbench.domain.documents.withdrawal import MORE_ON_PRIVACY, PRIVACY, WITHDRAWAL
from backbench.domain.estimating.document_titles import title_words
from backbench.domain.values.enums import DocumentLocale, PaperSize, TitleFont
from backbench.domain.values.locales import NO_BREAK_SPACE, day, money
from backbench.integrations.pdf.colours import Palette, palette
from backbench.integrations.pdf.conditions import ConditionText, Paragraph, conditions_layout
from backbench.integrations.pdf.glyphs import has_letters, legible, segments
from backbench.integrations.pdf.qr_code import qr_svg
from backbench.integrations.pdf.sums import deposit_rows, sums_rows, total_size
from backbench.integrations.pdf.table import Table, table
from backbench.integrations.pdf.typesetting import BreakableText, breakable, text_lines, without_repeated_hyphens
from backbench.integrations.pdf.wording import LABELS, in_words, kind_words

RUNNING_HEAD_LENGTH = 80
# A longer name of a client alone has a row of its own.
LONG_NAME = 32
# A longer note on the tax is with the terms.
LONGEST_REMARK = 300
# Terms of at most as many characters are not separated from the signatures.
SHORT_CONDITIONS = 800
Closing = Literal["with-sums", "together", "flowing"]
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
_PHONE = re.compile(r"\+?[\d ()/.–-]{5,30}")
# Pieces of an address or number that stay on one line.
_PIECES = re.compile(r"[^@/.]*[@/]+|\.?[^@/.]+|\.+")
_WEBSITE = re.compile(r"(?:https?://)?[\w.-]+\.[a-zA-Z]{2,}(?:/[!-~]*)?")


class TitleFace(Struct, frozen=True):
    """A title font. `scale` and `tracking` (in em) even out the apparent size and spacing of the fonts."""

    font: str
    weight: int
    scale: float
    tracking: float


TITLE_FACES: dict[TitleFont, TitleFace] = {
    "sans": TitleFace("Inter", 600, 1.0, -0.015),
    "serif": TitleFace("Source Serif 4", 600, 1.04, -0.005),
    "didone": TitleFace("Bodoni Moda", 500, 1.08, 0.0),
    "mono": TitleFace("IBM Plex Mono", 500, 0.9, -0.03),
    "rounded": TitleFace("Nunito", 700, 1.04, -0.005),
}


class Title(Struct, frozen=True):
    """`size` is in points, and smaller for longer texts."""

    segments: BreakableText
    size: float


class LinkedText(Struct, frozen=True, rename="kebab"):
    """A line of text. `url` is "" if it is not a link.

    Of a code, such as an address or a number, each segment stays in one piece and no hyphen is added.
    """

    text: BreakableText
    url: str = ""
    is_code: bool = False


class LetterheadLayout(Struct, frozen=True, rename="kebab"):
    """`logo` is an emoji, or "". `logo_image` are the bytes of an image that is printed in its place, or empty."""

    name: Title
    logo: str
    logo_image: list[int]
    tagline: BreakableText
    contact: list[LinkedText]


class Fact(Struct, frozen=True):
    """A label, with one or several lines below it."""

    label: str
    lines: list[LinkedText]


class Total(Struct, frozen=True):
    label: str
    amount: str
    size: float


class Acceptance(Struct, frozen=True):
    """The sentence that the client accepts, and the signature lines; each with a name, or without."""

    sentence: str
    signatures: list[tuple[str, BreakableText]]


class ShareLink(Struct, frozen=True, rename="kebab"):
    """The client page of the estimate: its QR code as SVG, and the caption with a short address, which is a link."""

    code: str
    alt: str
    caption: str
    address: LinkedText


class Fit(Struct, frozen=True, rename="kebab"):
    """How the text is fitted to the pages.

    The last `moved_lines` rows of the table start a new page, so that the sums are not alone there. `is_compact`: with
    less space between the parts. `may_end_short`: the last page may be nearly empty.
    """

    moved_lines: int = 0
    is_compact: bool = False
    may_end_short: bool = False


class PageLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template, in reading order. `watermark`, the name of an image, and `brand` may be "".

    `included` are the taxes in a gross total, `deposit` the rows below it. `conditions` are in one column or two.
    `closing` is how the terms and signatures follow the sums: on their page, on one page of their own, or wherever
    they fall. `fit` is what was changed so that pages end well.
    """

    lang: DocumentLocale
    title: str
    author: str
    paper: str
    face: TitleFace
    colours: Palette
    watermark: str
    letterhead: LetterheadLayout
    running_head: tuple[BreakableText, str]
    kind: str
    heading: Title
    parties: list[Fact]
    facts: list[Fact]
    intro: list[BreakableText]
    table: Table
    fit: Fit
    remarks: list[list[BreakableText]]
    sums: list[tuple[str, str]]
    total: Total
    included: list[tuple[str, str]]
    deposit: list[tuple[str, str]]
    share: ShareLink | None
    conditions_heading: str
    conditions: list[list[Paragraph]]
    acceptance: Acceptance | None
    closing: Closing
    foot: BreakableText
    brand: str
    pages: tuple[str, str]


PAGE_SIZES: dict[PaperSize, str] = {"A4": "a4", "Letter": "us-letter"}


def page_layout(document: EstimateDocument, fit: Fit = Fit()) -> PageLayout:  # noqa: B008 - a frozen value
    labels = LABELS[document.locale]
    letterhead, kind = document.letterhead, kind_words(document)
    above, included = sums_rows(document)
    parties, facts = _facts(document)
    table_layout = table(document, [amount for _, amount in above + included])
    return PageLayout(
        lang=document.locale,
        title=f"{kind}{document.number and ' '}{legible(document.number)}: {legible(document.name)}",
        author=legible(letterhead.name),
        paper=PAGE_SIZES[document.paper_size],
        face=title_face(letterhead.title_font, document.name),
        colours=palette(letterhead.accent_color),
        watermark=f"/watermark-{document.locale}.svg" if document.preliminary else "",
        letterhead=letterhead_layout(letterhead, document.locale),
        running_head=(segments(shortened(f"{letterhead.name} · {document.name}")), f"{kind} · {_revision(document)}"),
        kind=kind,
        heading=title_layout(document.name, document.locale, (40, 21), (80, 17), (140, 13), (250, 11)),
        parties=parties,
        facts=facts,
        intro=text_lines(document.intro, document.locale),
        table=table_layout,
        fit=structs.replace(fit, moved_lines=min(fit.moved_lines, len(table_layout.rows))),
        remarks=_remarks(document),
        sums=above,
        total=_total(document),
        included=included,
        deposit=deposit_rows(document),
        share=_share(document),
        conditions_heading=labels["conditions"],
        conditions=conditions_layout(document, _condition_texts(document), is_compact=fit.is_compact),
        acceptance=None if document.preliminary else _acceptance(document),
        closing=_closing(document),
        foot=segments(shortened(letterhead.name)),
        brand=labels["brand"] if document.options.show_brand_mark else "",
        pages=(labels["page"], labels["of"]),
    )


def letterhead_layout(letterhead: Letterhead, locale: DocumentLocale) -> LetterheadLayout:
    image = letterhead.logo_image if letterhead.show_logo else None
    entries = [
        *(LinkedText(line) for line in text_lines(letterhead.address, locale)),
        _linked(letterhead.phone),
        _linked(letterhead.email),
        _linked(letterhead.website),
        code(tax_id_text(letterhead.tax_id, locale)),
        *(LinkedText(line) for line in text_lines(letterhead.registration, locale)),
    ]
    return LetterheadLayout(
        name=title_layout(letterhead.name, locale, (24, 17), (48, 14), (100, 11.5), (250, 9.5)),
        logo=legible(letterhead.logo) if letterhead.show_logo and image is None else "",
        logo_image=list(image or b""),
        tagline=breakable(letterhead.tagline, locale),
        contact=[entry for entry in entries if entry.text],
    )


def tax_id_text(tax_id: str, locale: DocumentLocale) -> str:
    """The tax id with its name, unless it is entered with one, as in "NIP 525...".

    NIP is the name of a Polish one: ten digits, with or without PL. With another country's prefix it is a VAT number.
    """
    labels = LABELS[locale]
    if not re.match(r"(?:[A-Z]{2} ?)?[A-Z]?\d", tax_id):
        return tax_id
    prefix = re.match(r"[A-Z]{2}", tax_id)
    digits = re.sub(r"\D", "", tax_id)
    if prefix and (prefix[0] != "PL" or locale != "pl"):
        name = labels["vat_number"]
    else:
        name = labels["polish_tax_id"] if len(digits) == 10 else labels["tax_id"]
    return f"{name}{NO_BREAK_SPACE}{tax_id}"


def _linked(text: str) -> LinkedText:
    """An email address, telephone number or website with its link; other text without one."""
    if _EMAIL.fullmatch(text):
        return code(text, f"mailto:{text}")
    if _PHONE.fullmatch(text):
        return code(text, "tel:" + re.sub(r"[^\d+]", "", text))
    if _WEBSITE.fullmatch(text):
        return code(text, text if "://" in text else f"https://{text}")
    return LinkedText(segments(text))


def code(text: str, url: str = "") -> LinkedText:
    """An address or number: a line breaks after @ and / and before a dot."""
    return LinkedText([part for piece in _PIECES.findall(text) for part in segments(piece)], url, is_code=True)


def _revision(document: EstimateDocument) -> str:
    return f"{LABELS[document.locale]['revision']} {document.revision_number}"


def shortened(text: str) -> str:
    """Cut to one line: the first page shows the whole text."""
    return text if len(text) <= RUNNING_HEAD_LENGTH else text[: RUNNING_HEAD_LENGTH - 1].rstrip() + "…"


def _facts(document: EstimateDocument) -> tuple[list[Fact], list[Fact]]:
    """The client and the site, which have a row of their own if they take several lines; and the other facts."""
    labels, locale = LABELS[document.locale], document.locale
    parties = _parties(document) if document.options.show_recipient else []
    valid_until = None if document.preliminary else document.valid_until
    valid = title_words(document.title, locale).valid
    facts = [
        (labels["document_number"], document.number),
        (labels["issued"], day(document.issued_on, locale)),
        (valid, "" if valid_until is None else day(valid_until, locale)),
        (labels["revision"], str(document.revision_number)),
    ]
    shown = [Fact(label, [code(value)]) for label, value in facts if value]
    lines = [line for party in parties for line in party.lines]
    if len(lines) > 1 or sum(map(len, chain.from_iterable(line.text for line in lines))) > LONG_NAME:
        return parties, shown
    return [], parties + shown


def _parties(document: EstimateDocument) -> list[Fact]:
    labels, locale, recipient = LABELS[document.locale], document.locale, document.recipient
    client = [
        LinkedText(breakable(recipient.name, locale)),
        *(LinkedText(line) for line in text_lines(recipient.address, locale)),
        code(tax_id_text(recipient.tax_id, locale)),
        _linked(recipient.email),
        _linked(recipient.phone),
    ]
    site = [LinkedText(line) for line in text_lines(recipient.site_address, locale)]
    entries = [(labels["recipient"], client), (labels["site"], site)]
    facts = [Fact(label, [line for line in lines if line.text]) for label, lines in entries]
    return [fact for fact in facts if fact.lines]


def _remarks(document: EstimateDocument) -> list[list[BreakableText]]:
    """Paragraphs next to the sums: that they are preliminary, and a note on the tax if it is short enough."""
    rough = LABELS[document.locale]["rough"] if document.preliminary else ""
    note = document.tax_note if len(document.tax_note) <= LONGEST_REMARK else ""
    return [text_lines(text, document.locale) for text in (rough, note) if text.strip()]


def _total(document: EstimateDocument) -> Total:
    amount = money(document.sums.total, document.currency, document.locale)
    label = in_words(document, "total_with_tax" if document.sums.is_taxed else "total")
    return Total(label, amount, total_size(label, amount))


def _share(document: EstimateDocument) -> ShareLink | None:
    if not document.share_url:
        return None
    labels = LABELS[document.locale]
    # Not the address: without its token, which nobody would type, it opens nothing.
    address = LinkedText([labels["scan"]], document.share_url)
    return ShareLink(qr_svg(document.share_url), labels["share_code"], labels["share"], address)


def _condition_texts(document: EstimateDocument) -> list[ConditionText]:
    """What the client should know before signing: in the text of the document, so that screen readers read it."""
    labels, letterhead = LABELS[document.locale], document.letterhead
    # A short note on the tax is next to the sums.
    note = document.tax_note if len(document.tax_note) > LONGEST_REMARK else ""
    texts = [
        ConditionText(note),
        ConditionText(document.lead_time, labels["lead_time"]),
        ConditionText(document.terms),
        ConditionText(WITHDRAWAL[document.locale][document.withdrawal]),
        ConditionText(_iban(letterhead.iban), labels["account"], is_code=True),
        ConditionText(_privacy(document)),
        ConditionText(letterhead.footer),
    ]
    return [text for text in texts if text.text.strip()]


def _privacy(document: EstimateDocument) -> str:
    letterhead = document.letterhead
    if not letterhead.privacy_url or document.preliminary:
        return ""
    more = MORE_ON_PRIVACY[document.locale].format(url=letterhead.privacy_url)
    return PRIVACY[document.locale].format(workshop=letterhead.name) + " " + more


def _iban(text: str) -> str:
    """In groups of four, as banks print it."""
    compact = text.replace(" ", "")
    return NO_BREAK_SPACE.join(compact[at : at + 4] for at in range(0, len(compact), 4))


def _closing(document: EstimateDocument) -> Closing:
    """A single short paragraph of terms fits below the sums; more would leave much of the page before them empty."""
    texts = _condition_texts(document)
    if sum(len(text.text) for text in texts) > SHORT_CONDITIONS:
        return "flowing"
    return "with-sums" if len(texts) <= 1 else "together"


def _acceptance(document: EstimateDocument) -> Acceptance:
    labels, words = LABELS[document.locale], title_words(document.title, document.locale)
    crafter = segments(document.letterhead.crafter_name)
    sentence = labels["acceptance"].format(accusative=words.accusative, the=words.the)
    return Acceptance(sentence, [(labels["client"], []), (labels["crafter"], crafter)])


def title_layout(text: str, locale: DocumentLocale, *steps: tuple[int, float]) -> Title:
    return Title(without_repeated_hyphens(breakable(text, locale)), _step(text, *steps))


def title_face(font: TitleFont, text: str) -> TitleFace:
    """The face of the workshop; Inter for a text with letters that it lacks, so that a title is in one face."""
    return TITLE_FACES[font if font == "sans" or has_letters(font, text) else "sans"]


def _step(text: str, *steps: tuple[int, float]) -> float:
    """`steps` are pairs of length and size. The size of the first step that is at least as long as `text`."""
    return next((size for length, size in steps if len(text) <= length), steps[-1][1])
