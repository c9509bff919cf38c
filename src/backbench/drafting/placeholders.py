"""Placeholders of a draft, such as {total}: a language model writes them in place of figures, dates and names.

The values are the texts that the built-in templates use. They are filled in after the draft has been checked, so a
draft cannot state another figure, and the model sees neither sums nor the names of people.
"""

import re
from collections.abc import Mapping, Sequence

from backbench.drafting.plain_text import one_line
from backbench.estimating.message_texts.facts import MessageFacts, total_text, valid_until_text
from backbench.values.enums import DocumentLocale

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
# In place of a placeholder while the text around it is checked.
REPLACEMENT = "\ufffc"
_LONGEST_WORK = 200
DESCRIPTIONS = {
    "total": "the total, with its currency and the tax in it",
    "valid_until": "the last day on which the estimate is valid",
    "estimate": "the name of the estimate",
    "work": "the labels of its lines, separated by commas",
    "client": "the name of the client",
    "crafter": "the name of the person who writes",
    "workshop": "the name of the workshop",
    "phone": "the telephone number of the workshop",
    "email": "the email address of the workshop",
}


def placeholder_values(facts: MessageFacts, labels: Sequence[str], locale: DocumentLocale) -> dict[str, str]:
    """The text of each placeholder; a placeholder without a text does not exist for this draft."""
    work = ", ".join(one_line(label) for label in labels)
    values = {
        "total": total_text(facts, locale),
        "valid_until": valid_until_text(facts, locale),
        "estimate": one_line(facts.estimate_name),
        "work": work if len(work) <= _LONGEST_WORK else "",
        "client": one_line(facts.recipient_name),
        # A workshop named after its crafter signs once.
        "crafter": "" if facts.crafter_name == facts.workshop_name else one_line(facts.crafter_name),
        "workshop": one_line(facts.workshop_name),
        "phone": one_line(facts.phone),
        "email": one_line(facts.email),
    }
    return {name: value for name, value in values.items() if value}


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its placeholders replaced. Braces in values stay as they are. Raises KeyError if one is unknown."""
    return PLACEHOLDER.sub(lambda placeholder: values[placeholder[1]], text)
