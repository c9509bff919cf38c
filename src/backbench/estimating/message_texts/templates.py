"""Message templates: two languages, two tones, and messages with a preliminary estimate."""

from collections.abc import Callable

from backbench.documents.titles import title_words
from backbench.estimating.message_texts import english, polish
from backbench.estimating.message_texts.facts import MessageDraft, MessageFacts, MessageText
from backbench.values.enums import DocumentLocale, MessageLink, MessageTone

TEMPLATES: dict[tuple[DocumentLocale, MessageTone, bool], Callable[[MessageFacts], MessageText]] = {
    ("pl", "formal", False): polish.formal,
    ("pl", "formal", True): polish.formal_preliminary,
    ("pl", "friendly", False): polish.friendly,
    ("pl", "friendly", True): polish.friendly_preliminary,
    ("en", "formal", False): english.formal,
    ("en", "formal", True): english.formal_preliminary,
    ("en", "friendly", False): english.friendly,
    ("en", "friendly", True): english.friendly_preliminary,
}


def draft(facts: MessageFacts, locale: DocumentLocale, tone: MessageTone, preliminary: bool) -> MessageDraft:
    """The message from the built-in template for `locale` and `tone`, without the details in the channel `message`."""
    text = TEMPLATES[locale, tone, preliminary](facts)
    link = link_text(facts, locale, tone)
    if facts.channel == "message":
        # On the line of the greeting, after a comma.
        opening = text.opening if locale == "pl" else _in_sentence(text.opening)
        paragraphs = [f"{text.greeting} {opening}", text.total, text.validity, link, _names(facts)]
        return MessageDraft(text.subject, "\n".join(paragraph for paragraph in paragraphs if paragraph))
    signature = "\n".join(line for line in [text.closing, _names(facts, "\n"), facts.phone, facts.email] if line)
    paragraphs = [text.greeting, text.opening, text.total, text.validity, link, text.offer, signature]
    return MessageDraft(text.subject, "\n\n".join(paragraph for paragraph in paragraphs if paragraph))


def link_text(facts: MessageFacts, locale: DocumentLocale, tone: MessageTone) -> str:
    """The paragraph that leads to the client page, with `{link}` in the place of its address; "" without one."""
    if facts.link is None:
        return ""
    words = title_words(facts.title, locale)
    it = "go" if facts.title == "cost_estimate" else "ją"
    texts: dict[tuple[DocumentLocale, MessageTone, MessageLink], str] = {
        ("pl", "formal", "answer"): f"Pod tym adresem można obejrzeć {words.accusative}, zadać pytania i {it} przyjąć:",
        ("pl", "formal", "read"): f"Pod tym adresem można obejrzeć {words.accusative}:",
        ("pl", "friendly", "answer"): f"Wszystkie szczegóły są pod tym linkiem. Tam można też o coś zapytać i przyjąć "
        f"{words.accusative}:",
        ("pl", "friendly", "read"): "Wszystkie szczegóły są pod tym linkiem:",
        ("en", "formal", "answer"): f"You can view the {words.noun}, ask questions and accept it on this page:",
        ("en", "formal", "read"): f"You can view the {words.noun} on this page:",
        ("en", "friendly", "answer"): "You can see all the details, ask a question or accept it here:",
        ("en", "friendly", "read"): "You can see all the details here:",
    }
    return f"{texts[locale, tone, facts.link]}\n{{link}}"


def _in_sentence(text: str) -> str:
    """With a small first letter, unless it is the word I."""
    return text if text.startswith("I’") else text[:1].lower() + text[1:]


def _names(facts: MessageFacts, separator: str = ", ") -> str:
    """A workshop named after its crafter is named once."""
    return separator.join(name for name in dict.fromkeys([facts.crafter_name, facts.workshop_name]) if name)
