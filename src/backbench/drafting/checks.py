"""Checks of a draft: placeholders such as {total} in place of figures, dates and names, and what it must not say."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from backbench.estimating.message_texts import MessageDraft, MessageFacts, total_text, valid_until_text
from backbench.values.currencies import MINOR_DIGITS
from backbench.values.enums import DocumentLocale
from backbench.values.languages import found_in, language, pattern
from backbench.values.plain_text import is_certainly_in, one_line, paragraphs, text_problems
from backbench.words import LOCALES

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


LONGEST_SUBJECT = 150
LONGEST_BODY = 2000
_PUNCTUATION = frozenset(" \u00a0\n.,;:!?'\"’‘“”„«»()–—-…")
# Letters beyond Latin Extended-A include look-alikes of other scripts, and numerals such as 一.
_LAST_LETTER = "\u017f"
_CAPITALS = re.compile(r"(?<!\w)[A-Z]{2,}(?!\w)")
_ROMAN_NUMERAL = re.compile("[IVXLCDM]+")
_SPACED_LETTERS = re.compile(r"(?<!\w)(?:[^\W\d_][\s.–—-]+){2,}[^\W\d_](?!\w)")
_TOUCHED = re.compile(r"[^\s(„“‘«\"']\{[a-z_]+\}|\{[a-z_]+\}[^\s.,;:!?)”’»\"'…]")


def normalized(draft: MessageDraft) -> MessageDraft:
    subject, body = (unicodedata.normalize("NFC", text) for text in (draft.subject, draft.body))
    return MessageDraft(one_line(subject), paragraphs(body))


def draft_problems(
    draft: MessageDraft, values: Mapping[str, str], locale: DocumentLocale, preliminary: bool, instructions: str
) -> list[str]:
    """Every problem of a normalized draft, as a sentence for the model. A draft without problems can be filled in."""
    unknown = sorted({name for name in PLACEHOLDER.findall(f"{draft.subject}\n{draft.body}") if name not in values})
    if unknown:
        return [f"{{{name}}} is not a placeholder of this message; leave it out" for name in unknown]
    if not (_fits(draft.subject, values, LONGEST_SUBJECT) and _fits(draft.body, values, LONGEST_BODY)):
        return [f"subject takes 1 to {LONGEST_SUBJECT} characters, body 1 to {LONGEST_BODY}, placeholders filled in"]
    return [
        *(f"subject: {problem}" for problem in _text_problems(draft.subject, locale, instructions)),
        *(f"body: {problem}" for problem in _text_problems(draft.body, locale, instructions)),
        *_placeholder_problems(draft, values),
        *_total_problems(draft.body, locale, preliminary),
        *_date_problems(draft.body, locale),
        *_status_problems(draft, locale, preliminary),
    ]


def _fits(text: str, values: Mapping[str, str], longest: int) -> bool:
    return 1 <= len(text) <= longest and len(fill(text, values)) <= longest


def _text_problems(text: str, locale: DocumentLocale, instructions: str) -> Iterator[str]:
    bare = PLACEHOLDER.sub(REPLACEMENT, text)
    yield from text_problems(bare, locale, instructions)
    refused = {character for character in bare if not _is_allowed(character)}
    if refused:
        written = " ".join(sorted(refused))
        yield f"It contains {written}; write letters and ordinary punctuation only, and placeholders for figures"
    if _SPACED_LETTERS.search(bare):
        yield "It contains a word in single letters; leave it out"
    if _TOUCHED.search(text):
        yield "A placeholder touches a word, a sign or another placeholder; put spaces around it and do not inflect it"
    codes = (word for word in _CAPITALS.findall(bare) if word in MINOR_DIGITS or _ROMAN_NUMERAL.fullmatch(word))
    for word in (*codes, *_forbidden_words(bare, locale)):
        yield f"It contains “{word}”; mention no number, sum, day, tax or terms of payment beside the placeholders"


def _is_allowed(character: str) -> bool:
    is_letter = character <= _LAST_LETTER and unicodedata.category(character) in ("Ll", "Lu")
    return is_letter or character in _PUNCTUATION or character == REPLACEMENT


def _forbidden_words(text: str, locale: DocumentLocale) -> list[str]:
    """Forbidden words of every language, except those that are common words in this one: Polish "ten" means this."""
    found = [word for each in LOCALES for word in found_in(text, language(each).forbidden)]
    return [word for word in dict.fromkeys(found) if word not in language(locale).common_words]


def _placeholder_problems(draft: MessageDraft, values: Mapping[str, str]) -> Iterator[str]:
    in_subject, in_body = (PLACEHOLDER.findall(text) for text in (draft.subject, draft.body))
    for name in ("total", "valid_until"):
        if name in in_subject:
            yield f"subject: {{{name}}} belongs in the body"
        if name in values and in_body.count(name) != 1:
            yield f"body: it must contain {{{name}}} exactly once"
    if "workshop" not in in_body:
        yield "body: it must be signed with {workshop}"


def _total_problems(body: str, locale: DocumentLocale, preliminary: bool) -> Iterator[str]:
    """The total ends a paragraph of its own, so that no rate, bound or condition can follow it."""
    paragraph = next((paragraph for paragraph in body.split("\n\n") if "{total}" in paragraph), "{total}")
    before, _, after = paragraph.partition("{total}")
    if after not in ("", ".") or not re.search(r"\w{2}", before) or re.search(r"[-–—]\s*$", before):
        yield "body: say what {total} is in one sentence that ends with {total}, and end the paragraph after it"
    # A client chooses a name, and "half of" would be one.
    if set(PLACEHOLDER.findall(before)) - {"estimate"}:
        yield "body: the paragraph of {total} may hold no other placeholder but {estimate}"
    own = language(locale).words
    words = pattern(own.limits) if preliminary else pattern(own.limits, own.approximations)
    for word in found_in(PLACEHOLDER.sub(REPLACEMENT, before), words):
        yield f"body: “{word}” in the paragraph of {{total}} makes the sum another one; leave it out"


def _date_problems(body: str, locale: DocumentLocale) -> Iterator[str]:
    before, found, _ = body.partition("{valid_until}")
    if found and not re.search(rf"{pattern(language(locale).words.until).pattern}\s$", before.casefold()):
        yield "body: {valid_until} is the last day of validity; write the word for until directly before it"


def _status_problems(draft: MessageDraft, locale: DocumentLocale, preliminary: bool) -> Iterator[str]:
    if not is_certainly_in(draft.body, locale):
        yield f"body: it is not plainly in the requested language ({locale})"
    words = pattern(language(locale).words.preliminary)
    called_preliminary = [bool(found_in(text, words)) for text in (draft.subject, draft.body)]
    if preliminary and not all(called_preliminary):
        yield "subject and body must both say that the estimate is preliminary"
    if not preliminary and any(called_preliminary):
        yield "the estimate is not preliminary; do not call it that"
