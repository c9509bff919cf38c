"""Layout of certificates of decisions."""

from zoneinfo import ZoneInfo

from msgspec import Struct

from backbench.documents.certificates import CertificateDocument
from backbench.documents.titles import title_words
from backbench.integrations.pdf.drawing import signature_svg
from backbench.integrations.pdf.estimates.layout import PAGE_SIZES, running_head, shortened
from backbench.integrations.pdf.letterheads import LetterheadLayout, letterhead_layout
from backbench.integrations.pdf.typesetting import (
    TITLE_FACES,
    BreakableText,
    Title,
    TitleFace,
    breakable,
    legible,
    segments,
    text_lines,
    title_layout,
)
from backbench.values.colours import Palette, palette
from backbench.values.enums import DocumentLocale
from backbench.values.locales import NO_BREAK_SPACE, day, money
from backbench.values.times import Instant, parse
from backbench.words import words

# A longer name of a browser says nothing more.
LONGEST_USER_AGENT = 300


class Entry(Struct, frozen=True, rename="kebab"):
    """A label, and the lines beside it. `is_code`: a hash or identifier, in a font of even width."""

    label: str
    lines: list[BreakableText]
    is_code: bool = False


class Section(Struct, frozen=True):
    heading: str
    entries: list[Entry]


class Signature(Struct, frozen=True):
    """`drawing` is an SVG, or "" for a typed name. `name` is the signer's."""

    drawing: str
    alt: str
    name: BreakableText
    kind: str


class CertificateLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template, in reading order. `voided` is empty unless the decision no longer stands.

    `is_compact`: with less space, so that what is a little too long for one page has one.
    """

    lang: DocumentLocale
    title: str
    author: str
    paper: str
    face: TitleFace
    colours: Palette
    letterhead: LetterheadLayout
    running_head: tuple[str, str]
    kind: str
    heading: Title
    subject: BreakableText
    voided: list[BreakableText]
    sections: list[Section]
    signature: Signature | None
    statement: list[str]
    foot: BreakableText
    brand: str
    pages: tuple[str, str]
    is_compact: bool = False


def certificate_layout(document: CertificateDocument) -> CertificateLayout:
    locale, labels = document.locale, words(document.locale).certificate
    title = title_words(document.title, locale)
    heading = labels["heading"].format(title=title.title, outcome=_outcome(document))
    if document.voided_at:
        heading = labels["heading_voided"].format(heading=heading)
    subject = f"{title.title}{document.number and ' '}{document.number}: {document.estimate_name}"
    return CertificateLayout(
        lang=locale,
        title=f"{labels['kind']}: {legible(subject)}",
        author=legible(document.letterhead.name),
        paper=PAGE_SIZES[document.paper_size],
        face=TITLE_FACES[document.letterhead.title_font],
        colours=palette(document.letterhead.accent_color),
        letterhead=letterhead_layout(document.letterhead, locale),
        running_head=running_head(
            f"{title.title} {document.number}".rstrip(), labels["decision_number"].format(id=document.decision_id)
        ),
        kind=labels["kind"],
        heading=title_layout(heading, locale, (40, 21), (80, 17)),
        subject=breakable(subject, locale),
        voided=_voided(document),
        sections=[_decision(document), _evidence(document)],
        signature=_signature(document),
        statement=_statement(document),
        foot=segments(shortened(document.letterhead.name)),
        brand="",
        pages=(words(locale).paper["page"], words(locale).paper["of"]),
    )


def _voided(document: CertificateDocument) -> list[BreakableText]:
    if document.voided_at is None:
        return []
    labels, locale = words(document.locale).certificate, document.locale
    key = "voided" if document.voided_by else "superseded"
    text = labels[key].format(time=_time(document.voided_at, document), name=document.voided_by)
    return [breakable(text, locale), *text_lines(document.void_reason, locale)]


def _decision(document: CertificateDocument) -> Section:
    labels, locale = words(document.locale).certificate, document.locale
    recorded = ""
    if document.recorded_by:
        recorded = labels["recorded_by"].format(name=document.recorded_by, time=_time(document.recorded_at, document))
    total = "total" if not document.is_taxed else "total_with_tax"
    entries = [
        ("outcome", _outcome(document).capitalize()),
        ("signer", document.name),
        ("decided_at", _time(document.decided_at, document)),
        ("recipient", document.recipient_name),
        ("revision", str(document.revision_number)),
        (total, money(document.total, document.currency, locale)),
        ("method", words(locale).certificate_methods[document.method]),
        ("consent", document.consent and labels["quoted"].format(text=document.consent)),
        ("reason", document.reason),
        ("recorded", recorded),
    ]
    label = document.tax_label or words(locale).paper["tax"]
    return Section(
        labels["decision"],
        [_entry(labels[name].format(tax=label), text, locale) for name, text in entries if text.strip()],
    )


def _outcome(document: CertificateDocument) -> str:
    """In the gender of the title."""
    title = title_words(document.title, document.locale)
    return title.accepted if document.outcome == "accepted" else title.declined


def _local_time(instant: Instant, document: CertificateDocument) -> str:
    local = parse(instant).astimezone(ZoneInfo(document.time_zone))
    return f"{day(local.date(), document.locale)}, {local:%H:%M:%S}"


def _evidence(document: CertificateDocument) -> Section:
    labels, locale = words(document.locale).certificate, document.locale
    codes = [
        ("document_hash", document.document_hash),
        ("pdf_hash", document.pdf_hash),
        ("decision_id", document.decision_id),
        ("address", document.address),
    ]
    signed_in = document.signed_in and labels["signed_in_as"].format(name=document.signed_in)
    texts = [
        ("user_agent", document.user_agent[:LONGEST_USER_AGENT]),
        ("signed_in", signed_in),
        ("link", _link(document)),
        ("openings", _openings(document)),
        ("receipt", document.receipt_email),
    ]
    return Section(
        labels["evidence"],
        [
            *(Entry(labels[name], [segments(text)], is_code=True) for name, text in codes if text),
            *(_entry(labels[name], text, locale) for name, text in texts if text),
        ],
    )


def _entry(label: str, text: str, locale: DocumentLocale) -> Entry:
    return Entry(label, text_lines(text, locale))


def _link(document: CertificateDocument) -> str:
    if not document.link_address or document.link_made_at is None:
        return ""
    labels = words(document.locale).certificate
    kind = labels[f"link_{document.link_address}"].format(email=document.link_email)
    made = labels["link_made_with_key" if document.link_key_id else "link_made"]
    return f"{kind}\n{made.format(name=document.link_made_by, time=_time(document.link_made_at, document))}"


def _openings(document: CertificateDocument) -> str:
    if not document.openings or document.first_opened_at is None or document.last_opened_at is None:
        return ""
    return (
        words(document.locale)
        .certificate["opened"]
        .format(
            count=document.openings,
            first=_local_time(document.first_opened_at, document),
            last=_local_time(document.last_opened_at, document),
        )
    )


def _signature(document: CertificateDocument) -> Signature | None:
    """None for a decision that was recorded: nobody signed it here."""
    if not document.signature:
        return None
    labels = words(document.locale).certificate
    return Signature(
        drawing=signature_svg(document.strokes),
        alt=labels["drawn_by"].format(name=legible(document.name)),
        name=breakable(document.name, document.locale),
        kind=labels["drawn" if document.strokes else "typed"],
    )


def _statement(document: CertificateDocument) -> list[str]:
    labels = words(document.locale).certificate
    if document.method != "link":
        return [labels["recorded_statement"], labels["document_hash_statement"]]
    statements = [labels["simple"]] if document.signature else []
    return [*statements, labels["document_hash_statement"], labels["pdf_hash_statement"]]


def _time(instant: Instant, document: CertificateDocument) -> str:
    """To the second, in the workshop's time zone and in UTC."""
    utc = parse(instant)
    local = utc.astimezone(ZoneInfo(document.time_zone))
    zone = document.time_zone.replace(" ", NO_BREAK_SPACE)
    if document.time_zone == "UTC":
        return f"{day(utc.date(), document.locale)}, {utc:%H:%M:%S} UTC"
    # The date in UTC only where it is another one.
    date = "" if utc.date() == local.date() else f"{utc:%Y-%m-%d} "
    return f"{day(local.date(), document.locale)}, {local:%H:%M:%S} ({zone}; {date}{utc:%H:%M:%S} UTC)"
