"""Traces of a person in texts: where a name, a phone number or an email address of a customer is written."""

import re
from collections.abc import Collection, Iterable, Sequence

from backbench.domain.customers.customers import Customer
from backbench.domain.customers.erasures import WrittenText
from backbench.domain.customers.phones import digits, national_digits

# A shorter number would be found in prices and dates.
_LEAST_DIGITS = 6
# A surname of fewer letters is found with the first name alone.
_LEAST_LETTERS = 4
# Not within a word.
_BEGINNING = r"(?<!\w)"
# What people write between digits.
_BETWEEN = r"[\s().\-/\u00a0]*"


class Traces:
    """Finds what identifies the person of these records, in any case, numbers however they are grouped.

    In texts a surname alone is found too, with any ending, since names are declined: `Nowak` in `Nowakowi`, and
    `Kowalska` in `Kowalskiej`.
    """

    def __init__(self, records: Sequence[Customer]) -> None:
        exact = {pattern for record in records for pattern in _patterns_of(record)}
        self._exact = _any_of(exact)
        self._in_text = _any_of(exact | {_BEGINNING + re.escape(name) for name in map(_surname, records) if name})

    def are_in(self, written: WrittenText) -> bool:
        return self._exact.search(written.names) is not None or self._in_text.search(written.text) is not None

    def are_in_response(self, body: str) -> bool:
        return self._exact.search(body) is not None


def _any_of(patterns: Collection[str]) -> re.Pattern[str]:
    # Without any, what matches nowhere.
    return re.compile("|".join(sorted(patterns)) or r"(?!)", re.IGNORECASE)


def _surname(record: Customer) -> str:
    words = record.name.split()
    is_one = record.kind == "person" and len(words) > 1 and len(words[-1]) >= _LEAST_LETTERS
    return words[-1].rstrip("aeioyAEIOY") if is_one else ""


def _patterns_of(record: Customer) -> Iterable[str]:
    words = record.name.split()
    if words:
        yield _BEGINNING + r"\s+".join(map(re.escape, words))
    for phone in record.phones:
        for number in {digits(phone.number), digits(phone.e164 or ""), national_digits(phone.e164 or "")}:
            if len(number) >= _LEAST_DIGITS:
                yield _BETWEEN.join(number)
    for email in record.emails:
        yield re.escape(email)
