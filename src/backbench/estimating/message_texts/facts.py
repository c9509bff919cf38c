"""Facts that a message to the client states, and the parts of its text."""

from datetime import date
from decimal import Decimal

from msgspec import Struct

from backbench.documents.titles import is_generated
from backbench.values.enums import DepositKind, DocumentLocale, DocumentTitle, MessageChannel, MessageLink
from backbench.values.locales import day, money, percent
from backbench.values.text import quoted


class MessageFacts(Struct, frozen=True):
    """The facts that a message states. Empty texts are left out. `total` includes `tax`.

    `with_pdf`: whether the PDF goes with the message. From `revision_number` 2 on, the estimate is called revised.
    `number` and `title` are those of the document, `deposit` is due with the order. An SMS or chat, the channel
    `message`, has a shorter text than an email. `link`: what the client can do on the page whose address goes with it.
    """

    estimate_name: str
    total: Decimal
    currency: str
    workshop_name: str
    recipient_name: str = ""
    tax: Decimal | None = None
    tax_percent: Decimal | None = None
    tax_label: str = ""
    valid_until: date | None = None
    crafter_name: str = ""
    phone: str = ""
    email: str = ""
    with_pdf: bool = False
    revision_number: int = 0
    channel: MessageChannel = "email"
    number: str = ""
    title: DocumentTitle = "estimate"
    deposit: Decimal | None = None
    deposit_kind: DepositKind = "advance"
    link: MessageLink | None = None

    def numbered(self, subject: str) -> str:
        """The subject with the number of the document, by which client and workshop refer to it."""
        return f"{subject} ({self.number})" if self.number else subject


class MessageDraft(Struct, frozen=True):
    """A message as plain text, with an empty line between paragraphs."""

    subject: str
    body: str


class MessageText(Struct, frozen=True, kw_only=True):
    """The parts of a message. `validity` is "" without one, and always in a preliminary message."""

    subject: str
    greeting: str
    opening: str
    total: str
    validity: str = ""
    offer: str
    closing: str


def is_revised(facts: MessageFacts) -> bool:
    return facts.revision_number > 1


def first_or_revised(facts: MessageFacts, first: str, revised: str) -> str:
    return revised if is_revised(facts) else first


def deposit_sentence(facts: MessageFacts, locale: DocumentLocale) -> str:
    if facts.deposit is None:
        return ""
    amount = money(facts.deposit, facts.currency, locale)
    is_earnest = facts.deposit_kind == "earnest"
    if locale == "pl":
        return f"{'Zadatek' if is_earnest else 'Zaliczka'} przy zamówieniu: {amount}."
    return f"The {'earnest money' if is_earnest else 'deposit'} with the order is {amount}."


def sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def total_text(facts: MessageFacts, locale: DocumentLocale) -> str:
    """The total with its currency, and the tax in it, if any, in parentheses."""
    total = money(facts.total, facts.currency, locale)
    if facts.tax is None:
        return total
    label = facts.tax_label or "VAT"
    rate = "" if facts.tax_percent is None else percent(facts.tax_percent, locale)
    tax = money(facts.tax, facts.currency, locale)
    if locale == "pl":
        return f"{total} (w tym {tax} {label} {rate}".rstrip() + ")"
    return f"{total} ({' '.join(f'including {rate} {label}'.split())}: {tax})"


def valid_until_text(facts: MessageFacts, locale: DocumentLocale) -> str:
    """The last day of validity; "" for an estimate without one."""
    return "" if facts.valid_until is None else day(facts.valid_until, locale)


def validity_sentence(facts: MessageFacts, locale: DocumentLocale, sentence: str, reply: str) -> str:
    """`reply` asks for an answer by message, where the client does not answer on a page."""
    valid_until = valid_until_text(facts, locale)
    if not valid_until:
        return ""
    return sentences(sentence.format(valid_until), "" if facts.link == "answer" else reply)


def quoted_name(facts: MessageFacts, form: str, locale: DocumentLocale) -> str:
    """Nothing for a name that nobody has given."""
    return "" if is_generated(facts.estimate_name) else form.format(quoted(facts.estimate_name, locale))
