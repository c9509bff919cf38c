"""Cells: numbers, days, times and words as people and programs write them, and what can be read in two ways."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from msgspec import Struct

from backbench.orders.orders import OrderStatus
from backbench.values.enums import LineItemUnit

_MOST_PLACES = Decimal("0.0001")
# A number with its signs for thousands, and at most a currency or a unit around it. Possessive: the time is linear.
_NUMBER = re.compile(r"[^\d,.\-−]*+([-−]?\s*+\d[\d\s.,'’\u00a0\u202f]*+|[-−]?[.,]\d++)[^\d]*+")
_SPACES = re.compile(r"[\s'’\u00a0\u202f]")
# "120,-" has no decimals; "12,50-" and "(12,50)" are negative.
_WHOLE = re.compile(r"(?<=\d)[.,][-–—]{1,2}(?!\d)")
_NEGATIVE = re.compile(r"^\(.*\d.*\)$|\d\D*[-−–]\D*$")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?")
_NUMBERS = re.compile(r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})(?:\s*r\.?|[T ]+\d.*)?")
_YEAR_FIRST = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})|((?:19|20)\d{2})(\d{2})(\d{2})")
_DAY_MONTH = re.compile(
    r"(?:[^\W\d]+\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|er)?[.\s-]+([^\W\d]+)\.?,?[\s-]+(\d{4}|\d{2})(?:\s*r\.?)?"
)
_MONTH_DAY = re.compile(r"(?:[^\W\d]+,\s+)?([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?", re.IGNORECASE)
# Days of spreadsheets, which count from here. Fewer would be years or numbers of orders.
_FIRST_DAY, _SERIALS = date(1899, 12, 30), range(20_000, 80_000)
# By the first letters of their names in English, Polish, German and French, without accents.
_MONTHS = {
    word: number
    for number, words in enumerate(
        ("jan sty", "feb lut fev", "mar mrz", "apr kwi avr", "may maj mai", "jun cze juin", "jul lip juil",
         "aug sie aou", "sep wrz", "oct paz okt", "nov lis", "dec gru dez"), start=1)
    for word in words.split()
}  # fmt: skip
_UNITS: dict[LineItemUnit, str] = {
    "sqm": "m2 m² mkw metrkw metrkwadratowy metrykwadratowe sqm squaremetre squaremeter sqmetre qm",
    "linear_m": "m mb mbiez metrbiezacy metr metry metrow lm lfm linearm linearmetre linearmeter metre meter ml",
    "piece": "szt sztuka sztuki sztuk pc pcs piece pieces each ea item unit st stk stuck u",
    "pair": "para pary par pair pairs pr paar paire",
    "hour": "h godz godzina godziny godzin rbh rg roboczogodzina hour hours hr hrs std stunde stunden heure heures",
    "job": "usluga uslugi usl kpl komplet zlecenie ryczalt job service set flatrate lumpsum pauschal forfait",
    "freeform": "freeform other inne inna",
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_STATUSES: dict[Literal["todo", "in_progress", "done", "collected"], str] = {
    "todo": "todo new received open waiting planned przyjete przyjety nowe nowy nowa czeka oczekuje otwarte offen neu",
    "in_progress": "inprogress started working wtoku wtrakcie wrealizacji rozpoczete realizowane inarbeit encours",
    "done": "done ready finished completed complete closed gotowe gotowy zrobione zakonczone wykonane skonczone fertig"
    " erledigt termine pret",
    "collected": "collected delivered pickedup odebrane odebrany wydane wydany dostarczone abgeholt retire",
}
_STATUS_OF = {word: status for status, words in _STATUSES.items() for word in words.split()}
# What stands next to an amount. A dollar may be that of any country that has dollars.
_MONEY = re.compile(r"[^\W\d_]+|[€£$¥₴]")
_SIGNS: dict[str, tuple[str, ...]] = {
    "€": ("EUR",), "euro": ("EUR",), "zl": ("PLN",), "zlotych": ("PLN",), "£": ("GBP",), "kc": ("CZK",), "ft": ("HUF",),
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD"), "¥": ("JPY", "CNY"), "₴": ("UAH",), "lei": ("RON",),
}  # fmt: skip


class Broken(Struct, frozen=True, tag=True):
    """A cell without a value: an error of a spreadsheet, or a formula whose result was not stored. `text` shows it."""

    text: str


# A number of a spreadsheet has no language.
Cell = str | float | Broken


class CellError(Exception):
    """A cell that cannot be read as its field. `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Notation(Struct, frozen=True):
    """How a column writes what could be read in two ways: the sign of decimals, and whether the day comes first."""

    decimal_mark: str = "."
    is_day_first: bool = True


def folded(text: str) -> str:
    """Words as they are compared: letters and digits alone, without regard to case and accents."""
    plain = text.casefold().translate(_PLAIN)
    if not plain.isascii():
        plain = "".join(each for each in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(each))
    return "".join(each for each in plain if each.isalnum())


_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d"})


def shown(cell: Cell) -> str:
    """The cell as a text, as its program shows it: 0.1 + 0.2 is 0.3."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Broken):
        return cell.text
    return format(cell, ".15g") if abs(cell) < 1e15 else str(int(cell))


# Numbers


def decimal_marks(cells: Iterable[Cell]) -> tuple[set[str], list[str]]:
    """The signs of decimals that the cells of a column show for certain, and the cells that do not tell.

    In "1,234" the comma may begin decimals or thousands; in "0,125", "12,5" and "1 234,500" it begins decimals.
    """
    marks: set[str] = set()
    unclear = []
    for cell in cells:
        if not isinstance(cell, str) or (found := digits_of(cell)) is None:
            continue
        text, is_grouped = found
        comma, dot = text.rfind(","), text.rfind(".")
        signs = text.count(",") + text.count(".")
        if comma >= 0 and dot >= 0:
            marks.add("," if comma > dot else ".")
        elif signs > 1:
            marks.add("." if comma >= 0 else ",")
        elif signs == 1:
            sign = "," if comma >= 0 else "."
            whole, _, decimals = text.lstrip("-").partition(sign)
            if len(decimals) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0" and not is_grouped:
                unclear.append(cell)
            elif decimals:
                marks.add(sign)
    return marks, unclear


def read_number(cell: Cell, notation: Notation) -> Decimal:
    """The number, with at most four decimals. Raises CellError."""
    if isinstance(cell, float | int):
        return Decimal(repr(cell)).quantize(_MOST_PLACES, ROUND_HALF_UP)
    found = digits_of(shown(cell))
    if found is None:
        raise CellError("not_a_number", "Expected a number")
    text, is_grouped = found
    comma, dot = text.rfind(","), text.rfind(".")
    mark = ""
    if comma >= 0 and dot >= 0:
        mark = "," if comma > dot else "."
    elif text.count(",") + text.count(".") == 1:
        sign = "," if comma >= 0 else "."
        whole, _, decimals = text.lstrip("-").partition(sign)
        may_be_thousands = len(decimals) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0" and not is_grouped
        mark = notation.decimal_mark if may_be_thousands else sign
    whole, _, decimals = text.partition(mark) if mark else (text, "", "")
    try:
        number = Decimal((re.sub(r"[.,]", "", whole) + "." + decimals).rstrip("."))
        return number.quantize(_MOST_PLACES, ROUND_HALF_UP)
    except ArithmeticError:
        raise CellError("not_a_number", "Expected a number") from None


def digits_of(cell: str) -> tuple[str, bool] | None:
    """Digits, a minus sign, dots and commas; and whether spaces or apostrophes divide them. None for no number."""
    # "12,50 zł/m2": what follows the stroke is a unit.
    text = _WHOLE.sub("", cell.partition("/")[0].strip())
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    inner = found[1].strip()
    digits = _SPACES.sub("", inner).replace("−", "-").rstrip(".,")
    if not digits.startswith("-") and _NEGATIVE.search(text):
        digits = f"-{digits}"
    return digits, _SPACES.search(inner.lstrip("-− ")) is not None


def currencies_in(cell: Cell) -> tuple[str, ...]:
    """The currencies that a cell with an amount may be in; empty where it names none."""
    if isinstance(cell, str):
        for word in _MONEY.findall(cell.partition("/")[0]):
            if found := _SIGNS.get(word) or _SIGNS.get(folded(word)):
                return found
            if len(word) == 3 and word.isupper():
                return (word,)
    return ()


# Days and times


def day_orders(cells: Iterable[Cell]) -> tuple[set[bool], list[str]]:
    """Whether the day comes first, as cells of a column show for certain; and the cells that do not tell."""
    orders: set[bool] = set()
    unclear = []
    for cell in cells:
        if isinstance(cell, str) and (found := _NUMBERS.fullmatch(cell)) and found[2] != ".":
            first, second = int(found[1]), int(found[3])
            if first > 12 or second > 12:
                orders.add(first > 12)
            elif first != second:
                unclear.append(cell)
    return orders, unclear


def read_day(cell: Cell, notation: Notation) -> date:
    """Raises CellError."""
    text = shown(cell)
    try:
        return _day(text, notation)
    except (ValueError, KeyError):
        raise CellError("not_a_date", "Expected a date, such as 2026-11-23 or 23.11.2026") from None


def _day(text: str, notation: Notation) -> date:
    """Raises ValueError, KeyError."""
    if text.isdecimal() and int(text) in _SERIALS:
        return _FIRST_DAY + timedelta(days=int(text))
    if found := _ISO.fullmatch(text) or _YEAR_FIRST.fullmatch(text):
        year, month, day = filter(None, found.groups())
        return date(int(year), int(month), int(day))
    if found := _NUMBERS.fullmatch(text):
        first, second = int(found[1]), int(found[3])
        # Dots are written by those who write the day first.
        is_day_first = found[2] == "." or first > 12 or (notation.is_day_first and second <= 12)
        day, month = (first, second) if is_day_first else (second, first)
        return date(_year(found[4]), month, day)
    if found := _DAY_MONTH.fullmatch(text):
        return date(_year(found[3]), _month(found[2]), int(found[1]))
    if found := _MONTH_DAY.fullmatch(text):
        return date(int(found[3]), _month(found[1]), int(found[2]))
    raise ValueError(text)


def _year(digits: str) -> int:
    return int(digits) + 2000 if len(digits) == 2 else int(digits)


def _month(word: str) -> int:
    """Raises KeyError."""
    letters = folded(word)
    return _MONTHS[letters[:4] if letters[:4] in _MONTHS else letters[:3]]


def read_time(cell: Cell) -> str:
    """As HH:MM. Raises CellError."""
    found = _TIME.fullmatch(shown(cell))
    if found is None:
        raise CellError("not_a_time", "Expected a time, such as 16:30")
    hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59:
        raise CellError("not_a_time", "There is no such time")
    return f"{hour:02}:{minute:02}"


# Words


def read_unit(cell: str) -> LineItemUnit | None:
    """None for a unit that tiles do not have, such as kg."""
    word = folded(cell.replace("²", "2"))
    return _UNIT_OF.get(word.replace("za", "", 1) if cell.lower().startswith("za ") else word)


def read_status(cell: str) -> tuple[OrderStatus, bool]:
    """The status, and whether the order was collected. Raises CellError."""
    found = _STATUS_OF.get(folded(cell))
    if found is None:
        raise CellError("unknown_status", "Expected to do, in progress, done or collected")
    return ("done", True) if found == "collected" else (found, False)


# Several in a cell


_BETWEEN = re.compile(r"\s*(?:;|\n|:::|,|\s(?:lub|oder|or|ou|und|i|and)\s)\s*")


def several(cell: str) -> Iterator[str]:
    """The values of a cell: `a; b`, one on each line, and ` ::: ` between those of Google."""
    return (part.strip() for part in _BETWEEN.split(cell) if part.strip())
