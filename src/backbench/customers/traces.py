"""Traces of a person in texts: where a name, a phone number or an email address of a customer is written.

A text is read once, and each of its words, numbers and addresses is looked up: the time depends on its length alone,
however many records are searched for. A regular expression with an alternative for each record would take minutes.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from backbench.customers.customers import Customer
from backbench.values.phones import digits, national_digits
from backbench.values.scalars import fold_case


class WrittenText(Struct, frozen=True):
    """What somebody wrote in an object of the workshop. `names` stand alone, such as that of an order's customer."""

    id: str
    names: str
    text: str


# A shorter number would be found in prices and dates.
_LEAST_DIGITS = 6
# A surname of fewer letters is found with the first name alone.
_LEAST_LETTERS = 4
_WORD = re.compile(r"\w+")
# Digits, and what people write between them.
_NUMBER = re.compile(r"\d[\d\s().\-/\u00a0]*")
_EMAIL = re.compile(r"[^\s@<>()\[\],;:\"'/=]+@[^\s@<>()\[\],;:\"'/=]+")
# In JSON: a line feed is no letter before the next word.
_ESCAPED = re.compile(r"\\.")


class Traces:
    """Finds what identifies the person of these records, in any case, numbers however they are grouped.

    In texts a surname alone is found too, with any ending, since names are declined: `Nowak` in `Nowakowi`, and
    `Kowalska` in `Kowalskiej`.
    """

    def __init__(self, records: Sequence[Customer]) -> None:
        names = [record.name for record in records]
        self._names = _Names(names)
        self._names_in_text = _Names([*names, *map(_surname, records)])
        self._numbers = {number for record in records for number in _numbers_of(record)}
        self._lengths = {len(number) for number in self._numbers}
        self._emails = {email for record in records for address in record.emails for email in _emails_in(address)}

    def are_in(self, written: WrittenText) -> bool:
        return self._are_in(written.names, self._names) or self._are_in(written.text, self._names_in_text)

    def are_in_response(self, body: str) -> bool:
        """Whether they are in the JSON of a response."""
        return self._are_in(_ESCAPED.sub(" ", body), self._names)

    def _are_in(self, text: str, names: "_Names") -> bool:
        return (
            names.are_in(text)
            or any(self._is_number(digits(run)) for run in _NUMBER.findall(text) if self._numbers)
            or ("@" in text and not self._emails.isdisjoint(_emails_in(text)))
        )

    def _is_number(self, run: str) -> bool:
        """Whether one of the numbers is in the run of digits."""
        return any(
            run[start : start + length] in self._numbers
            for length in self._lengths
            for start in range(len(run) - length + 1)
        )


class _Names:
    """Names by their last word, of which a text has at least the beginning: with the words before it."""

    def __init__(self, names: Iterable[str]) -> None:
        self._before: dict[str, set[tuple[str, ...]]] = {}
        for name in names:
            words = _WORD.findall(fold_case(name))
            if words:
                self._before.setdefault(words[-1], set()).add(tuple(words[:-1]))
        self._lengths = sorted({len(last) for last in self._before})

    def are_in(self, text: str) -> bool:
        words = _WORD.findall(fold_case(text)) if self._before else []
        for at, word in enumerate(words):
            for length in self._lengths:
                if length > len(word):
                    break
                if any(_ends_with(words, at, before) for before in self._before.get(word[:length], ())):
                    return True
        return False


def _ends_with(words: Sequence[str], at: int, before: Collection[str]) -> bool:
    """Whether these words are before the one at that place."""
    return len(before) <= at and tuple(words[at - len(before) : at]) == before


def _emails_in(text: str) -> list[str]:
    return [email.rstrip(".") for email in _EMAIL.findall(fold_case(text))]


def _surname(record: Customer) -> str:
    words = record.name.split()
    is_one = record.kind == "person" and len(words) > 1 and len(words[-1]) >= _LEAST_LETTERS
    return words[-1].rstrip("aeioyAEIOY") if is_one else ""


def _numbers_of(record: Customer) -> Iterable[str]:
    for phone in record.phones:
        for number in (digits(phone.number), digits(phone.e164 or ""), national_digits(phone.e164 or "")):
            if len(number) >= _LEAST_DIGITS:
                yield number
