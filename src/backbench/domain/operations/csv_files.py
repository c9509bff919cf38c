"""CSV files for spreadsheets: cells that no program takes for a formula, in the form of the language."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.orders.order_details import Day
from backbench.domain.values.currencies import minor_digits
from backbench.domain.values.enums import DocumentLocale

# A spreadsheet runs what begins so, also after white space that it ignores.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
# Programs in Polish expect semicolons, because a comma begins the decimals.
_DELIMITERS: dict[DocumentLocale, str] = {"en": ",", "pl": ";"}
# The mark by which spreadsheets know that the file is in UTF-8.
BYTE_ORDER_MARK = "\ufeff"

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
    csv.writer(written, delimiter=_DELIMITERS[locale]).writerows([escaped(_text(cell)) for cell in row] for row in rows)
    return written.getvalue().encode()


def escaped(text: str) -> str:
    """With an apostrophe before what would be a formula."""
    return "'" + text if text.startswith(_FORMULA) else text


def amount(value: Decimal | UnsetType | None, currency: str, locale: DocumentLocale) -> str:
    """An amount with the decimals of its currency, without a sign for thousands."""
    if value is None or value is UNSET:
        return ""
    text = f"{value:.{minor_digits(currency)}f}"
    return text.replace(".", ",") if locale == "pl" else text


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)
