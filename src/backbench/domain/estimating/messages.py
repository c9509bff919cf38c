"""Message templates: the message with which an estimate is sent to the client, in two languages and two tones.

The Polish texts avoid forms that need declension or a guess at gender: no vocatives, no Pan or Pani, no gendered
verbs. Names are used in the nominative only, where a person, company or family fits.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

from msgspec import Struct

from backbench.domain.estimating.document_titles import title_words
from backbench.domain.values.enums import DepositKind, DocumentLocale, DocumentTitle, MessageChannel, MessageTone
from backbench.domain.values.locales import day, money, percent


class MessageFacts(Struct, frozen=True):
    """The facts that a message states. Empty texts are left out. `total` includes `tax`.

    `with_pdf`: whether the PDF goes with the message. From `revision_number` 2 on, the estimate is called revised.
    `number` and `title` are those of the document, `deposit` is due with the order. An SMS or chat, the channel
    `message`, has a shorter text than an email.
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

    def numbered(self, subject: str) -> str:
        """The subject with the number of the document, by which client and workshop refer to it."""
        return f"{subject} ({self.number})" if self.number else subject


class MessageDraft(Struct, frozen=True):
    """A message as plain text, with an empty line between paragraphs."""

    subject: str
    body: str


def draft(facts: MessageFacts, locale: DocumentLocale, tone: MessageTone, preliminary: bool) -> MessageDraft:
    """The message from the built-in template for `locale` and `tone`, without the details in the channel `message`."""
    text = TEMPLATES[locale, tone, preliminary](facts)
    if facts.channel == "message":
        # On the line of the greeting, after a comma.
        opening = text.opening if locale == "pl" else _in_sentence(text.opening)
        paragraphs = [f"{text.greeting} {opening}", text.total, text.validity, _names(facts)]
        return MessageDraft(text.subject, "\n".join(paragraph for paragraph in paragraphs if paragraph))
    signature = "\n".join(line for line in [text.closing, _names(facts, "\n"), facts.phone, facts.email] if line)
    paragraphs = [text.greeting, text.opening, text.total, text.validity, text.offer, signature]
    return MessageDraft(text.subject, "\n\n".join(paragraph for paragraph in paragraphs if paragraph))


def _in_sentence(text: str) -> str:
    """With a small first letter, unless it is the word I."""
    return text if text.startswith("I’") else text[:1].lower() + text[1:]


class _Text(Struct, frozen=True, kw_only=True):
    """The parts of a message. `validity` is "" without one, and always in a preliminary message."""

    subject: str
    greeting: str
    opening: str
    total: str
    validity: str = ""
    offer: str
    closing: str


def _polish_formal(facts: MessageFacts) -> _Text:
    words = title_words(facts.title, "pl")
    return _Text(
        subject=f"{_polish_subject(facts)}: {facts.estimate_name}",
        greeting="Szanowni Państwo,",
        opening=f"{_polish_formal_opening(facts)} {_polish_accusative(facts)} {_polish_name(facts)}.",
        total=_sentences(f"Łączna kwota: {total_text(facts, 'pl')}.", _deposit(facts, "pl")),
        validity=_validity(
            facts,
            "pl",
            f"{words.name} jest {words.valid.partition(' ')[0].lower()} do {{}} r. Jeśli odpowiada Państwa "
            "oczekiwaniom, prosimy o potwierdzenie do tego dnia.",
        ),
        offer="Chętnie odpowiemy na pytania, a w razie potrzeby dostosujemy zakres prac.",
        closing="Z poważaniem",
    )


def _polish_formal_preliminary(facts: MessageFacts) -> _Text:
    return _Text(
        subject=f"{_polish(facts, 'Wstępna wycena', 'Poprawiona wstępna wycena')}: {facts.estimate_name}",
        greeting="Szanowni Państwo,",
        opening=f"{_polish_formal_opening(facts)} "
        f"{_polish(facts, 'wstępną wycenę', 'poprawioną wstępną wycenę')} {_polish_name(facts)}.",
        total=f"Orientacyjna kwota: {total_text(facts, 'pl')}. Ostateczną cenę podamy po ustaleniu szczegółów.",
        offer="Prosimy o informację, czy zaproponowany zakres odpowiada Państwa oczekiwaniom.",
        closing="Z poważaniem",
    )


