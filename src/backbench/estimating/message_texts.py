"""Texts of messages to the client: an estimate by email, or in a shorter form by SMS or chat, in two tones.

The Polish ones avoid forms that need declension or a guess at gender: no vocatives, no Pan or Pani, no gendered verbs.
"""

from datetime import date
from decimal import Decimal

from msgspec import Struct, structs

from backbench.documents.titles import is_generated, title_words
from backbench.values.enums import DepositKind, DocumentLocale, DocumentTitle, MessageChannel, MessageLink, MessageTone
from backbench.values.locales import day, money, percent
from backbench.values.text import quoted
from backbench.words import MessageWords, words


class MessageFacts(Struct, frozen=True):
    """The facts that a message states. Empty texts are left out. `total` includes `tax`.

    `with_pdf`: whether the PDF goes with the message. `is_revised`: whether the client may know an earlier revision.
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
    is_revised: bool = False
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


def draft(facts: MessageFacts, locale: DocumentLocale, tone: MessageTone, preliminary: bool) -> MessageDraft:
    """The message from the built-in template for `locale` and `tone`, without the details in the channel `message`."""
    text = _text(locale, tone, preliminary)
    values = _values(facts, locale)
    is_named = _is_greeted_by_name(facts, tone)
    kind = (text.subject_revised if facts.is_revised else text.subject).format(**values)
    subject = f"{kind}: {facts.estimate_name}"
    greeting = (text.greeting if is_named else text.greeting_unnamed).format(recipient=facts.recipient_name)
    opening = _opening(facts, text).format(**values)
    total = text.total.format(total=total_text(facts, locale))
    if not preliminary:
        total = _sentences(total, _deposit(facts, locale))
    link = link_text(facts, locale, tone)
    if facts.channel == "message":
        paragraphs = [
            f"{greeting} {_in_sentence(opening)}", total, _validity(facts, text, locale, values), link, _names(facts),
        ]  # fmt: skip
        return MessageDraft(subject, "\n".join(paragraph for paragraph in paragraphs if paragraph))
    closing = text.closing if facts.recipient_name else text.closing_unnamed
    signature = "\n".join(line for line in [closing, _names(facts, "\n"), facts.phone, facts.email] if line)
    paragraphs = [greeting, opening, total, _validity(facts, text, locale, values), link, text.offer, signature]
    return MessageDraft(subject, "\n\n".join(paragraph for paragraph in paragraphs if paragraph))


def link_text(facts: MessageFacts, locale: DocumentLocale, tone: MessageTone) -> str:
    """The paragraph that leads to the client page, with `{link}` in the place of its address; "" without one."""
    if facts.link is None:
        return ""
    text = _text(locale, tone, preliminary=False)
    form = text.link_answer if facts.link == "answer" else text.link_read
    return f"{form.format(**_values(facts, locale))}\n{{link}}"


def total_text(facts: MessageFacts, locale: DocumentLocale) -> str:
    """The total with its currency, and the tax in it, if any, in parentheses."""
    total, parts = money(facts.total, facts.currency, locale), words(locale).message
    if facts.tax is None:
        return total
    form = parts.with_tax_without_rate if facts.tax_percent is None else parts.with_tax
    return form.format(
        total=total,
        tax=money(facts.tax, facts.currency, locale),
        label=facts.tax_label or "VAT",
        rate="" if facts.tax_percent is None else percent(facts.tax_percent, locale),
    )


def valid_until_text(facts: MessageFacts, locale: DocumentLocale) -> str:
    """The last day of validity; "" for an estimate without one."""
    return "" if facts.valid_until is None else day(facts.valid_until, locale)


def _text(locale: DocumentLocale, tone: MessageTone, preliminary: bool) -> MessageWords:
    return words(locale).messages[f"{tone}_preliminary" if preliminary else tone]


def _values(facts: MessageFacts, locale: DocumentLocale) -> dict[str, str]:
    """What the document is called, and its name, which is left out where nobody has given one."""
    parts = words(locale).message
    name = "" if is_generated(facts.estimate_name) else parts.name.format(name=quoted(facts.estimate_name, locale))
    version = parts.version.format(number=facts.revision_number) if facts.is_revised else ""
    return {**structs.asdict(title_words(facts.title, locale)), "name": name + version}


def _is_greeted_by_name(facts: MessageFacts, tone: MessageTone) -> bool:
    """In a friendly message only if it is one word: of several, the first may be a title, a company or one of two."""
    names = facts.recipient_name.split()
    return bool(names) and (tone == "formal" or len(names) == 1)


def _opening(facts: MessageFacts, text: MessageWords) -> str:
    """A revised estimate is no answer to an enquiry."""
    if facts.is_revised:
        return text.opening_revised_with_pdf if facts.with_pdf else text.opening_revised
    return text.opening_with_pdf if facts.with_pdf else text.opening


def _deposit(facts: MessageFacts, locale: DocumentLocale) -> str:
    if facts.deposit is None:
        return ""
    parts = words(locale).message
    form = parts.earnest if facts.deposit_kind == "earnest" else parts.advance
    return form.format(amount=money(facts.deposit, facts.currency, locale))


def _validity(facts: MessageFacts, text: MessageWords, locale: DocumentLocale, values: dict[str, str]) -> str:
    """With a request for an answer by message, where the client does not answer on a page. "" without a day."""
    until = valid_until_text(facts, locale)
    if not until or not text.validity:
        return ""
    return _sentences(text.validity.format(date=until, **values), "" if facts.link == "answer" else text.reply)


def _sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _in_sentence(text: str) -> str:
    """After the greeting on the same line: with a small first letter, unless it is the word I."""
    return text if text.startswith("I’") else text[:1].lower() + text[1:]


def _names(facts: MessageFacts, separator: str = ", ") -> str:
    """A workshop named after its crafter is named once."""
    return separator.join(name for name in dict.fromkeys([facts.crafter_name, facts.workshop_name]) if name)
