"""Phone numbers as they are typed, in the international form E.164 (`+48600100200`), and as links.

`web/app/domain/phones.js` reads them in the same way, by the cases of `tests/values/phone_numbers.json`.
"""

import re
import unicodedata
from typing import Annotated

from msgspec import Meta, Struct

from backbench.values.scalars import NO_CONTROL, NOT_BLANK, ONE_LINE

Phone = Annotated[str, Meta(min_length=1, max_length=40, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK]

# Digits with what people write between them. A stroke also stands between two numbers.
_RUN = re.compile(r"\+?[\s(]*\d(?:[\s().\-\u2010-\u2015/]*\d)*")
_EXTENSION = re.compile(
    r"[\s,;.)]*(?:ext|extension|wew|w|x|dw|durchwahl|poste|#)[\s.:=]*(\d{1,6})(?!\d)", re.IGNORECASE
)
_FLOAT = re.compile(r"(\d{7,15})\.0")
# "+48 (0) 601 …": the zero is dialled within the country alone.
_TRUNK = re.compile(r"\(\s*0\s*\)")
_ABROAD = ("+", "00")
# Italy: the zero belongs to the number abroad as well, so that "(0)" says nothing.
_KEEPS_ZERO = ("+39", "0039", "+378", "00378")
_FEWEST, _FEWEST_OF_TWO = 5, 7


class DialledNumber(Struct, frozen=True):
    """The first number of a text: `digits` with a plus sign where it was written; without a number they are empty."""

    digits: str = ""
    extension: str = ""

    @property
    def link(self) -> str:
        """As `tel:` (RFC 3966); "" for none."""
        extension = f";ext={self.extension}" if self.extension else ""
        return f"tel:{self.digits}{extension}" if self.digits else ""


def dialled(text: str) -> DialledNumber:
    """What is dialled for a text as people write it: `tel. 601-000-403 wew. 12`, `+48 (0) 601 …`, `601 …, 602 …`."""
    plain = text
    if not text.isascii():
        plain = "".join(each for each in unicodedata.normalize("NFKC", text) if unicodedata.category(each) != "Cf")
    if found := _FLOAT.fullmatch(plain.strip()):
        plain = found[1]
    for run in _RUN.finditer(plain):
        number = run[0]
        parts = number.split("/")
        is_one = len(parts) == 1 or any(len(digits(part)) < _FEWEST_OF_TWO for part in parts)
        end = run.end() if is_one else run.start() + len(parts[0])
        if not is_one:
            number = parts[0]
        if len(digits(number)) < _FEWEST:
            continue
        number = number.replace(" ", "") if number.startswith(_ABROAD) else number
        if number.startswith(_ABROAD) and not number.startswith(_KEEPS_ZERO):
            number = _TRUNK.sub("", number)
        extension = _EXTENSION.match(plain, end)
        return DialledNumber(
            ("+" if number.startswith("+") else "") + digits(number), extension[1] if extension else ""
        )
    return DialledNumber()


def e164_of(number: str, country: str | None) -> str | None:
    """The number in E.164, read as one of the country (ISO 3166) unless it begins with `+`; None where it cannot be."""
    # Imported at first use: its data of all countries would take a part of each start.
    import phonenumbers

    found = dialled(number).digits
    if found.startswith(_KEEPS_ZERO) and _TRUNK.search(number):
        return None
    try:
        read = phonenumbers.parse(found, country)
    except phonenumbers.NumberParseException:
        return None
    # Numbers that reach people are as long as those of lines and mobiles: other services have shorter and longer ones.
    if not phonenumbers.is_possible_number_for_type(read, phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE):
        return None
    return str(phonenumbers.format_number(read, phonenumbers.PhoneNumberFormat.E164))


def national_digits(e164: str) -> str:
    """The digits of a number in E.164 without those of the country; "" for none."""
    if not e164:
        return ""
    import phonenumbers

    return str(phonenumbers.national_significant_number(phonenumbers.parse(e164)))


def digits(text: str) -> str:
    """The decimal digits of a phone number."""
    return "".join(filter(str.isdecimal, text))


# What people write between the digits of a phone number.
_SIGNS = frozenset("+-/(). \u00a0")


def searched_digits(q: str) -> str:
    """The digits that a search is for; "" where it is for a text."""
    found = digits(q)
    return found if found and all(each.isdecimal() or each in _SIGNS for each in q) else ""
