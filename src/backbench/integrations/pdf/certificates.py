"""Certificates of decisions: their wording and layout."""

from zoneinfo import ZoneInfo

from msgspec import Struct

from backbench.documents.certificates import CertificateDocument
from backbench.documents.titles import title_words
from backbench.integrations.pdf.drawing import Palette, palette, signature_svg
from backbench.integrations.pdf.estimates.layout import PAGE_SIZES, shortened
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
from backbench.integrations.pdf.wording import LABELS as ESTIMATE_LABELS
from backbench.values.enums import DocumentLocale
from backbench.values.locales import NO_BREAK_SPACE, day, money
from backbench.values.times import Instant, parse

LABELS: dict[DocumentLocale, dict[str, str]] = {
    "en": {
        "kind": "Certificate of a decision",
        "heading": "{title} {outcome}",
        "heading_voided": "{heading}, decision withdrawn later",
        "decision_number": "Decision {id}",
        "voided": "This decision no longer stands. It was withdrawn by {name}, {time}.",
        "superseded": "This decision no longer stands: on {time} a newer revision was decided.",
        "decision": "Decision",
        "outcome": "Decision",
        "signer": "Name",
        "decided_at": "Time",
        "recipient": "Prepared for",
        "revision": "Revision",
        "total": "Total",
        "total_with_tax": "Total incl. {tax}",
        "method": "How",
        "consent": "Consent",
        "quoted": "“{text}”",
        "reason": "Reason",
        "recorded": "Recorded by",
        "recorded_by": "{name}, {time}",
        "evidence": "Evidence",
        "document_hash": "Document, SHA-256",
        "pdf_hash": "PDF, SHA-256",
        "decision_id": "Decision ID",
        "address": "IP address",
        "user_agent": "Browser",
        "link": "Address used",
        "link_shown": "Shown to a member of the workshop, to pass on",
        "link_printed": "Code printed on the PDF",
        "link_mailed": "Mailed to {email}",
        "link_unknown": "Not recorded which",
        "link_made": "Made by {name}, {time}",
        "link_made_with_key": "Made by {name} with an API key, {time}",
        "signed_in": "In this browser",
        "signed_in_as": "{name}, a member of the workshop, was signed in",
        "receipt": "Receipt sent to",
        "openings": "Page opened",
        "opened": "{count} ×, first {first}, last {last}",
        "typed": "Signed by typing the name",
        "drawn": "Signed on the screen, with the typed name",
        "drawn_by": "Drawn signature of {name}",
        "simple": "The client gave this decision with a simple electronic signature (Regulation (EU) No 910/2014, "
        "Article 3(10)). It is not an advanced or qualified one.",
        "recorded_statement": "A member of the workshop recorded this decision. The client did not sign it "
        "electronically.",
        "document_hash_statement": "The fingerprint of the document is the SHA-256 of the canonical JSON (RFC 8785) of "
        "everything that the document showed; that JSON is stored with the decision.",
        "pdf_hash_statement": "The fingerprint of the PDF is the SHA-256 of the file that the client could download.",
    },
    "pl": {
        "kind": "Poświadczenie decyzji",
        "heading": "{title} {outcome}",
        "heading_voided": "{heading}, decyzja cofnięta",
        "decision_number": "Decyzja {id}",
        "voided": "Ta decyzja już nie obowiązuje. Decyzję cofnięto: {name}, {time}.",
        "superseded": "Ta decyzja już nie obowiązuje: zapadła decyzja o nowszej wersji. Czas: {time}.",
        "decision": "Decyzja",
        "outcome": "Decyzja",
        "signer": "Imię i nazwisko",
        "decided_at": "Czas",
        "recipient": "Dla",
        "revision": "Wersja",
        "total": "Razem",
        "total_with_tax": "Razem brutto",
        "method": "Sposób",
        "consent": "Treść zgody",
        "quoted": "„{text}”",
        "reason": "Powód",
        "recorded": "Zapis",
        "recorded_by": "{name}, {time}",
        "evidence": "Dane dowodowe",
        "document_hash": "Dokument, SHA-256",
        "pdf_hash": "Plik PDF, SHA-256",
        "decision_id": "Numer decyzji",
        "address": "Adres IP",
        "user_agent": "Przeglądarka",
        "link": "Użyty adres",
        "link_shown": "Pokazany członkowi zespołu wykonawcy do przekazania",
        "link_printed": "Kod wydrukowany na pliku PDF",
        "link_mailed": "Wysłany na {email}",
        "link_unknown": "Nie zapisano który",
        "link_made": "Autor: {name}, {time}",
        "link_made_with_key": "Autor: {name}, kluczem API, {time}",
        "signed_in": "W tej przeglądarce",
        "signed_in_as": "Zalogowany członek zespołu wykonawcy: {name}",
        "receipt": "Potwierdzenie wysłano na",
        "openings": "Otwarcia strony",
        "opened": "{count} ×, pierwsze {first}, ostatnie {last}",
        "typed": "Podpis: wpisane imię i nazwisko",
        "drawn": "Podpis narysowany na ekranie, z wpisanym imieniem i nazwiskiem",
        "drawn_by": "Podpis narysowany na ekranie: {name}",
        "simple": "Klient złożył tę decyzję ze zwykłym podpisem elektronicznym (rozporządzenie (UE) nr 910/2014, "
        "art. 3 pkt 10). Nie jest to podpis zaawansowany ani kwalifikowany.",
        "recorded_statement": "Decyzję zapisał członek zespołu wykonawcy. Klient nie podpisał jej elektronicznie.",
        "document_hash_statement": "Suma kontrolna dokumentu to SHA-256 kanonicznego zapisu JSON (RFC 8785) "
        "wszystkiego, co pokazywał dokument; ten zapis jest przechowywany razem z decyzją.",
        "pdf_hash_statement": "Suma kontrolna pliku PDF to SHA-256 pliku, który klient mógł pobrać.",
    },
}
METHODS: dict[DocumentLocale, dict[str, str]] = {
    "en": {
        "link": "On the client page, opened with a link",
        "in_person": "In person",
        "phone": "By phone",
        "email": "By email",
        "message": "By text or chat",
    },
    "pl": {
        "link": "Na stronie klienta, otwartej z linku",
        "in_person": "Osobiście",
        "phone": "Telefonicznie",
        "email": "E-mailem",
        "message": "SMS-em lub w komunikatorze",
    },
}


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
    running_head: tuple[BreakableText, str]
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
    locale, labels = document.locale, LABELS[document.locale]
    words = title_words(document.title, locale)
    heading = labels["heading"].format(title=words.name, outcome=_outcome(document))
    if document.voided_at:
        heading = labels["heading_voided"].format(heading=heading)
    subject = f"{words.name}{document.number and ' '}{document.number}: {document.estimate_name}"
    return CertificateLayout(
        lang=locale,
        title=f"{labels['kind']}: {legible(subject)}",
        author=legible(document.letterhead.name),
        paper=PAGE_SIZES[document.paper_size],
        face=TITLE_FACES[document.letterhead.title_font],
        colours=palette(document.letterhead.accent_color),
        letterhead=letterhead_layout(document.letterhead, locale),
        running_head=(
            segments(f"{words.name} {document.number}".rstrip()),
            labels["decision_number"].format(id=document.decision_id),
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
        pages=(ESTIMATE_LABELS[locale]["page"], ESTIMATE_LABELS[locale]["of"]),
    )


def _voided(document: CertificateDocument) -> list[BreakableText]:
    if document.voided_at is None:
        return []
    labels, locale = LABELS[document.locale], document.locale
    key = "voided" if document.voided_by else "superseded"
    text = labels[key].format(time=_time(document.voided_at, document), name=document.voided_by)
    return [breakable(text, locale), *text_lines(document.void_reason, locale)]


def _decision(document: CertificateDocument) -> Section:
    labels, locale = LABELS[document.locale], document.locale
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
        ("method", METHODS[locale][document.method]),
        ("consent", document.consent and labels["quoted"].format(text=document.consent)),
        ("reason", document.reason),
        ("recorded", recorded),
    ]
    label = document.tax_label or ESTIMATE_LABELS[locale]["tax"]
    return Section(
        labels["decision"],
        [_entry(labels[name].format(tax=label), text, locale) for name, text in entries if text.strip()],
    )


