"""Values in emails about a shared estimate: what people wrote, none of which can look like a link of the service."""

import re

from backbench.documents.titles import is_generated, title_words
from backbench.mail.email_text import shown_name, shown_number
from backbench.values.enums import DecisionMethod, DocumentLocale, DocumentTitle, UserLocale
from backbench.values.plain_text import has_address
from backbench.values.scalars import REVERSING, is_email
from backbench.values.text import quoted

_WORKSHOP: dict[UserLocale, str] = {"en": "The workshop", "pl": "Warsztat"}
_VIA: dict[UserLocale, str] = {"en": "{name} via Backbench", "pl": "{name} (przez Backbench)"}
_SIGNER: dict[UserLocale, str] = {"en": "The client", "pl": "Klient"}
_VALIDITY: dict[UserLocale, str] = {"en": "It is valid until {date}.", "pl": "{title} jest {valid} {date}."}
_NAME_ROW: dict[UserLocale, str] = {"en": "Name: {name}\n", "pl": "Imię i nazwisko: {name}\n"}
_DEPOSIT: dict[UserLocale, str] = {"en": "Due with the order", "pl": "Do zapłaty przy zamówieniu"}
_ACCOUNT: dict[UserLocale, str] = {"en": "Bank account", "pl": "Rachunek bankowy"}
_EARLY_START: dict[UserLocale, str] = {
    "en": "Request for an early start: {text}",
    "pl": "Prośba o wcześniejsze rozpoczęcie prac: {text}",
}
_WITH_ADDRESS: dict[UserLocale, str] = {
    "en": "(The text has a link or an address in it, so it is not in this email. Read it in Backbench.)",
    "pl": "(Tekst zawiera link albo adres, dlatego nie ma go w tej wiadomości. Jest do przeczytania w Backbench.)",
}
# Anything else in that field would be a message in the name of this service.
_PHONE = re.compile(r"\+?[0-9][0-9 ()./-]{4,30}")
_METHODS: dict[UserLocale, dict[DecisionMethod, str]] = {
    "en": {
        "link": "on the page",
        "in_person": "in person",
        "phone": "by phone",
        "email": "by email",
        "message": "by text or chat",
    },
    "pl": {
        "link": "na stronie",
        "in_person": "osobiście",
        "phone": "telefonicznie",
        "email": "e-mailem",
        "message": "SMS-em lub w komunikatorze",
    },
}


def estimate_label(name: str, number: str, locale: DocumentLocale) -> str:
    """Number and name of an estimate, after the word for it: ` 12/2026 “Oak table”`. "" where none can be shown.

    A name that nobody has given is left out.
    """
    shown = None if is_generated(name) else shown_name(name)
    parts = [shown_number(number) or "", "" if shown is None else quoted(shown, locale)]
    return "".join(f" {part}" for part in parts if part)


def workshop_label(name: str, locale: UserLocale) -> str:
    """The name of a workshop at the start of a sentence or in a subject."""
    return shown_name(name) or _WORKSHOP[locale]


def sender_via(name: str, locale: UserLocale) -> str:
    """The name of a workshop as the sender, before the address of the service; "" without one."""
    return _VIA[locale].format(name=name) if name else ""


def total_label(tax_label: str, locale: UserLocale) -> str:
    """What the total is called: with the name of the tax that it includes, if there is one."""
    if not tax_label:
        return "Razem" if locale == "pl" else "Total"
    return "Razem brutto" if locale == "pl" else f"Total incl. {tax_label}"


def title_values(title: DocumentTitle, locale: DocumentLocale) -> dict[str, str]:
    """What the document is called, in the forms that sentences need."""
    words, is_masculine = title_words(title, locale), title == "cost_estimate"
    return {
        "title": words.name,
        "noun": words.noun,
        "a_noun": f"{'an' if words.noun[0] in 'aeiou' else 'a'} {words.noun}",
        "accusative": words.accusative,
        "genitive": words.genitive,
        "this_genitive": f"{'tego' if is_masculine else 'tej'} {words.genitive}",
        "was": "został" if is_masculine else "została",
        "accepted": words.accepted,
        "declined": words.declined,
    }


def validity(date_text: str, title: DocumentTitle, locale: DocumentLocale) -> str:
    """The sentence about the end of the validity; "" where there is none."""
    words = title_words(title, locale)
    return _VALIDITY[locale].format(title=words.name, valid=words.valid.lower(), date=date_text) if date_text else ""


def subject_label(*parts: str) -> str:
    """What an email to a workshop is about, in its subject: that which is known of number, name, client and total."""
    return ", ".join(part.strip() for part in parts if part.strip())


def name_row(name: str, locale: UserLocale) -> str:
    """The line with the name that a client entered; "" where there is none that can be shown."""
    shown = shown_name(name)
    return "" if shown is None else _NAME_ROW[locale].format(name=shown)


def deposit_rows(amount: str, iban: str, locale: UserLocale) -> str:
    """Lines with the deposit and the account that it is paid to; "" without a deposit."""
    groups = " ".join(re.findall(".{1,4}", iban.replace(" ", "")))
    account = f"\n{_ACCOUNT[locale]}: {groups}" if iban else ""
    return f"\n{_DEPOSIT[locale]}: {amount}{account}" if amount else ""


def early_start_line(request: str, locale: UserLocale) -> str:
    """What the client ticked besides, in the words of the page; "" where it did not."""
    return _EARLY_START[locale].format(text=quoted(request, locale)) if request else ""


def signer(name: str, locale: UserLocale) -> str:
    """The name that a client entered; "The client" where there is none that can be shown."""
    return shown_name(name) or _SIGNER[locale]


def quoted_text(text: str, locale: UserLocale) -> str:
    """What a client wrote, in quotation marks; a sentence in its place if it has a link or an address."""
    if not text.strip():
        return ""
    if has_address(text):
        return _WITH_ADDRESS[locale]
    return quoted(text.strip(), locale)


def contact(phone: str, email: str) -> str:
    """How to reach the workshop, a line each; "" where it gave nothing that is a telephone number or an address."""
    phone = REVERSING.sub("", phone).strip()
    lines = [phone if _PHONE.fullmatch(phone) else "", email if is_email(email) else ""]
    return "".join(f"\n{line}" for line in lines if line)


def method_label(method: DecisionMethod, locale: UserLocale) -> str:
    """How a recorded decision was made, at the end of a sentence."""
    return _METHODS[locale][method]
