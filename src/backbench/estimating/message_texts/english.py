"""English messages."""

from backbench.documents.titles import title_words
from backbench.estimating.message_texts.facts import (
    MessageFacts,
    MessageText,
    deposit_sentence,
    first_or_revised,
    is_revised,
    quoted_name,
    sentences,
    total_text,
    validity_sentence,
)


def formal(facts: MessageFacts) -> MessageText:
    noun = title_words(facts.title, "en").noun
    return MessageText(
        subject=f"{first_or_revised(facts, noun.capitalize(), f'Revised {noun}')}: {facts.estimate_name}",
        greeting=_formal_greeting(facts),
        opening=f"{_english_formal_opening(facts)} our {first_or_revised(facts, noun, f'revised {noun}')}"
        f"{_english_name(facts)}.",
        total=sentences(f"The total comes to {total_text(facts, 'en')}.", deposit_sentence(facts, "en")),
        validity=validity_sentence(
            facts, "en", f"The {noun} is valid until {{}}.", "To go ahead, please confirm by that date."
        ),
        offer="Should you have any questions, or wish to change anything, we would be glad to help.",
        closing=_formal_closing(facts),
    )


def formal_preliminary(facts: MessageFacts) -> MessageText:
    kind = first_or_revised(facts, "a preliminary estimate", "our revised preliminary estimate")
    return MessageText(
        subject=_preliminary_subject(facts),
        greeting=_formal_greeting(facts),
        opening=f"{_english_formal_opening(facts)} {kind}{_english_name(facts)}.",
        total=f"As a first indication, the total comes to {total_text(facts, 'en')}. The final figure follows once the "
        "details are settled.",
        offer="Please let us know whether this is in line with what you had in mind.",
        closing=_formal_closing(facts),
    )


def friendly(facts: MessageFacts) -> MessageText:
    here = "I’ve attached" if facts.with_pdf else "Here’s"
    noun = title_words(facts.title, "en").noun
    return MessageText(
        subject=f"{first_or_revised(facts, f'Your {noun}', f'Your revised {noun}')}: {facts.estimate_name}",
        greeting=_friendly_greeting(facts),
        opening=f"{here} the {first_or_revised(facts, noun, f'revised {noun}')}{_english_name(facts)}.",
        total=sentences(f"The total is {total_text(facts, 'en')}.", deposit_sentence(facts, "en")),
        validity=validity_sentence(
            facts, "en", "The price holds until {}.", "If you’re happy with it, just reply to this message."
        ),
        offer="If anything’s unclear, or you’d like to change something, just let me know.",
        closing="All the best,",
    )


def friendly_preliminary(facts: MessageFacts) -> MessageText:
    here = "I’ve attached" if facts.with_pdf else "Here’s"
    return MessageText(
        subject=_preliminary_subject(facts),
        greeting=_friendly_greeting(facts),
        opening=f"{here} {first_or_revised(facts, 'a preliminary estimate', 'a revised preliminary estimate')}"
        f"{_english_name(facts)}, so you have an idea of what to expect.",
        total=f"So far it comes to {total_text(facts, 'en')}. That’s a rough figure; the exact one follows once we’ve "
        "settled the details.",
        offer="Let me know if this is the right direction. Happy to answer any questions.",
        closing="All the best,",
    )


def _english_formal_opening(facts: MessageFacts) -> str:
    if is_revised(facts):
        return "As discussed, please find attached" if facts.with_pdf else "As discussed, here is"
    attached = "Please find attached" if facts.with_pdf else "We are pleased to send you"
    return f"Thank you for your enquiry. {attached}"


def _english_name(facts: MessageFacts) -> str:
    version = f" (revision {facts.revision_number})" if is_revised(facts) else ""
    return f"{quoted_name(facts, ' for {}', 'en')}{version}"


def _formal_greeting(facts: MessageFacts) -> str:
    return f"Dear {facts.recipient_name or 'Sir or Madam'},"


def _formal_closing(facts: MessageFacts) -> str:
    return "Yours sincerely," if facts.recipient_name else "Yours faithfully,"


def _friendly_greeting(facts: MessageFacts) -> str:
    """By name only if it is one word: of several, the first may be a title, a company or one of two people."""
    is_one_word = len(facts.recipient_name.split()) == 1
    return f"Hi {facts.recipient_name}," if is_one_word else "Hello,"


def _preliminary_subject(facts: MessageFacts) -> str:
    kind = first_or_revised(facts, "Preliminary estimate", "Revised preliminary estimate")
    return f"{kind}: {facts.estimate_name}"