def _polish_friendly(facts: MessageFacts) -> _Text:
    enclosed = "w załączniku przesyłam" if facts.with_pdf else "przesyłam"
    return _Text(
        subject=f"{_polish_subject(facts)}: {facts.estimate_name}",
        greeting="Dzień dobry,",
        opening=f"{enclosed} {_polish_accusative(facts)} {_polish_name(facts)}.",
        total=_sentences(f"Całość wyniesie {total_text(facts, 'pl')}.", _deposit(facts, "pl")),
        validity=_validity(
            facts, "pl", "Cena jest aktualna do {} r. Jeśli wszystko pasuje, wystarczy krótka odpowiedź."
        ),
        offer="W razie pytań albo zmian proszę śmiało pisać lub dzwonić.",
        closing="Pozdrawiam serdecznie",
    )


def _polish_friendly_preliminary(facts: MessageFacts) -> _Text:
    enclosed = "w załączniku przesyłam" if facts.with_pdf else "przesyłam"
    return _Text(
        subject=f"{_polish(facts, 'Wstępna wycena', 'Poprawiona wstępna wycena')}: {facts.estimate_name}",
        greeting="Dzień dobry,",
        opening=f"{enclosed} {_polish(facts, 'wstępną wycenę', 'poprawioną wstępną wycenę')} {_polish_name(facts)}, "
        "żeby było wiadomo, czego się spodziewać.",
        total=f"Na razie wychodzi {total_text(facts, 'pl')}. To kwota orientacyjna, dokładną podam, "
        "gdy ustalimy szczegóły.",
        offer="Proszę dać znać, czy to dobry kierunek. Na pytania chętnie odpowiem.",
        closing="Pozdrawiam serdecznie",
    )


def _english_formal(facts: MessageFacts) -> _Text:
    noun = title_words(facts.title, "en").noun
    return _Text(
        subject=f"{_english(facts, noun.capitalize(), f'Revised {noun}')}: {facts.estimate_name}",
        greeting=_formal_greeting(facts),
        opening=f"{_english_formal_opening(facts)} our {_english(facts, noun, f'revised {noun}')} "
        f"for {_english_name(facts)}.",
        total=_sentences(f"The total comes to {total_text(facts, 'en')}.", _deposit(facts, "en")),
        validity=_validity(facts, "en", f"The {noun} is valid until {{}}. To go ahead, please confirm by that date."),
        offer="Should you have any questions, or wish to change anything, we would be glad to help.",
        closing=_formal_closing(facts),
    )


def _english_formal_preliminary(facts: MessageFacts) -> _Text:
    kind = _english(facts, "a preliminary estimate", "our revised preliminary estimate")
    return _Text(
        subject=f"{_english(facts, 'Preliminary estimate', 'Revised preliminary estimate')}: {facts.estimate_name}",
        greeting=_formal_greeting(facts),
        opening=f"{_english_formal_opening(facts)} {kind} for {_english_name(facts)}.",
        total=f"As a first indication, the total comes to {total_text(facts, 'en')}. The final figure follows once the "
        "details are settled.",
        offer="Please let us know whether this is in line with what you had in mind.",
        closing=_formal_closing(facts),
    )


def _english_friendly(facts: MessageFacts) -> _Text:
    here = "I’ve attached" if facts.with_pdf else "Here’s"
    noun = title_words(facts.title, "en").noun
    return _Text(
        subject=f"{_english(facts, f'Your {noun}', f'Your revised {noun}')}: {facts.estimate_name}",
        greeting=_friendly_greeting(facts),
        opening=f"{here} the {_english(facts, noun, f'revised {noun}')} for {_english_name(facts)}.",
        total=_sentences(f"The total is {total_text(facts, 'en')}.", _deposit(facts, "en")),
        validity=_validity(
            facts, "en", "The price holds until {}. If you’re happy with it, just reply to this message."
        ),
        offer="If anything’s unclear, or you’d like to change something, just let me know.",
        closing="All the best,",
    )


