r"""Scalar types: the constrained text and number types of request bodies, each defined once.

Patterns are valid both in Python and in ECMA-262, because the OpenAPI document contains them. `(?![\s\S])` matches
the end of the text; unlike `$` it does not match before a trailing newline.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from decimal import Context, Decimal
from typing import Annotated, Any

from msgspec import Meta, Struct


def is_date(text: str) -> bool:
    """Whether it is a day of the calendar as YYYY-MM-DD, the one form in which days sort as text."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class Rule(Struct, frozen=True, eq=False):
    """A constraint on one value that a JSON Schema cannot express. Used in `Annotated`, next to `Meta`."""

    code: str
    detail: str
    holds: Callable[[Any], bool]
    schema: dict[str, Any] = {}

    def code_for(self, value: Any) -> str:
        """The error code for a value that violates the rule."""
        return self.code


Day = Annotated[
    str, Rule(code="malformed", detail="Expected a date as YYYY-MM-DD", holds=is_date, schema={"format": "date"})
]


class _Years(Rule, frozen=True, eq=False):
    def code_for(self, value: Any) -> str:
        return "year" if is_date(value) else self.code


# Of invoices and payments, which are kept for years and cannot be edited: a year typed in part, such as 0026, is none.
MoneyDay = Annotated[
    str,
    _Years(
        code="malformed",
        detail="Expected a date from 2000 to 2099 as YYYY-MM-DD",
        holds=lambda text: text.startswith("20") and is_date(text),
        schema={"format": "date", "pattern": "^20[0-9]{2}-"},
    ),
]

Notes = Annotated[str, Meta(max_length=5000)]


END = r"(?![\s\S])"
# The detail of the error where NO_CONTROL does not match.
ONE_LINE = {"detail": "One line only: no line breaks or control characters"}
# The same for NO_MARKS.
ONE_WORD = {"detail": "Expected letters A to Z, digits, _ and - alone"}
NO_MARKS = r"^[A-Za-z0-9_\-]*" + END
NO_CONTROL = r"^[^\u0000-\u001F\u007F-\u009F]*" + END


class _Bounds(Rule, frozen=True, eq=False, kw_only=True):
    least: int
    most: int

    def code_for(self, value: Any) -> str:
        if value < self.least:
            return "too_small"
        return "too_large" if value > self.most else self.code


def between(least: int, most: int, places: int) -> Rule:
    """A number from `least` to `most` with at most `places` decimals."""

    lowest, highest, unit = Decimal(least), Decimal(most), Decimal(1).scaleb(-places)
    # Wide enough for every number within the bounds.
    wide = Context(prec=max(len(str(least)), len(str(most))) + places)

    def holds(value: Decimal | int) -> bool:
        if not lowest <= value <= highest:
            return False
        # Trailing zeros do not count: 1.50000 is the same number as 1.5000.
        return isinstance(value, int) or value == value.quantize(unit, context=wide)

    return _Bounds(
        code="too_precise",
        detail=f"Expected a number from {least} to {most} with at most {places} decimals",
        holds=holds,
        schema={"minimum": least, "maximum": most},
        least=least,
        most=most,
    )


_ACCOUNT_NAME = r"[\p{L}\p{M}\p{Nd} '’.,\-&\u200D\uFE0F\p{Emoji_Modifier}\p{Extended_Pictographic}]+"


def _is_account_name(text: str) -> bool:
    # Imported and compiled at first use: both would take a tenth of each start.
    import regex

    return regex.fullmatch(_ACCOUNT_NAME, text) is not None


