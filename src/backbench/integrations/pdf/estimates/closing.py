"""Closing of an estimate: its terms and the signatures, and how they follow the sums."""

from typing import Literal

from msgspec import Struct

from backbench.documents.documents import EstimateDocument
from backbench.documents.withdrawal import MORE_ON_PRIVACY, PRIVACY, WITHDRAWAL
from backbench.estimating.document_titles import title_words
from backbench.integrations.pdf.estimates.conditions import ConditionText
from backbench.integrations.pdf.glyphs import segments
from backbench.integrations.pdf.typesetting import BreakableText
from backbench.integrations.pdf.wording import LABELS
from backbench.values.locales import NO_BREAK_SPACE

# A longer note on the tax is with the terms.
LONGEST_REMARK = 300
# Terms of at most as many characters are not separated from the signatures.
SHORT_CONDITIONS = 800
Closing = Literal["with-sums", "together", "flowing"]


class Acceptance(Struct, frozen=True):
    """The sentence that the client accepts, and the signature lines; each with a name, or without."""

    sentence: str
    signatures: list[tuple[str, BreakableText]]


def condition_texts(document: EstimateDocument) -> list[ConditionText]:
    """What the client should know before signing: in the text of the document, so that screen readers read it."""
    labels, letterhead = LABELS[document.locale], document.letterhead
    # A short note on the tax is next to the sums.
    note = document.tax_note if len(document.tax_note) > LONGEST_REMARK else ""
    texts = [
        ConditionText(note),
        ConditionText(document.lead_time, labels["lead_time"]),
        ConditionText(document.terms),
        ConditionText(WITHDRAWAL[document.locale][document.withdrawal]),
        ConditionText(_iban(letterhead.iban), labels["account"], is_code=True),
        ConditionText(_privacy(document)),
        ConditionText(letterhead.footer),
    ]
    return [text for text in texts if text.text.strip()]


def _privacy(document: EstimateDocument) -> str:
    letterhead = document.letterhead
    if not letterhead.privacy_url or document.preliminary:
        return ""
    more = MORE_ON_PRIVACY[document.locale].format(url=letterhead.privacy_url)
    return PRIVACY[document.locale].format(workshop=letterhead.name) + " " + more


def _iban(text: str) -> str:
    """In groups of four, as banks print it."""
    compact = text.replace(" ", "")
    return NO_BREAK_SPACE.join(compact[at : at + 4] for at in range(0, len(compact), 4))


def closing(document: EstimateDocument) -> Closing:
    """A single short paragraph of terms fits below the sums; more would leave much of the page before them empty."""
    texts = condition_texts(document)
    if sum(len(text.text) for text in texts) > SHORT_CONDITIONS:
        return "flowing"
    return "with-sums" if len(texts) <= 1 else "together"


def acceptance(document: EstimateDocument) -> Acceptance:
    labels, words = LABELS[document.locale], title_words(document.title, document.locale)
    crafter = segments(document.letterhead.crafter_name)
    sentence = labels["acceptance"].format(accusative=words.accusative, the=words.the)
    return Acceptance(sentence, [(labels["client"], []), (labels["crafter"], crafter)])
