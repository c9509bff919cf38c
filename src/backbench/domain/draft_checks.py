"""What a drafted message must be before a client may see it: every figure the estimate's, nothing promised beside it.

Names and contact details may hold anything and are taken out first. What is left is held against the facts, figure by
figure. A draft is refused rather than doubted; the built-in template then answers.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Protocol

from backbench.domain import draft_words as words
from backbench.domain.amounts import Figure, figures, has_strange_digits, money_without_figures
from backbench.domain.estimating.messages import MessageDraft, MessageFacts
from backbench.domain.plain_text import faults_of, is_certainly, one_line, paragraphs, without
from backbench.domain.values.enums import DocumentLocale, LineItemUnit

LONGEST_SUBJECT = 150
LONGEST_BODY = 2000

# Taken out of the text, a name leaves one of these: a line's label, or any other.
_LABEL = "\ufffc"
_NEAR = 60
_WORD = re.compile(r"[^\W\d_]+[²³]?")
_PERCENT = re.compile(r"\s?(?:%|percent\b|per\scent\b|procent\w*)", re.IGNORECASE)
_LABEL_BEFORE = re.compile(rf"{_LABEL}\s?[(×x:–-]?\s?$")
_FOR_A_THING = re.compile(rf"\s?(?:for|za)\s(?:the\s|our\s|your\s)?([^\W\d_]+|{_LABEL})", re.IGNORECASE)
_LEAST_STEM = 4
_LEAST_NAME = 3


class Line(Protocol):
    """A line of the estimate, as far as a message is concerned."""

    @property
    def label(self) -> str: ...
    @property
    def unit(self) -> LineItemUnit: ...
    @property
    def quantity(self) -> Decimal: ...


def tidied(draft: MessageDraft) -> MessageDraft:
    return MessageDraft(one_line(draft.subject), paragraphs(draft.body))


def faults_of_draft(
    draft: MessageDraft,
    facts: MessageFacts,
    lines: Sequence[Line],
    locale: DocumentLocale,
    preliminary: bool,
    instructions: str,
) -> list[str]:
    """Everything that is wrong with a tidied draft, in words that its writer can act on; nothing, if it may go out."""
    if not 1 <= len(draft.subject) <= LONGEST_SUBJECT or not 1 <= len(draft.body) <= LONGEST_BODY:
        return [f"subject takes 1 to {LONGEST_SUBJECT} characters, body 1 to {LONGEST_BODY}"]
    reader = _Reader(facts, lines, locale)
    subject, body = reader.bare(draft.subject), reader.bare(draft.body)
    faults = [
        *(f"subject: {fault}" for fault in (*faults_of(subject, locale, instructions), *reader.faults(subject))),
        *(f"body: {fault}" for fault in (*faults_of(body, locale, instructions), *reader.faults(body))),
    ]
    if not is_certainly(body, locale):
        faults.append(f"body: it is not plainly in the language asked for ({locale})")
    if reader.totals_in(body) != 1 or reader.totals_in(subject) > 1:
        faults.append("body: it must state the given total, with its currency, once")
    if one_line(facts.workshop_name) not in draft.body:
        faults.append("body: it is not signed with workshopName")
    if preliminary and not (words.PRELIMINARY.search(body) and words.PRELIMINARY.search(subject)):
        faults.append("subject and body must both say that the estimate is preliminary")
    if not preliminary and (words.NOT_FINAL.search(body) or words.NOT_FINAL.search(subject)):
        faults.append("the estimate is not a preliminary one; do not call it that")
    return faults


class _Reader:
    """Reads texts of one message against one estimate."""

    def __init__(self, facts: MessageFacts, lines: Sequence[Line], locale: DocumentLocale) -> None:
        self._facts = facts
        self._lines = lines
        self._locale = locale
        self._dates = None if facts.valid_until is None else words.dates_of(facts.valid_until)
        # What the workshop calls things is its own; what a client is called, somebody else has chosen.
        client = "" if words.says_more_than_a_name(facts.recipient_name) else facts.recipient_name
        people = (client, facts.crafter_name)
        called = [part for person in people for part in person.split() if part.isalpha() and len(part) >= _LEAST_NAME]
        names = (facts.estimate_name, facts.workshop_name, *people, *called)
        self._names = [one_line(name) for name in names if _is_no_sum(name, locale)]
        self._labels = [one_line(line.label) for line in lines if _is_no_sum(line.label, locale)]
        self._contacts = [one_line(facts.phone), one_line(facts.email)]

    def bare(self, text: str) -> str:
        """The text without the names and contact details that the estimate gives it."""
        text = without(text, self._contacts + self._names)
        text = without(text.replace(_LABEL, "\ufffd"), self._labels)
        text = re.sub(r"(?<=\bm)([23])(?![\w.,])", lambda power: "²" if power[1] == "2" else "³", text)
        return text if self._dates is None else self._dates.sub(" ", text)

    def totals_in(self, text: str) -> int:
        return sum(self._is_total(figure) and bool(figure.currencies) for figure in figures(text, self._locale))

    def faults(self, text: str) -> Iterator[str]:
        found = list(figures(text, self._locale))
        for figure in found:
            if not self._holds(text, figure):
                yield f"{figure.text} is no figure of the estimate's as it is used here; use only those given"
        if has_strange_digits(text) or money_without_figures(text, found) or self._numbers_in_words(text):
            yield "It names a number in words or in strange digits; use only the given figures, as they are written"
        if words.DAYS.search(text):
            yield "It names a day or month; name none but validUntil, and only if that is given"
        if words.TERMS.search(text):
            yield "It promises a discount, a way of payment, a guarantee or the like; leave that out"
        if words.TAX_ON_TOP.search(text) or (self._facts.tax is None and words.TAX.search(text)):
            yield "What it says of tax is not in the material"

    def _holds(self, text: str, figure: Figure) -> bool:
        """Whether the figure is the estimate's, and stands for what it is there."""
        before, after = text[: figure.start], text[figure.end :]
        if figure.value is None or words.BOUND.search(before[-20:]) or before[-1:].isalnum():
            return False
        if figure.currencies:
            is_sum = self._is_total(figure) or self._is_tax(text, figure)
            is_rate = words.RATE.match(after) or self._prices_one_of_several(after)
            return is_sum and not after[:1].isalnum() and not is_rate
        percent = _PERCENT.match(after)
        if percent:
            return figure.value == self._facts.tax_percent and self._near_tax(text, figure)
        return self._is_quantity(figure.value, before, after)

    def _prices_one_of_several(self, after: str) -> bool:
        """Whether the sum is said to be for a thing of which there are more: "for the chair", of six."""
        thing = _FOR_A_THING.match(after)
        return thing is not None and any(
            line.quantity != 1 and (thing[1] == _LABEL or _speaks_of(line, [thing[1].casefold()]))
            for line in self._lines
        )

    def _is_total(self, figure: Figure) -> bool:
        return figure.value == self._facts.total and figure.currencies <= {self._facts.currency}

    def _is_tax(self, text: str, figure: Figure) -> bool:
        is_amount = figure.value == self._facts.tax and figure.currencies <= {self._facts.currency}
        return is_amount and self._near_tax(text, figure)

    def _near_tax(self, text: str, figure: Figure) -> bool:
        """Whether tax is spoken of on the same line, near the figure."""
        before = text[max(0, figure.start - _NEAR) : figure.start].rpartition("\n")[2]
        after = text[figure.end : figure.end + _NEAR].partition("\n")[0]
        label = self._facts.tax_label.casefold()
        near = f"{before} {after}"
        return bool(words.TAX.search(near)) or bool(label and label in near.casefold())

    def _is_quantity(self, value: Decimal, before: str, after: str) -> bool:
        """Whether so much of something is in the estimate, and the text speaks of that very thing."""
        of_it = [line for line in self._lines if line.quantity == value]
        if not of_it:
            return False
        if _LABEL_BEFORE.search(before[-4:]) or after.lstrip(" \u00a0×x")[:1] == _LABEL:
            return True
        following = [word.casefold() for word in _WORD.findall(after[:_NEAR].partition("\n")[0])[:3]]
        return any(_speaks_of(line, following) for line in of_it)

    def _numbers_in_words(self, text: str) -> bool:
        for match in _WORD.finditer(text.casefold()):
            word = match[0]
            if words.says_large_number(word):
                return True
            number = words.small_number(word, self._locale)
            if number and not self._is_quantity(Decimal(number), text[: match.start()], text[match.end() :]):
                return True
        return False


def _speaks_of(line: Line, following: list[str]) -> bool:
    """Whether one of the words is the line's unit, or begins like a word of its label: krzeseł for Krzesło."""
    if any(words.UNIT_WORDS[line.unit].match(word) for word in following[:1]):
        return True
    stems = {word[:_LEAST_STEM] for word in _WORD.findall(line.label.casefold()) if len(word) >= _LEAST_STEM}
    return any(word[:_LEAST_STEM] in stems for word in following)


def _is_no_sum(name: str, locale: DocumentLocale) -> bool:
    """A name that is a bare number, or holds a sum of money, is read like any other text."""
    return sum(character.isalpha() for character in name) >= 2 and not any(
        figure.currencies for figure in figures(name, locale)
    )