def _outcome(document: CertificateDocument) -> str:
    """In the gender of the title."""
    words = title_words(document.title, document.locale)
    return words.accepted if document.outcome == "accepted" else words.declined


def _local_time(instant: Instant, document: CertificateDocument) -> str:
    local = parse(instant).astimezone(ZoneInfo(document.time_zone))
    return f"{day(local.date(), document.locale)}, {local:%H:%M:%S}"


def _evidence(document: CertificateDocument) -> Section:
    labels, locale = LABELS[document.locale], document.locale
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
    labels = LABELS[document.locale]
    kind = labels[f"link_{document.link_address}"].format(email=document.link_email)
    made = labels["link_made_with_key" if document.link_key_id else "link_made"]
    return f"{kind}\n{made.format(name=document.link_made_by, time=_time(document.link_made_at, document))}"


def _openings(document: CertificateDocument) -> str:
    if not document.openings or document.first_opened_at is None or document.last_opened_at is None:
        return ""
    return LABELS[document.locale]["opened"].format(
        count=document.openings,
        first=_local_time(document.first_opened_at, document),
        last=_local_time(document.last_opened_at, document),
    )


def _signature(document: CertificateDocument) -> Signature | None:
    """None for a decision that was recorded: nobody signed it here."""
    if not document.signature:
        return None
    labels = LABELS[document.locale]
    return Signature(
        drawing=signature_svg(document.strokes),
        alt=labels["drawn_by"].format(name=legible(document.name)),
        name=breakable(document.name, document.locale),
        kind=labels["drawn" if document.strokes else "typed"],
    )


def _statement(document: CertificateDocument) -> list[str]:
    labels = LABELS[document.locale]
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
