"""Texts of emails about a shared estimate: to the client, and to the owners of the workshop.

What people wrote is put in by the functions below: none of it can look like a link of the service.
"""

from backbench.domain.drafting.plain_text import has_address
from backbench.domain.mail.email_text import EmailText
from backbench.domain.mail.names import shown_name
from backbench.domain.values.enums import DocumentLocale, UserLocale

_OPEN: dict[UserLocale, str] = {"en": "Open Backbench", "pl": "Otwórz Backbench"}
_WORKSHOP: dict[UserLocale, str] = {"en": "The workshop", "pl": "Warsztat"}
_SIGNER: dict[UserLocale, str] = {"en": "The client", "pl": "Klient"}
_QUOTES: dict[UserLocale, str] = {"en": "“{name}”", "pl": "„{name}”"}
_VALIDITY: dict[UserLocale, str] = {"en": "It is valid until {date}.", "pl": "Wycena jest ważna do {date}."}
_WITH_ADDRESS: dict[UserLocale, str] = {
    "en": "(The text has a link or an address in it, so it is not in this email. Read it in Backbench.)",
    "pl": "(Tekst zawiera link albo adres, dlatego nie ma go w tej wiadomości. Jest do przeczytania w Backbench.)",
}
# The client knows the workshop, and has perhaps never heard of Backbench.
_FROM_WORKSHOP: dict[UserLocale, str] = {
    "en": "Kind regards,\n{workshop}\nsent with Backbench",
    "pl": "Z pozdrowieniami\n{workshop}\nwysłano z Backbench",
}
_AFTER_SHARED: dict[UserLocale, list[str]] = {
    "en": [
        "You need no account. Please keep the link to yourself: anyone who has it can answer for you.",
        "If you weren’t expecting an estimate, ignore this email.",
    ],
    "pl": [
        "Konto nie jest potrzebne. Prosimy nie przekazywać linku: kto go ma, może odpowiedzieć w Państwa imieniu.",
        "Jeśli ta wycena jest niespodzianką, prosimy zignorować tę wiadomość.",
    ],
}
_AFTER_SHARED_FRIENDLY: dict[UserLocale, list[str]] = {
    "en": _AFTER_SHARED["en"],
    "pl": [
        "Konto nie jest potrzebne. Nie przekazuj linku dalej: kto go ma, może odpowiedzieć w Twoim imieniu.",
        "Jeśli nie czekasz na żadną wycenę, zignoruj tę wiadomość.",
    ],
}
_HASHES: dict[UserLocale, str] = {
    "en": "Fingerprint of the document (SHA-256):\n{document_hash}\nFingerprint of the PDF (SHA-256):\n{pdf_hash}",
    "pl": "Odcisk dokumentu (SHA-256):\n{document_hash}\nOdcisk pliku PDF (SHA-256):\n{pdf_hash}",
}
_AFTER_RECEIPT: dict[UserLocale, list[str]] = {
    "en": [
        "Keep this email: it is your receipt. The fingerprints show whether a document is the one you answered.",
        "If this wasn’t you, reply to this email or call the workshop.",
    ],
    "pl": [
        (
            "Zachowaj tę wiadomość: to Twoje potwierdzenie. Odciski pokażą, czy dany dokument to ten, którego "
            "dotyczy odpowiedź."
        ),
        "Jeśli to nie Ty, odpowiedz na tę wiadomość albo zadzwoń do warsztatu.",
    ],
}

