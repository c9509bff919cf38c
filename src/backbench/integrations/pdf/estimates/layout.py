"""Layout of an estimate's PDF: letterhead, conditions, table and closing."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct, structs

from backbench.documents.documents import EstimateDocument
from backbench.documents.titles import title_words, transfer_title
from backbench.integrations.pdf.estimates.table import Table, deposit_rows, sums_rows, table, total_size
from backbench.integrations.pdf.letterheads import (
    LetterheadLayout,
    LinkedText,
    code,
    letterhead_layout,
    linked,
    tax_id_text,
)
from backbench.integrations.pdf.typesetting import (
    BreakableText,
    Title,
    TitleFace,
    breakable,
    legible,
    segments,
    text_lines,
    title_face,
    title_layout,
)
from backbench.integrations.pdf.widths import WIDTHS, cut, text_width
from backbench.integrations.pdf.wording import in_words, kind_words
from backbench.integrations.qr_code import qr_svg
from backbench.values.colours import Palette, palette
from backbench.values.enums import DocumentLocale, PaperSize
from backbench.values.locales import NO_BREAK_SPACE, day, money
from backbench.words import words

# A longer note on the tax is with the terms.
LONGEST_REMARK = 300
# Terms of at most as many characters are not separated from the signatures.
SHORT_CONDITIONS = 800
Closing = Literal["with-sums", "together", "flowing"]


class Acceptance(Struct, frozen=True):
    """The sentence that the client accepts, and the signature lines; each with a name, or without."""

    sentence: str
    signatures: list[tuple[str, BreakableText]]


class ConditionText(Struct, frozen=True):
    """A text with its label, or "". `is_code`: a number, in which no line breaks."""

    text: str
    label: str = ""
    is_code: bool = False


def condition_texts(document: EstimateDocument) -> list[ConditionText]:
    """What the client should know before signing: in the text of the document, so that screen readers read it."""
    labels, letterhead = words(document.locale).paper, document.letterhead
    # A short note on the tax is next to the sums.
    note = document.tax_note if len(document.tax_note) > LONGEST_REMARK else ""
    texts = [
        ConditionText(note),
        ConditionText(document.lead_time, labels["lead_time"]),
        ConditionText(document.terms),
        ConditionText(document.withdrawal_sentence),
        ConditionText(_account(document), labels["account"], is_code=True),
        ConditionText(_privacy(document)),
        ConditionText(letterhead.footer),
    ]
    return [text for text in texts if text.text.strip()]


def _privacy(document: EstimateDocument) -> str:
    letterhead = document.letterhead
    if not letterhead.privacy_url or document.preliminary or document.is_for_firm:
        return ""
    url = letterhead.privacy_url.removeprefix("https://")
    more = words(document.locale).consent.more_on_privacy.format(url=url)
    return words(document.locale).consent.privacy.format(workshop=letterhead.name) + " " + more


def _account(document: EstimateDocument) -> str:
    """In groups of four, as banks print it; and what the title of a transfer to it should be, on the next line."""
    compact = document.letterhead.iban.replace(" ", "")
    groups = NO_BREAK_SPACE.join(compact[at : at + 4] for at in range(0, len(compact), 4))
    if not compact or not document.number or document.preliminary or document.texts < 2:
        return groups
    title = transfer_title(document.title, document.number, document.locale)
    return f"{groups}\n{words(document.locale).paper['transfer_title']} {title}"


def closing(document: EstimateDocument) -> Closing:
    """A single short paragraph of terms fits below the sums; more would leave much of the page before them empty."""
    texts = condition_texts(document)
    if sum(len(text.text) for text in texts) > SHORT_CONDITIONS:
        return "flowing"
    return "with-sums" if len(texts) <= 1 else "together"


def acceptance(document: EstimateDocument) -> Acceptance:
    labels, title = words(document.locale).paper, title_words(document.title, document.locale)
    crafter = segments(document.letterhead.crafter_name)
    sentence = labels["acceptance"].format(accusative=title.accusative, the=title.the)
    return Acceptance(sentence, [(labels["client"], []), (labels["crafter"], crafter)])


# The marker of an item of a list.
_ITEM = re.compile(r"\s*(\d{1,3}[.)](?!\d)|§\s?\d*[.)]?|[–•*-](?=\s))\s*")
# Texts of so many characters are in two columns: shorter ones have lines that can be read, longer ones go over pages.
TWO_COLUMNS = range(600, 3000)
# Where space is short, shorter ones too.
TWO_COMPACT_COLUMNS = range(250, 3000)
# A paragraph of so many characters has at most four lines, and is not split between pages.
SHORT_PARAGRAPH = 260


class Paragraph(Struct, frozen=True, rename="kebab"):
    """Lines of text, after a label in bold or the marker of an item of a list. Either may be "".

    `indent`, in em, is that of the text of all items. `is_whole`: of few lines.
    """

    label: str
    lines: list[BreakableText]
    marker: str = ""
    indent: float = 0
    is_whole: bool = True


def conditions_layout(
    document: EstimateDocument, texts: Sequence[ConditionText], *, is_compact: bool = False
) -> list[list[Paragraph]]:
    """The paragraphs in their columns; no column without a text."""
    paragraphs = _indented([paragraph for text in texts for paragraph in _paragraphs(text, document.locale)])
    lengths = [_length(paragraph) for paragraph in paragraphs]
    if sum(lengths) not in (TWO_COMPACT_COLUMNS if is_compact else TWO_COLUMNS) or len(paragraphs) < 2:
        return [paragraphs] if paragraphs else []
    at = _balanced(lengths)
    return [paragraphs[:at], paragraphs[at:]]


def _indented(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """With one indent for all items of lists, behind the widest marker."""
    widths = (sum(WIDTHS.get(character, 1) for character in paragraph.marker + " ") for paragraph in paragraphs)
    indent = max(widths, default=0)
    return [structs.replace(each, indent=indent) if each.marker else each for each in paragraphs]


def _paragraphs(text: ConditionText, locale: DocumentLocale) -> list[Paragraph]:
    """A paragraph for each block of lines, and for each item of a list."""
    if text.is_code:
        return [Paragraph(text.label, [segments(line) for line in text.text.split("\n")])]
    found: list[list[str]] = [[]]
    for line in text.text.strip().split("\n"):
        if not line.strip():
            found.append([])
        elif found[-1] and (_ITEM.match(line) or _follows_item(line, found[-1])):
            found.append([line])
        else:
            found[-1].append(line)
    blocks = [lines for lines in found if lines]
    return [_paragraph(text.label if at == 0 else "", lines, locale) for at, lines in enumerate(blocks)]


def _follows_item(line: str, before: list[str]) -> bool:
    """Whether a line begins a paragraph after an item of a list: one in lower case continues the item."""
    return _ITEM.match(before[0]) is not None and not line.lstrip()[:1].islower()


def _paragraph(label: str, lines: list[str], locale: DocumentLocale) -> Paragraph:
    text = "\n".join(lines)
    item = None if label else _ITEM.match(text)
    marker, rest = (item[1], text[item.end() :]) if item else ("", text)
    return Paragraph(label, text_lines(rest, locale), marker, is_whole=len(text) <= SHORT_PARAGRAPH)


def _length(paragraph: Paragraph) -> int:
    """In characters; a line counts as at least 40, and the space between paragraphs as 40 as well."""
    return 40 + sum(max(40, sum(map(len, line))) for line in paragraph.lines)


def _balanced(lengths: list[int]) -> int:
    """The number of paragraphs in the first of two columns of nearly the same length."""
    whole = sum(lengths)
    return min(range(1, len(lengths)), key=lambda at: abs(2 * sum(lengths[:at]) - whole))


# Of the sender in the foot of a page, in characters.
FOOT_LENGTH = 80
# Of a number in the head of a page.
NUMBER_LENGTH = 30
# Of the head of a page without the distance of its two parts, in em of its size.
_HEAD_WIDTH = 158 / 25.4 * 72 / 7.5
# A longer name of a client alone has a row of its own.
LONG_NAME = 32


class Fact(Struct, frozen=True):
    """A label, with one or several lines below it."""

    label: str
    lines: list[LinkedText]


class Total(Struct, frozen=True):
    label: str
    amount: str
    size: float


class ShareLink(Struct, frozen=True, rename="kebab"):
    """The client page of the estimate: its QR code as SVG, and the caption with a short address, which is a link."""

    code: str
    alt: str
    caption: str
    address: LinkedText


class FormEntry(Struct, frozen=True):
    """What is to be filled in on `blanks` lines, or is stated by `lines`."""

    label: str
    lines: list[BreakableText] = []
    blanks: int = 0


class WithdrawalForm(Struct, frozen=True):
    heading: str
    instruction: str
    entries: list[FormEntry]
    note: str


def withdrawal_form(document: EstimateDocument) -> WithdrawalForm | None:
    """The model form of Directive 2011/83/EU, Annex I (B), with what the workshop has to insert."""
    if not document.has_withdrawal_form:
        return None
    form, letterhead = words(document.locale).withdrawal_form, document.letterhead
    sender = "\n".join(each for each in (letterhead.name, letterhead.address, letterhead.email) if each.strip())
    return WithdrawalForm(
        form.heading,
        form.instruction,
        [
            FormEntry(form.to, text_lines(sender, document.locale)),
            FormEntry(form.notice, blanks=2),
            FormEntry(form.dated, blanks=1),
            FormEntry(form.name, blanks=1),
            FormEntry(form.address, blanks=1),
            FormEntry(form.signature, blanks=1),
            FormEntry(form.date, blanks=1),
        ],
        form.note,
    )


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

    `fact_widths` are those of the labels and values of the facts, in points.
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
    running_head: tuple[str, str]
    kind: str
    heading: Title
    parties: list[Fact]
    facts: list[Fact]
    fact_widths: tuple[float, float]
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
    form: WithdrawalForm | None
    foot: BreakableText
    brand: str
    pages: tuple[str, str]


PAGE_SIZES: dict[PaperSize, str] = {"A4": "a4", "Letter": "us-letter"}


def page_layout(document: EstimateDocument, fit: Fit = Fit()) -> PageLayout:  # noqa: B008 - a frozen value
    labels = words(document.locale).paper
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
        watermark=f"/watermark-{document.locale}.svg" if document.preliminary or document.preview else "",
        letterhead=letterhead_layout(letterhead, document.locale),
        running_head=running_head(
            f"{letterhead.name} · {document.name}", f"{_numbered(kind, document)} · {_revision(document)}"
        ),
        kind=kind,
        heading=title_layout(document.name, document.locale, (40, 21), (80, 17), (140, 13), (250, 11)),
        parties=parties,
        facts=facts,
        fact_widths=fact_widths(facts),
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
        conditions=conditions_layout(document, condition_texts(document), is_compact=fit.is_compact),
        acceptance=None if document.preliminary else acceptance(document),
        closing=closing(document),
        form=withdrawal_form(document),
        foot=segments(shortened(letterhead.name)),
        brand=labels["brand"] if document.options.show_brand_mark else "",
        pages=(labels["page"], labels["of"]),
    )


def _revision(document: EstimateDocument) -> str:
    return f"{words(document.locale).paper['revision']} {document.revision_number}"


def _numbered(kind: str, document: EstimateDocument) -> str:
    """What a client refers to: a page with the signatures alone is still that of this document."""
    return f"{kind} {shortened(legible(document.number), NUMBER_LENGTH)}".rstrip()


def running_head(sender: str, kind: str) -> tuple[str, str]:
    """The two parts of the head of a page, on one line: the sender's is cut for the other."""
    kind = legible(kind)
    return cut(sender, _HEAD_WIDTH - text_width(kind)), kind


