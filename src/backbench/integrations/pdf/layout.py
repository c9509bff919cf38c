"""Page layout model: the texts, colours and sizes of an estimate in the client's language, as the template places them.

All labels, colours and sizes are chosen here; the template only places them. Numbers are already formatted as text.
The template therefore computes nothing, and client text cannot become markup.
"""

import re
from typing import Literal

from msgspec import Struct

from backbench.domain.documents.documents import EstimateDocument, Letterhead
from backbench.domain.values.enums import DocumentLocale, PaperSize, TitleFont
from backbench.domain.values.locales import NO_BREAK_SPACE, day, money, percent
from backbench.integrations.pdf.colours import Palette, palette
from backbench.integrations.pdf.glyphs import legible, segments
from backbench.integrations.pdf.qr_code import qr_svg
from backbench.integrations.pdf.table import Table, amount_text, table
from backbench.integrations.pdf.typesetting import BreakableText, breakable, text_lines
from backbench.integrations.pdf.wording import LABELS, in_words, tax_label

RUNNING_HEAD_LENGTH = 80
# Terms of at most as many characters are not separated from the signatures.
SHORT_CONDITIONS = 800
Closing = Literal["with-sums", "together", "flowing"]
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
_PHONE = re.compile(r"\+?[\d ()/.–-]{5,30}")
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


class LinkedText(Struct, frozen=True):
    """A line of text. `url` is "" if it is not a link."""

    text: BreakableText
    url: str = ""


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


class Paragraph(Struct, frozen=True):
    """Lines of text, after a label in bold unless it is ""."""

    label: str
    lines: list[BreakableText]


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


class PageLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template, in reading order. `watermark`, the name of an image, and `brand` may be "".

    The last `moved_lines` lines start a new page, so that the sums are not alone there. `closing` is how the
    terms and signatures follow the sums: on their page, on one page of their own, or wherever they fall.
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
    moved_lines: int
    remarks: list[str]
    sums: list[tuple[str, str]]
    total: Total
    deposit: list[tuple[str, str]]
    share: ShareLink | None
    conditions_heading: str
    conditions: list[Paragraph]
    acceptance: Acceptance | None
    closing: Closing
    foot: BreakableText
    brand: str
    pages: tuple[str, str]


PAGE_SIZES: dict[PaperSize, str] = {"A4": "a4", "Letter": "us-letter"}