SHARING_TEXTS: dict[str, dict[UserLocale, EmailText]] = {
    "estimate_shared_formal": {
        "en": EmailText(
            subject="Estimate from {workshop}",
            before=[
                (
                    "Thank you for your enquiry. Our estimate{estimate} is ready: you can read it, ask questions and "
                    "answer it online. {valid_until}"
                ),
                "{message}",
            ],
            button="Open the estimate",
            after=_AFTER_SHARED["en"],
            closing=_FROM_WORKSHOP["en"],
        ),
        "pl": EmailText(
            subject="Wycena: {workshop}",
            before=[
                (
                    "dziękujemy za zapytanie. Przesyłamy wycenę{estimate}. Można ją przeczytać w przeglądarce, zadać "
                    "pytania i od razu na nią odpowiedzieć. {valid_until}"
                ),
                "{message}",
            ],
            button="Otwórz wycenę",
            after=_AFTER_SHARED["pl"],
            closing=_FROM_WORKSHOP["pl"],
        ),
    },
    "estimate_shared_friendly": {
        "en": EmailText(
            subject="Your estimate from {workshop}",
            before=[
                (
                    "Here is your estimate{estimate}. Have a look, ask if anything is unclear, and if you like it, "
                    "accept it right there. {valid_until}"
                ),
                "{message}",
            ],
            button="Open the estimate",
            after=_AFTER_SHARED_FRIENDLY["en"],
            closing=_FROM_WORKSHOP["en"],
        ),
        "pl": EmailText(
            subject="Twoja wycena: {workshop}",
            before=[
                (
                    "Twoja wycena{estimate} jest gotowa. Obejrzyj ją spokojnie, dopytaj, jeśli coś jest niejasne, "
                    "a jeśli Ci odpowiada, przyjmij ją od razu na stronie. {valid_until}"
                ),
                "{message}",
            ],
            button="Otwórz wycenę",
            after=_AFTER_SHARED_FRIENDLY["pl"],
            closing=_FROM_WORKSHOP["pl"],
        ),
    },
    "decision_receipt_accepted": {
        "en": EmailText(
            subject="Receipt: estimate accepted",
            before=[
                "You have accepted the estimate{estimate}.",
                "Name: {name}\nTime: {decided_at}\nTotal: {total}",
                _HASHES["en"],
            ],
            after=["This is a simple electronic signature.", *_AFTER_RECEIPT["en"]],
            closing=_FROM_WORKSHOP["en"],
        ),
        "pl": EmailText(
            subject="Potwierdzenie przyjęcia wyceny",
            before=[
                "wycena{estimate} została przyjęta.",
                "Imię i nazwisko: {name}\nCzas: {decided_at}\nKwota: {total}",
                _HASHES["pl"],
            ],
            after=["To zwykły podpis elektroniczny.", *_AFTER_RECEIPT["pl"]],
            closing=_FROM_WORKSHOP["pl"],
        ),
    },
    "decision_receipt_declined": {
        "en": EmailText(
            subject="Receipt: estimate declined",
            before=[
                "You have declined the estimate{estimate}.",
                "Name: {name}\nTime: {decided_at}\nTotal: {total}",
                _HASHES["en"],
            ],
            after=_AFTER_RECEIPT["en"],
            closing=_FROM_WORKSHOP["en"],
        ),
        "pl": EmailText(
            subject="Potwierdzenie odrzucenia wyceny",
            before=[
                "wycena{estimate} została odrzucona.",
                "Imię i nazwisko: {name}\nCzas: {decided_at}\nKwota: {total}",
                _HASHES["pl"],
            ],
            after=_AFTER_RECEIPT["pl"],
            closing=_FROM_WORKSHOP["pl"],
        ),
    },
    "estimate_decided_accepted": {
        "en": EmailText(
            subject="Accepted: {total}",
            before=[
                "The client has accepted the estimate{estimate}.",
                "Workshop: {workshop}\nName: {name}\nTime: {decided_at}\nTotal: {total}",
                _HASHES["en"],
            ],
            button=_OPEN["en"],
            after=["The certificate of this decision can be downloaded there. This email is a copy of the evidence."],
        ),
        "pl": EmailText(
            subject="Wycena przyjęta: {total}",
            before=[
                "klient przyjmuje wycenę{estimate}.",
                "Warsztat: {workshop}\nImię i nazwisko: {name}\nCzas: {decided_at}\nKwota: {total}",
                _HASHES["pl"],
            ],
            button=_OPEN["pl"],
            after=["Tam można pobrać poświadczenie tej decyzji. Ta wiadomość jest kopią danych dowodowych."],
        ),
    },
    "estimate_decided_declined": {
        "en": EmailText(
            subject="Declined: {total}",
            before=[
                "The client has declined the estimate{estimate}.",
                "{reason}",
                "Workshop: {workshop}\nName: {name}\nTime: {decided_at}\nTotal: {total}",
                _HASHES["en"],
            ],
            button=_OPEN["en"],
            after=["A changed estimate is a new revision, with a link of its own."],
        ),
        "pl": EmailText(
            subject="Wycena odrzucona: {total}",
            before=[
                "klient odrzuca wycenę{estimate}.",
                "{reason}",
                "Warsztat: {workshop}\nImię i nazwisko: {name}\nCzas: {decided_at}\nKwota: {total}",
                _HASHES["pl"],
            ],
            button=_OPEN["pl"],
            after=["Zmieniona wycena to nowa wersja, z własnym linkiem."],
        ),
    },
    "estimate_commented": {
        "en": EmailText(
            subject="A comment on your estimate",
            before=["A comment on the estimate{estimate}, by {name}:", "{text}"],
            button=_OPEN["en"],
            after=["Your answer there appears on the client’s page."],
        ),
        "pl": EmailText(
            subject="Nowa uwaga do Twojej wyceny",
            before=["nowa uwaga do wyceny{estimate} ({name}):", "{text}"],
            button=_OPEN["pl"],
            after=["Twoja odpowiedź pojawi się na stronie klienta."],
        ),
    },
}


def estimate_label(name: str, number: str, locale: DocumentLocale) -> str:
    """Number and name of an estimate, after the word for it: ` 12/2026 “Oak table”`. "" where none can be shown."""
    shown = shown_name(name)
    parts = [shown_name(number) or "", "" if shown is None else _QUOTES[locale].format(name=shown)]
    return "".join(f" {part}" for part in parts if part)


def workshop_label(name: str, locale: UserLocale) -> str:
    """The name of a workshop at the start of a sentence or in a subject."""
    return shown_name(name) or _WORKSHOP[locale]


def validity(date_text: str, locale: DocumentLocale) -> str:
    """The sentence about the end of the validity; "" where there is none."""
    return _VALIDITY[locale].format(date=date_text) if date_text else ""


def signer(name: str, locale: UserLocale) -> str:
    """The name that a client entered; "The client" where there is none that can be shown."""
    return shown_name(name) or _SIGNER[locale]


def quoted_text(text: str, locale: UserLocale) -> str:
    """What a client wrote, in quotation marks; a sentence in its place if it has a link or an address."""
    if not text.strip():
        return ""
    if has_address(text):
        return _WITH_ADDRESS[locale]
    return _QUOTES[locale].format(name=text.strip())