def shortened(text: str, length: int = FOOT_LENGTH) -> str:
    """Cut to one line: the first page shows the whole text."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _facts(document: EstimateDocument) -> tuple[list[Fact], list[Fact]]:
    """The client and the site, which have a row of their own if they take several lines; and the other facts."""
    labels, locale = words(document.locale).paper, document.locale
    parties = _parties(document) if document.options.show_recipient else []
    valid_until = None if document.preliminary else document.valid_until
    valid = title_words(document.title, locale).validity
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


# Sizes of the label of a fact and of its value, in points.
_FACT_SIZES = (7.5, 9.5)


def fact_widths(facts: Sequence[Fact]) -> tuple[float, float]:
    """Of labels and values in points. Typst takes longer to find them than to place the rest of the head."""
    label, value = _FACT_SIZES
    values = ("".join(line.text) for fact in facts for line in fact.lines)
    # Numbers may be long: then they break.
    return (
        label * max((text_width(fact.label) for fact in facts), default=0),
        value * min(20, max(map(text_width, values), default=0)),
    )


def _parties(document: EstimateDocument) -> list[Fact]:
    labels, locale, recipient = words(document.locale).paper, document.locale, document.recipient
    client = [
        LinkedText(breakable(recipient.name, locale)),
        *(LinkedText(line) for line in text_lines(recipient.address, locale)),
        code(tax_id_text(recipient.tax_id, locale)),
        linked(recipient.email),
        linked(recipient.phone),
    ]
    site = [LinkedText(line) for line in text_lines(recipient.site_address, locale)]
    entries = [(labels["recipient"], client), (labels["site"], site)]
    facts = [Fact(label, [line for line in lines if line.text]) for label, lines in entries]
    return [fact for fact in facts if fact.lines]


def _remarks(document: EstimateDocument) -> list[list[BreakableText]]:
    """Paragraphs next to the sums: that they are preliminary, and a note on the tax if it is short enough."""
    rough = words(document.locale).paper["rough"] if document.preliminary else ""
    note = document.tax_note if len(document.tax_note) <= LONGEST_REMARK else ""
    return [text_lines(text, document.locale) for text in (rough, note) if text.strip()]


def _total(document: EstimateDocument) -> Total:
    amount = money(document.sums.total, document.currency, document.locale)
    label = in_words(document, "total_with_tax" if document.sums.is_taxed else "total")
    return Total(label, amount, total_size(label, amount))


def _share(document: EstimateDocument) -> ShareLink | None:
    if not document.share_url:
        return None
    labels = words(document.locale).paper
    # Not the address: without its token, which nobody would type, it opens nothing.
    address = LinkedText([labels["scan"]], document.share_url)
    return ShareLink(qr_svg(document.share_url), labels["share_code"], labels["share"], address)
