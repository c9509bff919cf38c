"""Fields: what columns can be, by kind of import, and how the cells of each are read."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, partial
from itertools import chain
from typing import Any, get_args

from msgspec import Meta, Struct, structs

from backbench.customers.customers import CustomerKind
from backbench.estimating.line_items import Label
from backbench.imports import cells
from backbench.imports.cells import Cell, CellError, Notation, Terms, folded, shown, terms_of, terms_of_cell
from backbench.imports.headings import ImportKind, amounts_of, basis_of_prices, headings
from backbench.imports.tables import Table
from backbench.orders.order_details import Description, Place, Serial
from backbench.orders.orders import CustomerName, Title
from backbench.values.currencies import minor_digits
from backbench.values.emoji import is_curated
from backbench.values.enums import DocumentLocale, PricesEntered, UserLocale
from backbench.values.phones import Phone, dialled
from backbench.values.scalars import MAX_EMAIL_LENGTH, REVERSING, LongText, Name, Notes, OptionalName, is_email
from backbench.values.times import Instant, local_date

Mapping = dict[str, int | None]
# As many as a person reads. `rowsWithErrors` counts them all.
MOST_ERRORS = 100
MOST_PRICE = 10**9
MOST_REPEATED = 5


class Context(Struct, frozen=True):
    """What a file leaves open: how the workshop writes phones, prices and days, and the language of the caller.

    `tax_percent` is None where prices have no tax that could be added or taken off. Without `has_customers` nobody of a
    file is a customer already.
    """

    country: str | None
    locale: UserLocale
    zone: str
    now: Instant
    currency: str
    prices_entered: PricesEntered
    tax_percent: Decimal | None
    has_customers: bool = True


class RowError(Struct, frozen=True):
    """`row` is that of the file, `column` the index of its column."""

    row: int
    column: int | None
    field: str
    code: str
    detail: str


def first_notes(*notes: Iterable[RowError]) -> list[RowError]:
    return sorted(chain(*notes), key=lambda note: note.row)[:MOST_ERRORS]


class Reading(Struct, frozen=True):
    """How the cells of one column are read. Of a column of amounts, `terms`: what its heading says of them; `basis`:
    whether they are with tax; `factor`: what they are multiplied by."""

    context: Context
    notation: Notation = Notation()
    terms: Terms = terms_of("")
    basis: PricesEntered = "net"
    factor: Decimal | None = None


class Field(Struct, frozen=True):
    """`words`: the entry of the headings. `looks`: what its cells may look like. Without `is_optional` a cell that
    cannot be read costs its row."""

    read: Callable[[Cell, Reading], Any]
    words: str
    looks: frozenset[str] = frozenset()
    is_optional: bool = True


# Reading a cell


def _limit(type_: Any) -> int:
    """The most characters of a constrained text."""
    return next(each.max_length for each in get_args(type_) if isinstance(each, Meta) and each.max_length)


_PHONE_LIMIT = _limit(Phone)


def _line(cell: Cell, _: Reading, *, limit: int) -> str:
    """One line: line breaks become spaces."""
    return _within(" ".join(_printable(shown(cell), " ").split()), limit)


def _lines(cell: Cell, _: Reading, *, limit: int) -> str:
    lines = shown(cell).replace("\r\n", "\n").split("\n")
    return _within("\n".join(_printable(line, " ").rstrip() for line in lines).strip(), limit)


def _printable(text: str, instead: str) -> str:
    """Without characters that no text of ours has: controls, and those that reverse its order."""
    if text.isprintable():
        return text
    plain = REVERSING.sub("", text)
    return "".join(instead if ord(each) < 32 or 127 <= ord(each) < 160 else each for each in plain)


def _within(text: str, limit: int) -> str:
    if len(text) > limit:
        raise CellError("too_long", f"At most {limit:,} characters")
    return text


def _phones(cell: Cell, _: Reading) -> list[str]:
    """Each as it is written. Of a text with several numbers every one."""
    numbers: list[str] = []
    for part in cells.several(shown(cell)):
        text = " ".join(_printable(part, " ").split())
        # Words between numbers belong to the one before: "601 000 411, mama".
        if numbers and not (dialled(text).digits and dialled(numbers[-1]).digits):
            numbers[-1] = f"{numbers[-1]}, {text}"
        else:
            numbers.append(text)
    if len(numbers) < 2:
        numbers = [" ".join(_printable(shown(cell), " ").split())]
    return [_within(each, _PHONE_LIMIT) for each in numbers]


def _emails(cell: Cell, _: Reading) -> list[str]:
    found = [part.strip("<>,") for each in cells.several(shown(cell)) for part in each.removeprefix("mailto:").split()]
    addresses = [each for each in found if len(each) <= MAX_EMAIL_LENGTH and is_email(each)]
    # "Jan Kos <jan@example.com>" has words beside the address.
    if not addresses or any("@" in each and each not in addresses for each in found):
        raise CellError("not_an_email", "Expected an email address")
    return addresses


def read_price(cell: Cell, reading: Reading) -> Decimal:
    """An amount of the workshop's currency, with tax or without as its column. Raises CellError where the cell or the
    heading says that it is another, or something that is not understood: "12 tys.", "10 %", "from 100"."""
    context = reading.context
    terms = terms_of_cell(shown(cell))
    if any(context.currency not in named for named in (*reading.terms.currencies, *terms.currencies)):
        raise CellError("other_currency", f"The workshop's prices are in {context.currency}")
    number = cells.read_number(cell, reading.notation)
    if not terms.is_plain or (terms.unit and not any(each.isalpha() for each in terms.unit)):
        raise CellError("not_a_number", "Expected an amount, without other words")
    if context.tax_percent is not None and any(
        basis != reading.basis for basis in (*reading.terms.bases, *terms.bases)
    ):
        raise CellError("other_tax", f"Expected a {reading.basis} amount")
    if reading.factor is not None:
        # A price of a thousandth has as many decimals afterwards.
        places = max(minor_digits(context.currency), -int(number.normalize().as_tuple().exponent))
        number = (number * reading.factor).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    if not 0 <= number <= MOST_PRICE:
        raise CellError("out_of_range", f"Expected a number from 0 to {MOST_PRICE:,}")
    return number


# That an amount is the most, in a column that says so.
_UP_TO = re.compile(
    r"^(?:(?:do|max|maks|maksymalnie|maximum|maximal|up to|at most|no more than|not more than|nie więcej niż|bis zu|bis"
    r"|höchstens|jusqu'à)\b\.?|≤|<=?)\s*+|(?<=\s)(?:max|maks)\.?$",
    re.IGNORECASE,
)


def _limit_price(cell: Cell, reading: Reading) -> Decimal:
    """Of all that is ordered. Raises CellError."""
    text = _UP_TO.sub("", cell.strip()) if isinstance(cell, str) else cell
    if cells.read_unit(terms_of_cell(shown(text)).unit) not in (None, "job", "freeform"):
        raise CellError("not_a_number", "Expected an amount for the whole order")
    return read_price(text, reading)


def rate_of(cell: Cell) -> Decimal:
    """A tax rate in percent; a spreadsheet has 0.23 for 23 %. Raises CellError."""
    text = shown(cell)
    if folded(text) in _EXEMPT:
        return Decimal(0)
    if any(each.isalpha() for each in text):
        raise CellError("not_a_number", "Expected a tax rate")
    rate = cells.read_number(cell, Notation())
    if 0 < rate < 1 and "%" not in text:
        rate *= 100
    if not 0 <= rate <= 100:
        raise CellError("out_of_range", "Expected a number from 0 to 100")
    return rate


_EXEMPT = ("zw", "zwolniony", "np", "oo", "exempt", "zerorated", "steuerfrei", "exonere")


def with_rate(reading: Reading, cell: Cell) -> Reading:
    """Prices that are converted, at the rate of their row where it has one. Raises CellError."""
    if cell == "":
        return reading
    try:
        return structs.replace(reading, factor=factor_of(reading.context, rate_of(cell)))
    except CellError:
        raise CellError("other_tax", "The tax rate of the row cannot be read") from None


def _tax_rate(cell: Cell, reading: Reading) -> None:
    """Nothing is imported of it: tiles have the rate of the workshop."""
    own = reading.context.tax_percent or Decimal(0)
    if rate_of(cell) != own:
        raise CellError("other_rate", f"The workshop's tax rate is {own.normalize():f} %")


def _currency(cell: Cell, reading: Reading) -> None:
    """Nothing is imported of it: it tells whether the amounts are those of the workshop."""
    named = terms_of_cell(shown(cell)).currencies or [(shown(cell).upper(),)]
    if any(reading.context.currency not in each for each in named):
        raise CellError("other_currency", f"The workshop's prices are in {reading.context.currency}")


def _pieces(cell: Cell, reading: Reading) -> int:
    number = cells.read_number(cell, reading.notation)
    words = [] if isinstance(cell, float) else re.findall(r"[^\W\d_]+|[%/]", shown(cell))
    # "2x"; "2 pary" are four, and "3 krzesła" say more than a number.
    if any(cells.read_unit(word) != "piece" and word not in ("x", "X") for word in words):
        raise CellError("not_a_number", "Expected a number of pieces")
    if number != int(number) or not 1 <= number <= 99:
        raise CellError("out_of_range", "Expected a whole number from 1 to 99")
    return int(number)


def _emoji(cell: Cell, _: Reading) -> str:
    if not is_curated(shown(cell)):
        raise CellError("unknown_emoji", "Expected one of the emoji of tiles")
    return shown(cell)


def _day(cell: Cell, reading: Reading) -> date:
    return cells.read_day(cell, reading.notation, reading.context.zone)


def _past_day(cell: Cell, reading: Reading) -> date:
    found = _day(cell, reading)
    if found > _today(reading.context.now, reading.context.zone):
        raise CellError("in_future", "Expected a day until today")
    if found < _FIRST_DAY:
        raise CellError("out_of_range", "Expected a day from 1900 on")
    return found


_FIRST_DAY = date(1900, 1, 1)
_today = lru_cache(1)(local_date)


_WORDS: dict[CustomerKind, str] = {
    "company": "company business firma instytucja organization organisation unternehmen",
    "person": "person individual private osoba osobafizyczna prywatny indywidualny privat",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_LANGUAGES: dict[str, DocumentLocale] = {
    **dict.fromkeys(("pl", "polski", "polish", "polnisch", "polonais"), "pl"),
    **dict.fromkeys(("en", "angielski", "english", "englisch", "anglais"), "en"),
}  # fmt: skip


def _kind(cell: Cell, _: Reading) -> CustomerKind:
    if found := _KINDS.get(folded(shown(cell))):
        return found
    raise CellError("unknown_kind", "Expected person or company")


def _language(cell: Cell, _: Reading) -> DocumentLocale:
    """Documents are in Polish or English."""
    if found := _LANGUAGES.get(folded(shown(cell).partition("-")[0].partition("_")[0])):
        return found
    raise CellError("unknown_language", "Expected Polish or English")


def _country(cell: Cell, reading: Reading) -> str | None:
    """None for the country of the workshop, which addresses there do not name."""
    text = _line(cell, reading, limit=250)
    home = reading.context.country or ""
    names = {folded(name) for name in (home, *headings()["countries"].get(home, ()))}
    return None if folded(text) in names else text


def _text(type_: Any, words: str, *looks: str, is_optional: bool = True) -> Field:
    return Field(partial(_line, limit=_limit(type_)), words, frozenset(looks), is_optional)


def _texts(type_: Any, words: str) -> Field:
    return Field(partial(_lines, limit=_limit(type_)), words, frozenset(("any",)))


_NUMBER, _DAY = frozenset(("number", "day")), frozenset(("day",))
_PHONE, _EMAIL = (
    Field(_phones, "phone", frozenset(("phone", "number"))),
    Field(_emails, "email", frozenset(("email",))),
)
# The order is that of the mapping. One of REQUIRED is needed; any of several makes a name.
FIELDS: dict[ImportKind, dict[str, Field]] = {
    "tiles": {
        "label": _text(Label, "label", "number", is_optional=False),
        "unitPrice": Field(read_price, "unitPrice", _NUMBER, is_optional=False),
        "unit": _text(OptionalName, "unit"),
        # Several grids of one name get a number.
        "grid": Field(partial(_line, limit=_limit(Name) - len(" 10")), "grid", frozenset(("number",))),
        "emoji": Field(_emoji, "emoji", frozenset(("emoji",))),
        "currency": Field(_currency, "currency", is_optional=False),
        "taxPercent": Field(_tax_rate, "taxPercent", frozenset(("rate",))),
    },
    "customers": {
        **{
            name: _text(Name, name, is_optional=False)
            for name in ("name", "firstName", "middleName", "lastName", "company")
        },
        **{f"phone{number or ''}": _PHONE for number in (0, *range(2, MOST_REPEATED + 1))},
        **{f"email{number or ''}": _EMAIL for number in (0, *range(2, MOST_REPEATED + 1))},
        "address": _texts(LongText, "address"),
        "addressLine": _text(OptionalName, "addressLine", "number"),
        "houseNumber": _text(OptionalName, "houseNumber", "number"),
        "postalCode": _text(OptionalName, "postalCode", "number", "phone"),
        "city": _text(OptionalName, "city"),
        "region": _text(OptionalName, "region"),
        "country": Field(_country, "country"),
        "siteAddress": _texts(LongText, "siteAddress"),
        "sitePostalCode": _text(OptionalName, "sitePostalCode", "number", "phone"),
        "siteCity": _text(OptionalName, "siteCity"),
        "taxId": _text(OptionalName, "taxId", "number", "phone"),
        "notes": _texts(Notes, "notes"),
        "kind": Field(_kind, "kind"),
        "locale": Field(_language, "locale"),
    },
    "orders": {
        "title": _text(Title, "title", "number", is_optional=False),
        "customerName": _text(CustomerName, "customerName"),
        "phone": _PHONE,
        "email": _EMAIL,
        "status": Field(lambda cell, _: cells.read_status(shown(cell)), "status"),
        "dueOn": Field(_day, "dueOn", _DAY),
        "dueTime": Field(lambda cell, _: cells.read_time(cell), "dueTime", frozenset(("time", "number"))),
        "item": _texts(Description, "item"),
        "serial": _text(Serial, "serial", "number", "phone"),
        "pieces": Field(_pieces, "pieces", _NUMBER),
        "place": _text(Place, "place", "number"),
        "priceLimit": Field(_limit_price, "priceLimit", _NUMBER),
        "currency": Field(_currency, "currency"),
        "notes": _texts(Notes, "notes"),
        "createdAt": Field(_past_day, "createdAt", _DAY),
        "readyOn": Field(_past_day, "readyOn", _DAY),
        "collectedOn": Field(_past_day, "collectedOn", _DAY),
    },
}
REQUIRED: dict[ImportKind, tuple[str, ...]] = {
    "tiles": ("label",),
    "customers": ("name", "firstName", "middleName", "lastName", "company", *(
        name for name in FIELDS["customers"] if name.startswith(("phone", "email"))
    )),
    "orders": ("title",),
}  # fmt: skip
AMOUNTS = ("unitPrice", "priceLimit")
NUMBERS, DAYS = ("unitPrice", "pieces", "priceLimit"), ("dueOn", "createdAt", "readyOn", "collectedOn")


def has_name(kind: ImportKind, mapping: Mapping) -> bool:
    return any(mapping.get(field) is not None for field in REQUIRED[kind] if not field.startswith(("phone", "email")))


def has_required(kind: ImportKind, mapping: Mapping) -> bool:
    return any(mapping.get(field) is not None for field in REQUIRED[kind])


def factor_of(context: Context, rate: Decimal | None) -> Decimal:
    """From prices of the other kind to those that the workshop enters."""
    with_tax = 1 + (rate or Decimal(0)) / 100
    return with_tax if context.prices_entered == "gross" else 1 / with_tax


def notation_of(field: str, column: Sequence[Cell], answers: dict[str, str], context: Context) -> Notation:
    """As the column shows for certain, else as was answered, else as usual in the language."""
    if field in DAYS:
        orders, _ = cells.day_orders(column)
        answer = answers.get(f"days:{field}")
        return Notation(day_order=next((each for each in orders if len(orders) == 1 or each == answer), "day"))
    marks, _ = cells.decimal_marks(column)
    usual = answers.get(f"decimals:{field}") or ("," if context.locale == "pl" else ".")
    return Notation(next(iter(marks)) if len(marks) == 1 else usual)


def reading_of(field: str, table: Table, at: int, answers: dict[str, str], context: Context) -> Reading:
    """How the column is read as the field."""
    column = [row.cells[at] for row in table.rows] if field in (*NUMBERS, *DAYS) else []
    notation = notation_of(field, column, answers, context)
    if field not in AMOUNTS:
        return Reading(context, notation)
    basis = (basis_of_prices(table.columns[at]) or context.prices_entered) if field == "unitPrice" else "gross"
    is_converted = field == "unitPrice" and answers.get("tax:unitPrice") == "convert"
    factor = factor_of(context, context.tax_percent) if is_converted else None
    return Reading(context, notation, amounts_of(table.columns[at]), basis, factor)