AccountName = Annotated[
    str,
    Meta(min_length=1, max_length=100),
    Rule(
        code="characters",
        detail="Only letters, marks, digits, spaces, ' ’ . , - & and emoji",
        holds=_is_account_name,
    ),
]
# Embeddings, overrides and isolates show a text in another order than it is stored.
REVERSING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Both hold for texts that a document, a page or an email shows. Exceptions: a workshop's name, tagline and crafter,
# and titles and customer names of orders, whose limits the specification states; and, of NOT_REVERSED, sentences that
# people write to each other, and phone numbers, which are copied from address books with such characters.
NOT_BLANK = Rule("blank", "Expected a text that is not only spaces", lambda text: not text or not text.isspace())
NOT_REVERSED = Rule("reversed", "Characters that reverse text are not allowed", lambda text: not REVERSING.search(text))
Name = Annotated[str, Meta(min_length=1, max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
OptionalName = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
OptionalPhone = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK]
_HEX_COLOR = r"^#[0-9A-Fa-f]{6}" + END
# Several lines: line feeds, and no other control characters.
LINE_FEEDS = r"^[^\u0000-\u0009\u000B-\u001F\u007F-\u009F]*" + END
LINES = {"detail": "Line feeds are allowed, other control characters are not"}
LongText = Annotated[str, Meta(max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]
HexColor = Annotated[str, Meta(pattern=_HEX_COLOR, extra={"detail": "Expected a colour as #RRGGBB"})]
_LABEL = r"[a-zA-Z0-9\u00A1-\uFFFF](?:[a-zA-Z0-9\u00A1-\uFFFF\-]{0,61}[a-zA-Z0-9\u00A1-\uFFFF])?"
MAX_EMAIL_LENGTH = 254
# Without `=?`: it begins an encoded word, which a program that reads the address in an email decodes.
EMAIL_PATTERN = (
    rf"^(?![^@]*=\?)[^\s@<>\(\)\[\],;:\u0022\\\u0000-\u001F\u007F-\u009F]{{1,64}}@(?:{_LABEL}\.)+{_LABEL}{END}"
)


def is_email(text: str) -> bool:
    """Whether the text has the form of an email address, whose domain can be written in an email (RFC 3490). Its length
    is not checked."""
    return re.search(EMAIL_PATTERN, text) is not None and (text.isascii() or _is_writable(text.rpartition("@")[2]))


def _is_writable(domain: str) -> bool:
    try:
        domain.encode("idna")
    except UnicodeError:
        return False
    return True


Email = Annotated[
    str,
    Meta(min_length=3, max_length=MAX_EMAIL_LENGTH, extra_json_schema={"format": "email"}),
    # Not in `Meta`, which compiles a pattern at once: for this one that takes a twentieth of a start.
    Rule(code="pattern", detail="Expected an email address", holds=is_email, schema={"pattern": EMAIL_PATTERN}),
]


def compile_patterns() -> None:
    """Compiles the patterns above that take long, so that no request has to."""
    _is_account_name("")
    is_email("")


def fold_case(text: str) -> str:
    """The form in which texts are compared: without regard to case, and to how a letter with an accent is stored."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def email_key(email: str) -> str:
    """By which an account is found."""
    return email.casefold()


_IBAN_FORM = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")


def normalized_iban(text: str) -> str:
    """In capital letters, without the spaces, hyphens and invisible signs with which people copy it."""
    return "".join(each for each in text if each.isalnum() or (each.isprintable() and each not in _BETWEEN)).upper()


# Also those that are no hyphens and stand where one belongs.
_BETWEEN = frozenset(" -\u00a0\u202f\u2007\u2009\u2010\u2011\u2012\u2013\u2212")


def polish_iban(text: str) -> str:
    """The IBAN of 26 digits, as Polish banks write their accounts; "" for others."""
    digits = normalized_iban(text)
    found = f"PL{digits}" if len(digits) == 26 and digits.isdecimal() and digits.isascii() else ""
    return found if is_iban(found) else ""


def is_iban(text: str) -> bool:
    """Whether a text without spaces is an IBAN whose check digits are right (mod 97)."""
    if _IBAN_FORM.fullmatch(text) is None:
        return False
    # Letters count from 10; the country and the check digits come last.
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 == 1


# Of a bank account (ISO 13616). An empty text is none. Whether 26 digits are Polish, the workshop's country says.
IBAN_RULE = Rule(
    code="iban",
    detail="Expected an IBAN, such as DE89 3704 0044 0532 0130 00",
    holds=lambda text: not text or is_iban(normalized_iban(text)) or polish_iban(text) != "",
)
