"""Message templates: the message with which an estimate is sent to the client, in two languages and two tones.

The Polish texts avoid forms that need declension or a guess at gender: no vocatives, no Pan or Pani, no gendered
verbs. Names are used in the nominative only, where a person, company or family fits.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

from msgspec import Struct

from backbench.domain.values.enums import DocumentLocale, MessageTone
from backbench.domain.values.locales import day, money, percent


class MessageFacts(Struct, frozen=True):
    """The facts that a message states. Empty texts are left out. `total` includes `tax`."""

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


class MessageDraft(Struct, frozen=True):
    """A message as plain text, with an empty line between paragraphs."""

    subject: str
    body: str


# The subject and the paragraphs. Empty paragraphs are left out.
MessageText = tuple[str, list[str]]


def draft(facts: MessageFacts, locale: DocumentLocale, tone: MessageTone, preliminary: bool) -> MessageDraft:
    """The message from the built-in template for `locale` and `tone`."""
    subject, paragraphs = TEMPLATES[locale, tone, preliminary](facts)
    return MessageDraft(subject, "\n\n".join(paragraph for paragraph in paragraphs if paragraph))


def _polish_formal(facts: MessageFacts) -> MessageText:
    return f"Wycena: {facts.estimate_name}", [
        "Szanowni Państwo,",
        f"dziękujemy za zainteresowanie naszą ofertą. Przesyłamy wycenę {_estimate_name(facts)}.",
        f"Łączna kwota: {total_text(facts, 'pl')}.",
        _validity(facts, "pl", "Wycena jest ważna do {} r. Prosimy o potwierdzenie w tym terminie."),
        "Chętnie odpowiemy na pytania, a w razie potrzeby dostosujemy zakres prac.",
        _signature(facts, "Z poważaniem"),
    ]


def _polish_formal_preliminary(facts: MessageFacts) -> MessageText:
    return f"Wstępna wycena: {facts.estimate_name}", [
        "Szanowni Państwo,",
        f"dziękujemy za zainteresowanie naszą ofertą. Przesyłamy wstępną wycenę {_estimate_name(facts)}.",
        f"Orientacyjna kwota: {total_text(facts, 'pl')}. Ostateczną cenę podamy po ustaleniu szczegółów.",
        _validity(facts, "pl", "Podane ceny obowiązują do {} r."),
        "Prosimy o informację, czy zaproponowany zakres odpowiada Państwa oczekiwaniom.",
        _signature(facts, "Z poważaniem"),
    ]


def _polish_friendly(facts: MessageFacts) -> MessageText:
    return f"Wycena gotowa: {facts.estimate_name}", [
        "Dzień dobry,",
        f"zgodnie z obietnicą przesyłam wycenę {_estimate_name(facts)}.",
        f"Całość wyniesie {total_text(facts, 'pl')}.",
        _validity(facts, "pl", "Wycena jest aktualna do {} r. Jeśli wszystko pasuje, wystarczy krótka odpowiedź."),
        "W razie pytań albo zmian proszę śmiało pisać lub dzwonić.",
        _signature(facts, "Pozdrawiam serdecznie"),
    ]


def _polish_friendly_preliminary(facts: MessageFacts) -> MessageText:
    return f"Wstępna wycena: {facts.estimate_name}", [
        "Dzień dobry,",
        f"przesyłam wstępną wycenę {_estimate_name(facts)}, żeby było wiadomo, czego się spodziewać.",
        f"Na razie wychodzi {total_text(facts, 'pl')}. To kwota orientacyjna, dokładną podam, gdy ustalimy szczegóły.",
        _validity(facts, "pl", "Podane ceny są aktualne do {} r."),
        "Proszę dać znać, czy to dobry kierunek. Na pytania chętnie odpowiem.",
        _signature(facts, "Pozdrawiam serdecznie"),
    ]


def _english_formal(facts: MessageFacts) -> MessageText:
    return f"Estimate: {facts.estimate_name}", [
        f"Dear {facts.recipient_name or 'Sir or Madam'},",
        f"Thank you for your enquiry. We are pleased to send you our estimate for “{facts.estimate_name}”.",
        f"The total comes to {total_text(facts, 'en')}.",
        _validity(facts, "en", "The estimate is valid until {}. To go ahead, please confirm by that date."),
        "Should you have any questions, or wish to change anything, we would be glad to help.",
        _signature(facts, "Yours sincerely," if facts.recipient_name else "Yours faithfully,"),
    ]


def _english_formal_preliminary(facts: MessageFacts) -> MessageText:
    total = total_text(facts, "en")
    return f"Preliminary estimate: {facts.estimate_name}", [
        f"Dear {facts.recipient_name or 'Sir or Madam'},",
        f"Thank you for your enquiry. We are pleased to send you a preliminary estimate for “{facts.estimate_name}”.",
        f"As a first indication, the total comes to {total}. The final figure follows once the details are settled.",
        _validity(facts, "en", "The prices quoted hold until {}."),
        "Please let us know whether this is in line with what you had in mind.",
        _signature(facts, "Yours sincerely," if facts.recipient_name else "Yours faithfully,"),
    ]


def _english_friendly(facts: MessageFacts) -> MessageText:
    return f"Your estimate for {facts.estimate_name}", [
        f"Hi {facts.recipient_name}," if facts.recipient_name else "Hello,",
        f"Here’s the estimate for “{facts.estimate_name}”, as promised.",
        f"All in all, it comes to {total_text(facts, 'en')}.",
        _validity(facts, "en", "The price holds until {}. If you’re happy with it, just reply to this message."),
        "If anything’s unclear, or you’d like to change something, just let me know.",
        _signature(facts, "All the best,"),
    ]


def _english_friendly_preliminary(facts: MessageFacts) -> MessageText:
    total = total_text(facts, "en")
    return f"A first estimate for {facts.estimate_name}", [
        f"Hi {facts.recipient_name}," if facts.recipient_name else "Hello,",
        f"Here’s a first estimate for “{facts.estimate_name}”, so you have an idea of what to expect.",
        f"So far it comes to {total}. That’s a rough figure; the exact one follows once we’ve settled the details.",
        _validity(facts, "en", "These prices hold until {}."),
        "Let me know if this is the right direction. Happy to answer any questions.",
        _signature(facts, "All the best,"),
    ]


TEMPLATES: dict[tuple[DocumentLocale, MessageTone, bool], Callable[[MessageFacts], MessageText]] = {
    ("pl", "formal", False): _polish_formal,
    ("pl", "formal", True): _polish_formal_preliminary,
    ("pl", "friendly", False): _polish_friendly,
    ("pl", "friendly", True): _polish_friendly_preliminary,
    ("en", "formal", False): _english_formal,
    ("en", "formal", True): _english_formal_preliminary,
    ("en", "friendly", False): _english_friendly,
    ("en", "friendly", True): _english_friendly_preliminary,
}


def _estimate_name(facts: MessageFacts) -> str:
    """The estimate's name in Polish quotes, with the recipient. After the colon no genitive is needed."""
    recipient = f" (dla: {facts.recipient_name})" if facts.recipient_name else ""
    return f"„{facts.estimate_name}”{recipient}"


def total_text(facts: MessageFacts, locale: DocumentLocale) -> str:
    """The total with its currency, and the tax in it, if any, in parentheses."""
    total = money(facts.total, facts.currency, locale)
    if facts.tax is None or facts.tax_percent is None:
        return total
    label, rate = facts.tax_label or "VAT", percent(facts.tax_percent, locale)
    including = f"w tym {label} {rate}" if locale == "pl" else f"including {rate} {label}"
    return f"{total} ({including}: {money(facts.tax, facts.currency, locale)})"


def valid_until_text(facts: MessageFacts, locale: DocumentLocale) -> str:
    """The last day of validity; "" for an estimate without one."""
    return "" if facts.valid_until is None else day(facts.valid_until, locale)


def _validity(facts: MessageFacts, locale: DocumentLocale, sentence: str) -> str:
    valid_until = valid_until_text(facts, locale)
    return sentence.format(valid_until) if valid_until else ""


def _signature(facts: MessageFacts, closing: str) -> str:
    """Closing, names and contact, one per line. A workshop named after its crafter is named once."""
    names = dict.fromkeys([facts.crafter_name, facts.workshop_name])
    return "\n".join(line for line in [closing, *names, facts.phone, facts.email] if line)
