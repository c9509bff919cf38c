"""Values in emails about a shared estimate: what people wrote, none of which can look like a link of the service."""

import re

from msgspec import structs

from backbench.documents.titles import is_generated, title_words
from backbench.mail.email_text import shown_name, shown_number
from backbench.values.enums import DecisionMethod, DocumentLocale, DocumentTitle, MessageLink, UserLocale
from backbench.values.plain_text import has_address
from backbench.values.scalars import REVERSING, is_email
from backbench.values.text import quoted
from backbench.words import TextPlace, words

# Anything else in that field would be a message in the name of this service.
_PHONE = re.compile(r"\+?[0-9][0-9 ()./-]{4,30}")


def estimate_label(name: str, number: str, locale: DocumentLocale) -> str:
    """Number and name of an estimate, after the word for it: ` 12/2026 “Oak table”`. "" where none can be shown.

    A name that nobody has given is left out.
    """
    shown = None if is_generated(name) else shown_name(name)
    parts = [shown_number(number) or "", "" if shown is None else quoted(shown, locale)]
    return "".join(f" {part}" for part in parts if part)


def workshop_label(name: str, locale: UserLocale) -> str:
    """The name of a workshop at the start of a sentence or in a subject."""
    return shown_name(name) or words(locale).email.workshop


def sender_via(name: str, locale: UserLocale) -> str:
    """The name of a workshop as the sender, before the address of the service; "" without one."""
    return words(locale).email.via.format(name=name) if name else ""


def total_label(tax_label: str, locale: UserLocale) -> str:
    """What the total is called: with the name of the tax that it includes, if there is one."""
    parts = words(locale).email
    return parts.total_with_tax.format(tax=tax_label) if tax_label else parts.total


def title_values(title: DocumentTitle, locale: DocumentLocale) -> dict[str, str]:
    """What the document is called, in the forms that sentences need."""
    return structs.asdict(title_words(title, locale))


def offer_values(link: MessageLink, title: DocumentTitle, locale: DocumentLocale) -> dict[str, str]:
    """The sentences about what the client can do on the page."""
    texts = structs.asdict(words(locale).offers[link])
    return {name: text.format(**title_values(title, locale)) for name, text in texts.items()}


def validity(date_text: str, title: DocumentTitle, locale: DocumentLocale) -> str:
    """The sentence about the end of the validity; "" where there is none."""
    return words(locale).email.validity.format(**title_values(title, locale), date=date_text) if date_text else ""


def subject_label(*parts: str) -> str:
    """What an email to a workshop is about, in its subject: that which is known of number, name, client and total."""
    return ", ".join(part.strip() for part in parts if part.strip())


def name_row(name: str, locale: UserLocale) -> str:
    """The line with the name that a client entered; "" where there is none that can be shown."""
    shown = shown_name(name)
    return "" if shown is None else words(locale).email.name_row.format(name=shown)


def deposit_rows(amount: str, iban: str, title: str, locale: UserLocale) -> str:
    """Lines with the deposit, its account, and the title of the transfer; "" without a deposit."""
    groups = " ".join(re.findall(".{1,4}", iban.replace(" ", "")))
    account = f"\n{words(locale).email.account}: {groups}" if iban else ""
    transfer = f"\n{words(locale).email.transfer_title}: {title}" if iban and title else ""
    return f"\n{words(locale).email.deposit}: {amount}{account}{transfer}" if amount else ""


def early_start_line(request: str, locale: UserLocale) -> str:
    """What the client ticked besides, in the words of the page; "" where it did not."""
    return words(locale).email.early_start.format(text=quoted(request, locale)) if request else ""


def signer(name: str, locale: UserLocale) -> str:
    """The name that a client entered; "The client" where there is none that can be shown."""
    return shown_name(name) or words(locale).email.signer


def quoted_text(text: str, locale: UserLocale, place: TextPlace) -> str:
    """What somebody wrote, in quotation marks. Where it has a link or an address, a sentence that names the place in
    which the recipient can read it."""
    if not text.strip():
        return ""
    if has_address(text):
        parts = words(locale).email
        return parts.with_address.format(instead=parts.instead[place])
    return quoted(text.strip(), locale)


def contact(phone: str, email: str) -> str:
    """How to reach the workshop, a line each; "" where it gave nothing that is a telephone number or an address."""
    phone = REVERSING.sub("", phone).strip()
    lines = [phone if _PHONE.fullmatch(phone) else "", email if is_email(email) else ""]
    return "".join(f"\n{line}" for line in lines if line)


def method_label(method: DecisionMethod, locale: UserLocale) -> str:
    """How a recorded decision was made, at the end of a sentence."""
    return words(locale).email_methods[method]