def page_layout(document: EstimateDocument, moved_lines: int = 0) -> PageLayout:
    labels = LABELS[document.locale]
    letterhead = document.letterhead
    kind = labels["preliminary"] if document.preliminary else labels["kind"]
    sums = _sums(document)
    parties, facts = _facts(document)
    return PageLayout(
        lang=document.locale,
        title=f"{kind}{document.number and ' '}{legible(document.number)}: {legible(document.name)}",
        author=legible(letterhead.name),
        paper=PAGE_SIZES[document.paper_size],
        face=TITLE_FACES[letterhead.title_font],
        colours=palette(letterhead.accent_color),
        watermark=f"/watermark-{document.locale}.svg" if document.preliminary else "",
        letterhead=letterhead_layout(letterhead, document.locale),
        running_head=(segments(shortened(f"{letterhead.name} · {document.name}")), f"{kind} · {_revision(document)}"),
        kind=kind,
        heading=title_layout(document.name, document.locale, (40, 21), (80, 17), (140, 13), (250, 11)),
        parties=parties,
        facts=facts,
        intro=text_lines(document.intro, document.locale),
        table=table(document, [amount for _, amount in sums]),
        moved_lines=min(moved_lines, len(document.lines) if document.options.breakdown else 1),
        remarks=[labels["rough"]] if document.preliminary else [],
        sums=sums,
        total=_total(document),
        deposit=_deposit(document),
        share=_share(document),
        conditions_heading=labels["conditions"],
        conditions=_conditions(document),
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
        LinkedText(segments(tax_id_text(letterhead.tax_id, locale))),
        LinkedText(breakable(letterhead.registration, locale)),
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
        return LinkedText(segments(text), f"mailto:{text}")
    if _PHONE.fullmatch(text):
        return LinkedText(segments(text), "tel:" + re.sub(r"[^\d+]", "", text))
    if _WEBSITE.fullmatch(text):
        return LinkedText(segments(text), text if "://" in text else f"https://{text}")
    return LinkedText(segments(text))


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
    facts = [
        (labels["document_number"], document.number),
        (labels["issued"], day(document.issued_on, locale)),
        (labels["valid"], "" if valid_until is None else day(valid_until, locale)),
        (labels["revision"], str(document.revision_number)),
    ]
    shown = [Fact(label, [LinkedText(segments(value))]) for label, value in facts if value]
    if sum(len(party.lines) for party in parties) > 1:
        return parties, shown
    return [], parties + shown


def _parties(document: EstimateDocument) -> list[Fact]:
    labels, locale, recipient = LABELS[document.locale], document.locale, document.recipient
    client = [
        LinkedText(breakable(recipient.name, locale)),
        *(LinkedText(line) for line in text_lines(recipient.address, locale)),
        LinkedText(segments(tax_id_text(recipient.tax_id, locale))),
        _linked(recipient.email),
        _linked(recipient.phone),
    ]
    site = [LinkedText(line) for line in text_lines(recipient.site_address, locale)]
    entries = [(labels["recipient"], client), (labels["site"], site)]
    facts = [Fact(label, [line for line in lines if line.text]) for label, lines in entries]
    return [fact for fact in facts if fact.lines]


def _sums(document: EstimateDocument) -> list[tuple[str, str]]:
    """The rows above the total; empty if there is only a total."""
    labels, sums, locale = LABELS[document.locale], document.sums, document.locale
    label = tax_label(document)
    is_taxed = sums.tax is not None or bool(sums.taxes)
    rows = []
    if sums.markup is not None or sums.discount is not None:
        rows.append((labels["net_subtotal" if is_taxed else "subtotal"], sums.subtotal))
    if sums.markup is not None:
        rows.append((f"{labels['markup']} {percent(sums.markup.percent, locale)}", sums.markup.amount))
    if sums.discount is not None:
        rows.append((f"{labels['discount']} {percent(sums.discount.percent, locale)}", -sums.discount.amount))
    if is_taxed:
        rows.append((in_words(document, "net"), sums.net))
    if sums.tax is not None:
        rows.append((f"{label} {percent(sums.tax.percent, locale)}", sums.tax.amount))
    for tax in sums.taxes:
        net = amount_text(tax.net, document)
        text = labels["tax_of"].format(label=label, percent=percent(tax.percent, locale), net=net)
        rows.append((text, tax.amount))
    return [(text, amount_text(amount, document)) for text, amount in rows]


def _total(document: EstimateDocument) -> Total:
    amount = money(document.sums.total, document.currency, document.locale)
    is_taxed = document.sums.tax is not None or bool(document.sums.taxes)
    label = in_words(document, "total_with_tax" if is_taxed else "total")
    return Total(label, amount, _step(amount, (18, 15), (24, 12), (99, 9)))


def _deposit(document: EstimateDocument) -> list[tuple[str, str]]:
    deposit = document.sums.deposit
    if deposit is None:
        return []
    label = LABELS[document.locale]["deposit"].format(percent=percent(deposit.percent, document.locale))
    return [(label, amount_text(deposit.amount, document))]


def _share(document: EstimateDocument) -> ShareLink | None:
    if not document.share_url:
        return None
    labels = LABELS[document.locale]
    # Without the token, which nobody would type.
    _, _, short = document.share_url.partition("#")[0].partition("://")
    address = LinkedText(segments(short.rstrip("/")), document.share_url)
    return ShareLink(qr_svg(document.share_url), labels["share_code"], labels["share"], address)


def _conditions(document: EstimateDocument) -> list[Paragraph]:
    """What the client should know before signing: in the text of the document, so that screen readers read it."""
    labels, locale = LABELS[document.locale], document.locale
    names = ("", labels["lead_time"], "", labels["account"], "")
    entries = zip(names, _condition_texts(document), strict=True)
    return [Paragraph(name, text_lines(text, locale)) for name, text in entries if text.strip()]


def _condition_texts(document: EstimateDocument) -> list[str]:
    letterhead = document.letterhead
    return [document.tax_note, document.lead_time, document.terms, _iban(letterhead.iban), letterhead.footer]


def _iban(text: str) -> str:
    """In groups of four, as banks print it."""
    compact = text.replace(" ", "")
    return NO_BREAK_SPACE.join(compact[at : at + 4] for at in range(0, len(compact), 4))


def _closing(document: EstimateDocument) -> Closing:
    """A single short paragraph of terms fits below the sums; more would leave much of the page before them empty."""
    texts = [text for text in _condition_texts(document) if text.strip()]
    if sum(map(len, texts)) > SHORT_CONDITIONS:
        return "flowing"
    return "with-sums" if len(texts) <= 1 else "together"


def _acceptance(document: EstimateDocument) -> Acceptance:
    labels = LABELS[document.locale]
    crafter = segments(document.letterhead.crafter_name)
    return Acceptance(labels["acceptance"], [(labels["client"], []), (labels["crafter"], crafter)])


def title_layout(text: str, locale: DocumentLocale, *steps: tuple[int, float]) -> Title:
    return Title(breakable(text, locale), _step(text, *steps))


def _step(text: str, *steps: tuple[int, float]) -> float:
    """`steps` are pairs of length and size. The size of the first step that is at least as long as `text`."""
    return next((size for length, size in steps if len(text) <= length), steps[-1][1])