def _english_friendly_preliminary(facts: MessageFacts) -> _Text:
    here = "I’ve attached" if facts.with_pdf else "Here’s"
    return _Text(
        subject=f"{_english(facts, 'Preliminary estimate', 'Revised preliminary estimate')}: {facts.estimate_name}",
        greeting=_friendly_greeting(facts),
        opening=f"{here} {_english(facts, 'a preliminary estimate', 'a revised preliminary estimate')} for "
        f"{_english_name(facts)}, so you have an idea of what to expect.",
        total=f"So far it comes to {total_text(facts, 'en')}. That’s a rough figure; the exact one follows once we’ve "
        "settled the details.",
        offer="Let me know if this is the right direction. Happy to answer any questions.",
        closing="All the best,",
    )


TEMPLATES: dict[tuple[DocumentLocale, MessageTone, bool], Callable[[MessageFacts], _Text]] = {
    ("pl", "formal", False): _polish_formal,
    ("pl", "formal", True): _polish_formal_preliminary,
    ("pl", "friendly", False): _polish_friendly,
    ("pl", "friendly", True): _polish_friendly_preliminary,
    ("en", "formal", False): _english_formal,
    ("en", "formal", True): _english_formal_preliminary,
    ("en", "friendly", False): _english_friendly,
    ("en", "friendly", True): _english_friendly_preliminary,
}


def _is_revised(facts: MessageFacts) -> bool:
    return facts.revision_number > 1


def _polish(facts: MessageFacts, first: str, revised: str) -> str:
    return revised if _is_revised(facts) else first


_english = _polish


def _polish_subject(facts: MessageFacts) -> str:
    words = title_words(facts.title, "pl")
    revised = "Poprawiony" if facts.title == "cost_estimate" else "Poprawiona"
    return _polish(facts, words.name, f"{revised} {words.noun}")


def _polish_accusative(facts: MessageFacts) -> str:
    words = title_words(facts.title, "pl")
    revised = "poprawiony" if facts.title == "cost_estimate" else "poprawioną"
    return _polish(facts, words.accusative, f"{revised} {words.accusative}")


def _polish_formal_opening(facts: MessageFacts) -> str:
    """A revised estimate is no answer to an enquiry."""
    enclosed = "w załączniku przesyłamy" if facts.with_pdf else "przesyłamy"
    if _is_revised(facts):
        return f"zgodnie z ustaleniami {enclosed}"
    return f"dziękujemy za zapytanie. {enclosed[:1].upper()}{enclosed[1:]}"


def _english_formal_opening(facts: MessageFacts) -> str:
    if _is_revised(facts):
        return "As discussed, please find attached" if facts.with_pdf else "As discussed, here is"
    attached = "Please find attached" if facts.with_pdf else "We are pleased to send you"
    return f"Thank you for your enquiry. {attached}"


def _deposit(facts: MessageFacts, locale: DocumentLocale) -> str:
    if facts.deposit is None:
        return ""
    amount = money(facts.deposit, facts.currency, locale)
    kind = "Zadatek" if facts.deposit_kind == "earnest" else "Zaliczka"
    return f"{kind} przy zamówieniu: {amount}." if locale == "pl" else f"The deposit with the order is {amount}."


def _sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _polish_name(facts: MessageFacts) -> str:
    """The estimate's name in quotes, with the version of a revised one. The recipient knows who they are."""
    version = f" (wersja {facts.revision_number})" if _is_revised(facts) else ""
    return f"„{facts.estimate_name}”{version}"


def _english_name(facts: MessageFacts) -> str:
    version = f" (revision {facts.revision_number})" if _is_revised(facts) else ""
    return f"“{facts.estimate_name}”{version}"


def _formal_greeting(facts: MessageFacts) -> str:
    return f"Dear {facts.recipient_name or 'Sir or Madam'},"


def _formal_closing(facts: MessageFacts) -> str:
    return "Yours sincerely," if facts.recipient_name else "Yours faithfully,"


def _friendly_greeting(facts: MessageFacts) -> str:
    """By name only if it is one word: of several, the first may be a title, a company or one of two people."""
    is_one_word = len(facts.recipient_name.split()) == 1
    return f"Hi {facts.recipient_name}," if is_one_word else "Hello,"


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


def _validity(facts: MessageFacts, locale: DocumentLocale, sentence: str) -> str:
    valid_until = valid_until_text(facts, locale)
    return sentence.format(valid_until) if valid_until else ""


def _names(facts: MessageFacts, separator: str = ", ") -> str:
    """A workshop named after its crafter is named once."""
    return separator.join(name for name in dict.fromkeys([facts.crafter_name, facts.workshop_name]) if name)
