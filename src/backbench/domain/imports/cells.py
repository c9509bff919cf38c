"""Cells: numbers, days and words as people and programs of both languages write them."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from msgspec import Struct

from backbench.domain.imports.tables import folded
from backbench.domain.values.enums import LineItemUnit, UserLocale
from backbench.domain.workshops.orders import OrderStatus

_MOST_PLACES = Decimal("0.0001")
# A number with its signs for thousands, and at most a currency or a unit around it. Possessive: the time is linear.
_NUMBER = re.compile(r"[^\d,.\-−]*+([-−]?\s*+\d[\d\s.,'’\u00a0\u202f]*+|[-−]?[.,]\d++)[^\d]*+")
_ONLY_DIGITS = re.compile(r"[\s'’\u00a0\u202f]")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?")
_NUMBERS = re.compile(r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})(?:\s*r\.?|[T ]+\d.*)?")
_YEAR_FIRST = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[.\s-]+([^\W\d]+)\.?,?[\s-]+(\d{4})(?:\s*r\.?)?", re.IGNORECASE)
_MONTH_DAY = re.compile(r"([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})", re.IGNORECASE)
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?", re.IGNORECASE)
# By the first letters of their names in both languages.
_MONTHS = {
    "jan": 1, "sty": 1, "feb": 2, "lut": 2, "mar": 3, "apr": 4, "kwi": 4, "may": 5, "maj": 5, "jun": 6, "cze": 6,
    "jul": 7, "lip": 7, "aug": 8, "sie": 8, "sep": 9, "wrz": 9, "oct": 10, "paź": 10, "paz": 10, "nov": 11, "lis": 11,
    "dec": 12, "gru": 12,
}  # fmt: skip
_UNITS: dict[LineItemUnit, str] = {
    "sqm": "m2 m² mkw metrkw metrkwadratowy metrykwadratowe sqm squaremetre squaremeter sqmetre",
    "linear_m": "m mb mbież metrbieżący metr metry metrów lm lfm linearm linearmetre linearmeter metre meter",
    "piece": "szt sztuka sztuki sztuk pc pcs piece pieces each ea item unit st stk",
    "pair": "para pary par pair pairs pr",
    "hour": "h godz godzina godziny godzin rbh rg roboczogodzina hour hours hr hrs",
    "job": "usługa usługi usł kpl komplet zlecenie ryczałt job service set flatrate lumpsum",
    "freeform": "freeform other inne inna",
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_STATUSES: dict[Literal["todo", "in_progress", "done", "collected"], str] = {
    "todo": "todo new received open waiting planned przyjęte przyjęty nowe nowy nowa czeka oczekuje otwarte",
    "in_progress": "inprogress started working wtoku wtrakcie wrealizacji rozpoczęte realizowane",
    "done": "done ready finished completed complete closed gotowe gotowy zrobione zakończone wykonane skończone",
    "collected": "collected delivered pickedup odebrane odebrany wydane wydany dostarczone",
}
_STATUS_OF = {word: status for status, words in _STATUSES.items() for word in words.split()}


class CellError(Exception):
    """A cell that cannot be read as its field. `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Notation(Struct, frozen=True):
    """How a column writes what could be read in two ways: the sign of decimals, and whether the day comes first."""

    decimal_mark: str
    is_day_first: bool


def notation_of(cells: Iterable[str], locale: UserLocale) -> Notation:
    """From the cells of a column that can be read in one way only, else as usual in the language.

    A day comes first in numbers unless some cell has a day second: workshops that write the month first are few.
    """
    commas = dots = first = second = 0
    for cell in cells:
        commas += re.search(r",\d{1,2}(?!\d)", cell) is not None
        dots += re.search(r"\.\d{1,2}(?!\d)", cell) is not None
        if found := _NUMBERS.fullmatch(cell):
            first += int(found[1]) > 12
            second += int(found[3]) > 12
    usual = "," if locale == "pl" else "."
    mark = usual if commas == dots else "," if commas > dots else "."
    return Notation(mark, is_day_first=not second > first)


def read_number(cell: str, notation: Notation) -> Decimal:
    """The number, with at most four decimals. Raises CellError."""
    # "12,50 zł/m2": what follows the stroke is a unit.
    found = _NUMBER.fullmatch(cell.partition("/")[0].strip())
    if found is None:
        raise CellError("not_a_number", "Expected a number")
    text = _ONLY_DIGITS.sub("", found[1]).replace("−", "-").rstrip(".,")
    comma, dot = text.rfind(","), text.rfind(".")
    if comma >= 0 and dot >= 0:
        mark = "," if comma > dot else "."
    elif text.count(",") + text.count(".") == 1:
        sign = "," if comma >= 0 else "."
        # One sign and three digits after it: thousands, unless the column writes decimals so.
        mark = notation.decimal_mark if len(text) - text.index(sign) == 4 else sign
    else:
        mark = ""
    whole, _, decimals = text.partition(mark) if mark else (text, "", "")
    digits = re.sub(r"[.,]", "", whole) + "." + decimals
    try:
        return Decimal(digits.rstrip(".")).quantize(_MOST_PLACES, ROUND_HALF_UP)
    except ArithmeticError:
        raise CellError("not_a_number", "Expected a number") from None


def read_day(cell: str, notation: Notation) -> date:
    """Raises CellError."""
    try:
        if found := _ISO.fullmatch(cell) or _YEAR_FIRST.fullmatch(cell):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _NUMBERS.fullmatch(cell):
            day, month = (found[1], found[3]) if notation.is_day_first else (found[3], found[1])
            year = int(found[4])
            return date(year + 2000 if year < 100 else year, int(month), int(day))
        if found := _DAY_MONTH.fullmatch(cell):
            return date(int(found[3]), _month(found[2]), int(found[1]))
        if found := _MONTH_DAY.fullmatch(cell):
            return date(int(found[3]), _month(found[1]), int(found[2]))
    except ValueError:
        raise CellError("not_a_date", "There is no such day") from None
    raise CellError("not_a_date", "Expected a date, such as 2026-11-23 or 23.11.2026")


def read_time(cell: str) -> str:
    """As HH:MM. Raises CellError."""
    found = _TIME.fullmatch(cell)
    if found is None:
        raise CellError("not_a_time", "Expected a time, such as 16:30")
    hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59:
        raise CellError("not_a_time", "There is no such time")
    return f"{hour:02}:{minute:02}"


def read_unit(cell: str) -> LineItemUnit | None:
    """None for a unit that tiles do not have, such as kg."""
    return _UNIT_OF.get(folded(cell).replace("za", "", 1) if cell.lower().startswith("za ") else folded(cell))


def read_status(cell: str) -> tuple[OrderStatus, bool]:
    """The status, and whether the order was collected. Raises CellError."""
    found = _STATUS_OF.get(folded(cell))
    if found is None:
        raise CellError("unknown_status", "Expected to do, in progress, done or collected")
    return ("done", True) if found == "collected" else (found, False)


def _month(word: str) -> int:
    """Raises ValueError."""
    number = _MONTHS.get(word[:3].casefold())
    if number is None:
        raise ValueError(word)
    return number
