"""Cells: numbers, days, times and words as people and programs write them, and what can be read in two ways."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, partial
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from backbench.orders.orders import OrderStatus
from backbench.values.currencies import MINOR_DIGITS
from backbench.values.enums import LineItemUnit, PricesEntered

_MOST_PLACES = Decimal("0.0001")
# A number with its signs for thousands, and words around it. Possessive: the time is linear.
_NUMBER = re.compile(r"[^\d,.\-]*+(-?\s*+\d[\d\s.,'’\u00a0\u202f]*+|-?[.,]\d++)[^\d]*+")
# Minus signs and dashes, as programs for texts make them of a hyphen.
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"))
_SPACES = re.compile(r"[\s'’\u00a0\u202f]")
# Thousands are three digits each, in India two but for the last; their sign begins no decimals.
_DIGITS = re.compile(r"\d*+(?:[.,]\d*+)?|\d{1,3}([ .,])(?:\d{2,3}\1)*\d{3}(?:(?!\1)[.,]\d*+)?")
# "120,-" has no decimals; "12,50-" and "(12,50)" are negative. The hyphen of "ex-VAT" is within a word.
_WHOLE = re.compile(r"(?<=\d)[.,]-{1,2}(?!\d)")
_NEGATIVE = re.compile(r"^\(.*\d.*\)$|\d\D*(?:(?<![^\W\d_])-|-(?![^\W\d_]))\D*$")
# The time of a day, and its zone.
_OF_DAY = (
    r"(?:(?:T|,? +(?:godz\.? |o |um |at )?)(\d{1,2}[:.]\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?)"
    r"(?: ?Uhr)? ?(Z|[A-Z]{3,4}|[+-]\d{2}(?::?\d{2})?)?)?"
)
_OFFSETS = {
    zone: offset
    for offset, zones in {
        "+00:00": "Z UTC GMT WET", "+01:00": "CET MEZ WEST", "+02:00": "CEST MESZ EET", "+03:00": "EEST",
    }.items()
    for zone in zones.split()
}  # fmt: skip
_ISO = re.compile(rf"(\d{{4}})-(\d{{1,2}})-(\d{{1,2}}){_OF_DAY}")
_NUMBERS = re.compile(rf"(\d{{1,2}})\s*([./-])\s*(\d{{1,2}})\s*\2\s*(\d{{4}}|\d{{2}})(?:\s*r\b\.?)?{_OF_DAY}")
_YEAR_FIRST = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})|((?:19|20)\d{2})(\d{2})(\d{2})")
_DAY_MONTH = re.compile(
    r"(?:([^\W\d]+\.?,?)\s+)?(\d{1,2})(?:st|nd|rd|th|er)?[.\s-]+([^\W\d]+)\.?,?[\s-]+(\d{4}|\d{2})(?:\s*r\b\.?)?"
    + _OF_DAY
)
_MONTH_DAY = re.compile(r"(?:([^\W\d]+)\.?,?\s+)?([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})" + _OF_DAY)
# Beside a day in numbers, before it or after it.
_WITH_WEEKDAY = re.compile(r"(?:([^\W\d]+\.?,?)\s+)?(\d.*?)(?:,?\s+\(?([^\W\d]+)\.?\)?)?")
_LONGEST_DAY = 80
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2}(?:[.,]\d+)?)?\s*([ap])?\.?(?:m\.?)?", re.IGNORECASE)
# Days of spreadsheets, which count from here. Fewer would be years or numbers of orders.
_FIRST_DAY, _SERIALS = date(1899, 12, 30), range(20_000, 80_000)
# By the beginnings of their names in English, Polish, German and French, without accents.
_MONTHS = {
    name[:length]: number
    for number, names in enumerate(
        ("january stycznia styczen januar janner janvier", "february lutego luty februar feber fevrier",
         "march marca marzec marz maerz mrz mars", "april kwietnia kwiecien avril", "may maja mai",
         "june czerwca czerwiec juni juin", "july lipca lipiec juli juillet", "august sierpnia sierpien aout",
         "september wrzesnia wrzesien septembre", "october pazdziernika pazdziernik oktober octobre",
         "november listopada listopad novembre", "december grudnia grudzien dezember decembre"), start=1)
    for name in names.split()
    for length in range(4 if name.startswith("jui") else 3, len(name) + 1)
}  # fmt: skip
# "so" is a Saturday in Polish and a Sunday in German; "do", a Thursday in German, is "until" in Polish without a sign.
_WEEKDAYS = {
    (name, number)
    for number, names in enumerate(
        ("monday mon poniedzialek pon pn montag mo lundi lun", "tuesday tues tue wtorek wto wt dienstag di mardi mar",
         "wednesday wed sroda sro sr mittwoch mi mercredi mer",
         "thursday thurs thur thu czwartek czw cz donnerstag do jeudi jeu",
         "friday fri piatek pia pt freitag fr vendredi ven",
         "saturday sat sobota sob sb so samstag sonnabend sa samedi sam",
         "sunday sun niedziela niedz nd sonntag so dimanche dim"))
    for name in names.split()
}  # fmt: skip
_UNITS: dict[LineItemUnit, str] = {
    "sqm": "m2 m² mkw metrkw metrkwadratowy metrykwadratowe sqm squaremetre squaremeter sqmetre qm",
    "linear_m": "m mb mbiez metrbiezacy metr metry metrow lm lfm linearm linearmetre linearmeter metre meter ml",
    "piece": "szt sztuka sztuki sztuk sztuke pc pcs piece pieces each ea item unit st stk stuck u jm jedn jednostke"
    " einheit unite",
    "pair": "para pary par pare pair pairs pr paar paire",
    "hour": "h godz godzina godziny godzin godzine rbh rg roboczogodzina hour hours hr hrs std stunde stunden heure"
    " heures",
    "job": "usluga uslugi usluge usl kpl komplet zlecenie ryczalt job service set flatrate lumpsum pauschal forfait",
    "freeform": "freeform other inne inna",
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_STATUSES: dict[Literal["todo", "in_progress", "done", "collected"], str] = {
    "todo": "todo dozrobienia new received open waiting planned przyjete przyjety nowe nowy nowa czeka oczekuje otwarte"
    " offen neu",
    "in_progress": "inprogress started working wtoku wtrakcie wrealizacji rozpoczete realizowane inarbeit encours",
    "done": "done ready finished completed complete closed gotowe gotowy zrobione zakonczone wykonane skonczone fertig"
    " erledigt termine pret",
    "collected": "collected delivered pickedup odebrane odebrany wydane wydany dostarczone abgeholt retire",
}
_STATUS_OF = {word: status for status, words in _STATUSES.items() for word in words.split()}
# What stands next to an amount: a word, or a sign of a currency with its letters.
_TERM = re.compile(r"[^\W\d_]*+[$£¤¥฿\u20a0-\u20cf\uff04\uffe1\uffe5\uffe6]|[^\W\d_]++")
# A sign may be that of several currencies.
_SIGNS: dict[str, tuple[str, ...]] = {
    sign: tuple(codes.split())
    for signs, codes in {
        "€ eur euro euros": "EUR", "zł zl pln zloty zlote zlotych": "PLN", "£ gbp": "GBP", "kč kc czk": "CZK",
        "ft huf forint": "HUF", "$ dollar dollars": "USD CAD AUD NZD SGD HKD MXN TWD", "us$ usd": "USD",
        "c$ ca$ can$ cad": "CAD", "a$ au$ aud": "AUD", "nz$ nzd": "NZD", "s$ sgd": "SGD", "hk$ hkd": "HKD",
        "r$ brl": "BRL", "¥ yen yuan": "JPY CNY", "円": "JPY", "元": "CNY",
        "₴ грн uah": "UAH", "lei leu ron": "RON", "₺ tl": "TRY", "₹": "INR",
        "₽ руб": "RUB", "₪": "ILS", "₩": "KRW", "₫": "VND", "₱": "PHP", "฿": "THB", "лв": "BGN",
        "fr frs sfr chf": "CHF", "kr": "SEK NOK DKK ISK", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "din": "RSD",
        # Parts and multiples, in which no workshop has its prices.
        "gr grosz grosze groszy cent cents ct pence tys tysiace tysiacach tsd thousand thousands mln million": "-",
    }.items()
    for sign in signs.split()
}  # fmt: skip
# What an amount is the price of follows.
_PER = re.compile(r"/|[\s(\[](?:za|per|pro|par|je|od)\s", re.IGNORECASE)
# Words that are units as well: feet, grams, carats. Of what is next to a stroke they are that.
_ALSO_UNITS = frozenset(("ft", "gr", "ct", "kr", "fr", "din", "tl"))
# What is before one that is a currency also there: "szt. w gr", "piece (Ft)".
_MOST_BEFORE = 20
# What may be around an amount besides words.
_PLAIN_SIGNS = re.compile(r"[\d\s.,:;'’()\[\]\-–—−]*+")
# Its digit is none of the amount: "100 zł m2". A dot ends what is short for a currency: "Fr. 12.50".
_SQUARE, _SHORT = re.compile(r"(?<=[\s(])m2\b"), re.compile(r"(?<=[^\W\d_])\.(?=\s)")
# A unit that follows its amount without a stroke: "120 zł szt.", "$120 (each)".
_UNIT_BEHIND = re.compile(rf"(?=\W*\d)({_PLAIN_SIGNS.pattern})([\w.\s]*+)[)\].,;:\s]*+")
# The 1 in "zł/1 szt.", and what is left of "szt. w zł".
_NOT_OF_UNIT = re.compile(r"^1\s*+(?=[^\W\d_])|\.?\s(?:w|in|en)$")
# From when prices hold is no unit: "Cena od 01.01.2026", "zł/m2 od stycznia 2026".
_DAY_BEHIND = re.compile(r"\b(?:\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|(?:19|20)\d\d(?:-\d\d){0,2})\s*+(?:r\b\.?)?\W*+$")
_BEFORE_DAY = frozenset(("od", "z", "dnia", "from", "ab", *_MONTHS))
BASES: dict[PricesEntered, frozenset[str]] = {
    "net": frozenset(("net", "netto", "ht")),
    "gross": frozenset(("gross", "brutto", "ttc")),
}
_BASIS_OF = {word: basis for basis, words in BASES.items() for word in words}
_TAX = r"[\s-]*+(?:podat\w++ )?(?:VAT|podat\w++|tax|MwSt|USt|TVA)\b\.?"
_WITHOUT, _WITH = (
    re.compile(rf"(?:{words}){_TAX}|\b{initials}\b\.?", re.IGNORECASE)
    for words, initials in (
        (r"\+|\b(?:plus|bez|exc?|excl|excluding|without|exkl|zzgl|ohne|hors|sans)\b\.?", r"h\.\s?t"),
        (r"\b(?:z|w tym|inc|incl|including|with|inkl|mit|avec)\b\.?", r"t\.\s?t\.\s?c"),
    )
)


class Broken(Struct, frozen=True, tag=True):
    """A cell without a value: an error of a spreadsheet, or a formula whose result was not stored. `text` shows it."""

    text: str


# Short names: a table that waits may have a million of them.
class Money(Struct, frozen=True, tag="m", rename={"number": "n", "sign": "s"}):
    """A number that a spreadsheet shows with a currency. `sign` is what it has next to the number, such as "zł/m2"."""

    number: float
    sign: str


# A number of a spreadsheet has no language.
Cell = str | float | Broken | Money


class CellError(Exception):
    """A cell that cannot be read as its field. `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


# What comes first of a day in numbers: the day, the month before the day, or the year as in ISO 8601.
DayOrder = Literal["day", "month", "year"]


class Notation(Struct, frozen=True):
    """How a column writes what could be read in two ways: the sign of decimals, and what comes first of a day."""

    decimal_mark: str = "."
    day_order: DayOrder = "day"


class Terms(Struct, frozen=True):
    """What an amount says, or the heading of a column of amounts: `currencies`, each as all that its sign may be;
    whether it is with tax; `unit`: what it is the price of. `rest` is what is left, and has the basis in it; it
    `is_plain` where there is nothing else, which could change what the number means."""

    currencies: list[tuple[str, ...]]
    bases: list[PricesEntered]
    unit: str
    rest: str
    is_plain: bool


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
    if isinstance(cell, Money):
        return f"{shown(cell.number)} {cell.sign}"
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
    if isinstance(cell, Money):
        return read_number(cell.number, notation)
    if isinstance(cell, float | int):
        return _rounded(Decimal(repr(cell)))
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
        return _rounded(Decimal((re.sub(r"[.,]", "", whole) + "." + decimals).rstrip(".")))
    except ArithmeticError:
        raise CellError("not_a_number", "Expected a number") from None


def _rounded(number: Decimal) -> Decimal:
    """Raises CellError where nothing would be left of it."""
    rounded = number.quantize(_MOST_PLACES, ROUND_HALF_UP)
    if number and not rounded:
        raise CellError("out_of_range", "Expected a number with at most four decimals")
    return rounded


# Each cell of a column of numbers is judged and read. A price list has most of its amounts several times.
@lru_cache(1 << 16)
def digits_of(cell: str) -> tuple[str, bool] | None:
    """Digits, a minus sign, dots and commas; and whether spaces or apostrophes divide them. None for no number."""
    # "12,50 zł/m2": what follows the stroke is a unit.
    text = _WHOLE.sub("", _PER.split(cell.strip().translate(_HYPHENS), 1)[0])
    text = _SHORT.sub("", _SQUARE.sub("m²", text))
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    inner = found[1].strip()
    digits = inner.removeprefix("-").strip().rstrip(".,")
    # An apostrophe is as good as a space.
    if _DIGITS.fullmatch(_SPACES.sub(" ", digits)) is None:
        return None
    sign = "-" if inner.startswith("-") or _NEGATIVE.search(text) else ""
    return sign + _SPACES.sub("", digits), _SPACES.search(digits) is not None


_ZEROS = str.maketrans("123456789", "0" * 9)


def terms_of_cell(text: str) -> Terms:
    """What the text of a cell says besides its digits, which most amounts of a list differ in alone."""
    return terms_of(text) if _PER.search(text) else terms_of(_SQUARE.sub("m²", text).translate(_ZEROS))


def with_bases(text: str) -> str:
    """The text with one word where it says in several whether amounts are with tax: "+ VAT", "inkl. MwSt."."""
    return _WITH.sub(" brutto ", _WITHOUT.sub(" netto ", text))


# Twice for a price: for its amount and for its unit.
@lru_cache(1 << 12)
def terms_of(text: str) -> Terms:
    """What the text of a cell, or of a heading, says of amounts."""
    currencies: list[tuple[str, ...]] = []
    bases: list[PricesEntered] = []

    def without(found: re.Match[str], *, is_behind: bool = False) -> str:
        word = found[0]
        if (named := _currency(word)) and not (is_behind and _is_of_unit(found)):
            currencies.append(named)
            return " "
        if _is_basis(word):
            bases.append(_BASIS_OF[folded(word)])
        return word

    amount, *per = _PER.split(with_bases(text), 1)
    before = _TERM.sub(without, amount)
    left, unit = _without_bases(before), ""
    is_plain = _PLAIN_SIGNS.fullmatch(left) is not None
    if per:
        behind = _without_bases(_TERM.sub(partial(without, is_behind=True), per[0]))
        unit = _without_day(behind)
        is_plain = is_plain and unit == behind
    elif currencies and (found := _UNIT_BEHIND.fullmatch(left)) and read_unit(found[2]) not in (None, "freeform"):
        # "12 szt.", without a currency, may be a number of pieces.
        unit, is_plain = found[2], True
    return Terms(currencies, bases, _NOT_OF_UNIT.sub("", unit.strip(" .,;:()[]")), before, is_plain)


def _is_of_unit(found: re.Match[str]) -> bool:
    """Whether the word is of the unit that an amount is the price of: "sq ft", and no currency after one."""
    words = found.string[max(0, found.start() - _MOST_BEFORE) : found.start()]
    is_after = "(" in words or "[" in words or any(map(read_unit, words.split()))
    return not is_after and folded(found[0]) in _ALSO_UNITS


def _without_day(text: str) -> str:
    found = _DAY_BEHIND.search(text)
    if found is None:
        return text
    words = text[: found.start()].split()
    while words and (words[-1].isdecimal() or folded(words[-1]) in _BEFORE_DAY):
        words.pop()
    return " ".join(words)


def _without_bases(text: str) -> str:
    return _TERM.sub(lambda each: " " if _is_basis(each[0]) else each[0], text)


@lru_cache(1 << 10)
def _is_basis(word: str) -> bool:
    return folded(word) in _BASIS_OF


@lru_cache(1 << 10)
def _currency(word: str) -> tuple[str, ...]:
    """The currencies that a word next to an amount may be; empty where it is none."""
    word = unicodedata.normalize("NFKC", word)
    if word.isupper() and word in MINOR_DIGITS:
        return (word,)
    if found := _SIGNS.get(word.casefold()) or _SIGNS.get(folded(word)):
        return found
    # "m²" ends in a sign as well.
    return _SIGNS.get(word[-1], (word[-1],)) if unicodedata.category(word[-1]) == "Sc" else ()


# Days and times


def day_orders(cells: Iterable[Cell]) -> tuple[set[DayOrder], list[str]]:
    """The orders in which every cell of a column can be read, where there is one for all; and the cells that do not
    tell."""
    possible: list[set[DayOrder]] = []
    unclear = []
    for cell in cells:
        if isinstance(cell, str) and (found := _NUMBERS.fullmatch(cell)) and found[2] != ".":
            days = _days_of(found)
            if days:
                possible.append({*days})
            if len({*days.values()}) > 1:
                unclear.append(cell)
    shared = set.intersection(*possible) if possible else set()
    return shared or set().union(*possible), unclear


def _days_of(found: re.Match[str]) -> dict[DayOrder, tuple[str, str, str]]:
    """Year, month and day of a day in numbers, by the orders that it may have."""
    first, sign, second, last, *_ = found.groups()
    days: dict[DayOrder, tuple[str, str, str]] = {"day": (last, second, first)}
    # Dots are written by those who write the day first.
    if sign != ".":
        days["month"] = last, first, second
    if sign == "-" and len(first) == len(last) == 2:
        days["year"] = first, second, last
    return {order: day for order, day in days.items() if 1 <= int(day[1]) <= 12 and 1 <= int(day[2]) <= 31}


def read_day(cell: Cell, notation: Notation, zone: str = "UTC") -> date:
    """Raises CellError."""
    return read_day_and_time(cell, notation, zone)[0]


def read_day_and_time(cell: Cell, notation: Notation, zone: str) -> tuple[date, str]:
    """The day, and the time of day as HH:MM or "". Where the cell names its zone they are those in `zone`. Raises
    CellError."""
    text = shown(cell)
    try:
        return _day_and_time(text, notation, zone)
    except (ValueError, KeyError, OverflowError):
        raise CellError("not_a_date", "Expected a date, such as 2026-11-23 or 23.11.2026") from None


def _day_and_time(text: str, notation: Notation, zone: str) -> tuple[date, str]:
    """Raises ValueError, KeyError, OverflowError, CellError."""
    if len(text) > _LONGEST_DAY:
        raise ValueError(text)
    if text.isdecimal() and int(text) in _SERIALS:
        return _FIRST_DAY + timedelta(days=int(text)), ""
    if found := _ISO.fullmatch(text):
        return _moment(date(int(found[1]), int(found[2]), int(found[3])), found[4], found[5], zone)
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day_of_month = filter(None, found.groups())
        return date(int(year), int(month), int(day_of_month)), ""
    if found := _NUMBERS.fullmatch(text):
        days = _days_of(found)
        # A cell that cannot be read as its column is what it can be alone.
        year, month, day_of_month = days[notation.day_order] if notation.day_order in days else _only(days.values())
        return _moment(date(_year(year), int(month), int(day_of_month)), found[5], found[6], zone)
    if found := _DAY_MONTH.fullmatch(text):
        day = _on(found[1], date(_year(found[4]), _month(found[3]), int(found[2])))
        return _moment(day, found[5], found[6], zone)
    if found := _MONTH_DAY.fullmatch(text):
        day = _on(found[1], date(int(found[4]), _month(found[2]), int(found[3])))
        return _moment(day, found[5], found[6], zone)
    if (found := _WITH_WEEKDAY.fullmatch(text)) and (found[1] or found[3]):
        day, time = _day_and_time(found[2], notation, zone)
        return _on(found[3], _on(found[1], day)), time
    raise ValueError(text)


def _moment(day: date, time: str | None, offset: str | None, zone: str) -> tuple[date, str]:
    """Raises ValueError, CellError."""
    written = read_time(time) if time else ""
    if offset is None:
        return day, written
    if offset.startswith("-") and len(re.split("[:.,]", time or "")) < 3:
        # "10:30-12:00" is from one time to another. Programs write seconds before an offset.
        raise ValueError(offset)
    moment = datetime.fromisoformat(f"{day.isoformat()}T{written}{_OFFSETS.get(offset, offset)}")
    there = moment.astimezone(ZoneInfo(zone))
    return there.date(), f"{there:%H:%M}"


def _year(digits: str) -> int:
    """Two digits are a year from 1970 to 2069."""
    return int(digits) + (1900 if digits >= "70" else 2000) if len(digits) == 2 else int(digits)


def _month(word: str) -> int:
    """Raises KeyError."""
    return _MONTHS[folded(word)]


def _on(weekday: str | None, day: date) -> date:
    """The day, which is that of the week. Raises ValueError."""
    if weekday and ((folded(weekday), day.weekday()) not in _WEEKDAYS or weekday.casefold() == "do"):
        raise ValueError(weekday)
    return day


def _only(days: Iterable[tuple[str, str, str]]) -> tuple[str, str, str]:
    """Raises ValueError unless they are all the same."""
    (day,) = {*days}
    return day


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


@lru_cache(1 << 10)
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
