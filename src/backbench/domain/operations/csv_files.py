"""CSV files for spreadsheets: cells that no program takes for a formula, in the form of the language."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.orders.order_details import Day
from backbench.domain.values.currencies import minor_digits
from backbench.domain.values.enums import DocumentLocale

# A spreadsheet runs what begins so, also after white space that it ignores; and so do parts of a text in a program that
# splits at the delimiter of the other language.
_FORMULA = re.compile(r'(?:^|(?<=[,;\t\r\n])"*)(?=[=+\-@\t\r\n])')
# Programs in Polish expect semicolons, because a comma begins the decimals.
_DELIMITERS: dict[DocumentLocale, str] = {"en": ",", "pl": ";"}
# The mark by which spreadsheets know that the file is in UTF-8.
BYTE_ORDER_MARK = "\ufeff"


class Amount(str):
    """The text of a number: no formula begins it, though a minus sign may."""

    __slots__ = ()


Cell = str | int | date | None


class CsvQuery(Struct, frozen=True):
    """The caller's language unless another is named."""

    locale: DocumentLocale | UnsetType = UNSET


class CsvPeriodQuery(Struct, frozen=True, rename={"from_": "from"}):
    from_: Day | None = None
    to: Day | None = None
    locale: DocumentLocale | UnsetType = UNSET


def lines(rows: Iterable[Sequence[Cell]], locale: DocumentLocale) -> bytes:
    """The rows as lines (RFC 4180), each cell escaped."""
    written = io.StringIO()
    csv.writer(written, delimiter=_DELIMITERS[locale]).writerows([_text(cell) for cell in row] for row in rows)
    return written.getvalue().encode()


def amount(value: Decimal | UnsetType | None, currency: str, locale: DocumentLocale) -> Amount:
    """An amount with the decimals of its currency, without a sign for thousands."""
    if value is None or value is UNSET:
        return Amount()
    text = f"{value:.{minor_digits(currency)}f}"
    return Amount(text.replace(".", ",") if locale == "pl" else text)


def price(value: Decimal, currency: str, locale: DocumentLocale) -> Amount:
    """A price with all of its decimals, and at least those of its currency.

    Never with three unless the currency has them: "1,125" could be read as thousands.
    """
    places = -int(value.normalize().as_tuple().exponent)
    places = max(minor_digits(currency), 4 if places == 3 else places)
    text = f"{value:.{places}f}"
    return Amount(text.replace(".", ",") if locale == "pl" else text)


def _text(cell: Cell) -> str:
    """With an apostrophe before what would be a formula."""
    if cell is None:
        return ""
    if isinstance(cell, Amount) or not isinstance(cell, str):
        return str(cell)
    return _FORMULA.sub(lambda found: f"{found[0]}'", cell)
