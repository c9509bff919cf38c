"""Fields: what columns can be, by kind of import, and how the cells of each are read."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Any, get_args

from msgspec import Meta, Struct

from backbench.customers.customers import CustomerKind
from backbench.estimating.line_items import Label
from backbench.imports import cells
from backbench.imports.cells import Broken, Cell, CellError, Notation, Terms, folded, shown, terms_of
from backbench.imports.composed import MOST_LABEL, label_of, too_long
from backbench.imports.headings import ImportKind, amounts_of, basis_of, heading_of, headings
from backbench.imports.tables import Row, Table
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
_REPEATED = 5


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
    terms: Terms = Terms([], [], "", "")
    basis: PricesEntered = "net"
    factor: Decimal | None = None


class ReadRow(Struct, frozen=True):
    """The values of a row by field, without empty ones. Where there are errors the row is left out."""

    number: int
    values: dict[str, Any]
    errors: list[RowError]
    notes: list[RowError]


class _Field(Struct, frozen=True):
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
    terms = terms_of(shown(cell))
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


def _currency(cell: Cell, reading: Reading) -> None:
    """Nothing is imported of it: it tells whether the amounts are those of the workshop."""
    named = terms_of(shown(cell)).currencies or [(shown(cell).upper(),)]
    if any(reading.context.currency not in each for each in named):
        raise CellError("other_currency", f"The workshop's prices are in {reading.context.currency}")


def _pieces(cell: Cell, reading: Reading) -> int:
    number = cells.read_number(cell, reading.notation)
    words = [] if isinstance(cell, float) else re.findall(r"[^\W\d_]+|[%/]", shown(cell))
    if any(cells.read_unit(word) != "piece" for word in words):
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


def _text(type_: Any, words: str, *looks: str, is_optional: bool = True) -> _Field:
    return _Field(partial(_line, limit=_limit(type_)), words, frozenset(looks), is_optional)


def _texts(type_: Any, words: str) -> _Field:
    return _Field(partial(_lines, limit=_limit(type_)), words, frozenset(("any",)))


_NUMBER, _DAY = frozenset(("number", "day")), frozenset(("day",))
_PHONE, _EMAIL = (
    _Field(_phones, "phone", frozenset(("phone", "number"))),
    _Field(_emails, "email", frozenset(("email",))),
)
# The order is that of the mapping. One of REQUIRED is needed; any of several makes a name.
FIELDS: dict[ImportKind, dict[str, _Field]] = {
    "tiles": {
        "label": _text(Label, "label", "number", is_optional=False),
        "unitPrice": _Field(read_price, "unitPrice", _NUMBER, is_optional=False),
        "unit": _text(OptionalName, "unit"),
        # Several grids of one name get a number.
        "grid": _Field(partial(_line, limit=_limit(Name) - len(" 10")), "grid", frozenset(("number",))),
        "emoji": _Field(_emoji, "emoji", frozenset(("emoji",))),
        "currency": _Field(_currency, "currency", is_optional=False),
    },
    "customers": {
        **{
            name: _text(Name, name, is_optional=False)
            for name in ("name", "firstName", "middleName", "lastName", "company")
        },
        **{f"phone{number or ''}": _PHONE for number in (0, *range(2, _REPEATED + 1))},
        **{f"email{number or ''}": _EMAIL for number in (0, *range(2, _REPEATED + 1))},
        "address": _texts(LongText, "address"),
        "addressLine": _text(OptionalName, "addressLine", "number"),
        "houseNumber": _text(OptionalName, "houseNumber", "number"),
        "postalCode": _text(OptionalName, "postalCode", "number", "phone"),
        "city": _text(OptionalName, "city"),
        "region": _text(OptionalName, "region"),
        "country": _Field(_country, "country"),
        "siteAddress": _texts(LongText, "siteAddress"),
        "sitePostalCode": _text(OptionalName, "sitePostalCode", "number", "phone"),
        "siteCity": _text(OptionalName, "siteCity"),
        "taxId": _text(OptionalName, "taxId", "number", "phone"),
        "notes": _texts(Notes, "notes"),
        "kind": _Field(_kind, "kind"),
        "locale": _Field(_language, "locale"),
    },
    "orders": {
        "title": _text(Title, "title", "number", is_optional=False),
        "customerName": _text(CustomerName, "customerName"),
        "phone": _PHONE,
        "email": _EMAIL,
        "status": _Field(lambda cell, _: cells.read_status(shown(cell)), "status"),
        "dueOn": _Field(_day, "dueOn", _DAY),
        "dueTime": _Field(lambda cell, _: cells.read_time(cell), "dueTime", frozenset(("time", "number"))),
        "item": _texts(Description, "item"),
        "serial": _text(Serial, "serial", "number", "phone"),
        "pieces": _Field(_pieces, "pieces", _NUMBER),
        "place": _text(Place, "place", "number"),
        "priceLimit": _Field(read_price, "priceLimit", _NUMBER),
        "currency": _Field(_currency, "currency"),
        "notes": _texts(Notes, "notes"),
        "createdAt": _Field(_past_day, "createdAt", _DAY),
        "readyOn": _Field(_past_day, "readyOn", _DAY),
        "collectedOn": _Field(_past_day, "collectedOn", _DAY),
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


def factor_of(context: Context) -> Decimal:
    """From prices of the other kind to those that the workshop enters."""
    with_tax = 1 + (context.tax_percent or Decimal(0)) / 100
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
    basis = (basis_of(heading_of(table.columns[at]))[0] or context.prices_entered) if field == "unitPrice" else "gross"
    is_converted = field == "unitPrice" and answers.get("tax:unitPrice") == "convert"
    factor = factor_of(context) if is_converted else None
    return Reading(context, notation, amounts_of(table.columns[at]), basis, factor)


# Reading rows


def read_rows(
    kind: ImportKind, table: Table, mapping: Mapping, answers: dict[str, str], context: Context
) -> Iterator[ReadRow]:
    """Every row that has anything in a mapped column. `answers`: the value that holds of each question, by its id."""
    columns = {field: at for field, at in mapping.items() if at is not None}
    readings = {field: reading_of(field, table, at, answers, context) for field, at in columns.items()}
    sums = _sum_words()
    for row in table.rows:
        found = _values(kind, row, columns, readings)
        if not found.values and not found.errors and not found.notes:
            continue
        if (
            kind == "tiles"
            and row is table.rows[-1]
            and any(isinstance(cell, str) and folded(cell) in sums for cell in row.cells)
        ):
            error = RowError(row.number, mapping["label"], "label", "sum", "This row is a sum")
            yield ReadRow(row.number, {}, [error], [])
            continue
        found.errors.extend(_missing(kind, row, mapping, found))
        if found.errors:
            # A row that is left out tells everything that is wrong with it.
            found.errors.extend(found.notes)
        yield found


@cache
def _sum_words() -> frozenset[str]:
    return frozenset(map(folded, headings()["sums"]["words"]))


def _values(kind: ImportKind, row: Row, columns: dict[str, int], readings: dict[str, Reading]) -> ReadRow:
    values: dict[str, Any] = {}
    errors: list[RowError] = []
    notes: list[RowError] = []
    several: dict[str, list[str]] = {"phone": [], "email": []}
    for field, at in columns.items():
        cell, spec = row.cells[at], FIELDS[kind][field]
        # A currency without an amount says nothing.
        if cell == "" or (kind == "orders" and field == "currency" and not _has(row, columns, "priceLimit")):
            continue
        try:
            if isinstance(cell, Broken):
                raise CellError("no_value", "The cell has no value in the file")
            value = spec.read(cell, readings[field])
        except CellError as error:
            (notes if spec.is_optional else errors).append(RowError(row.number, at, field, error.code, error.detail))
            continue
        if isinstance(value, list):
            known, most = several[spec.words], _REPEATED if kind == "customers" else 1
            known += [each for each in value if each not in known]
            if len(known) > most:
                notes.append(RowError(row.number, at, field, "too_many", f"There is room for {most} of these"))
                del known[most:]
            if known:
                values[spec.words] = known
        elif value not in ("", None):
            values[field] = value
    read = ReadRow(row.number, values, errors, notes)
    for field, code, detail in _unfit(kind, row, columns, readings, read):
        values.pop(field, None)
        (notes if FIELDS[kind][field].is_optional else errors).append(
            RowError(row.number, columns[field], field, code, detail)
        )
    return read


def _has(row: Row, columns: dict[str, int], field: str) -> bool:
    return field in columns and row.cells[columns[field]] != ""


def _unfit(
    kind: ImportKind, row: Row, columns: dict[str, int], readings: dict[str, Reading], read: ReadRow
) -> Iterator[tuple[str, str, str]]:
    """The cells that the rest of their row contradicts: field, code and detail. They are taken out of the values as
    they are named."""
    if kind == "tiles":
        return _unfit_of_tile(row, columns, readings, read.values)
    if kind == "orders":
        return _unfit_of_order(row, columns, readings, read)
    return too_long(read.values)


def _unfit_of_tile(
    row: Row, columns: dict[str, int], readings: dict[str, Reading], values: dict[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """And gives a tile the unit that its price names: of its own cell, or of the heading."""
    unit = values.get("unit", "")
    if "unitPrice" in values:
        own = terms_of(shown(row.cells[columns["unitPrice"]])).unit
        if own and unit and (cells.read_unit(own) or folded(own)) != (cells.read_unit(unit) or folded(unit)):
            yield "unitPrice", "unfit", f"The price is of another unit than {unit}"
        elif named := own or unit or readings["unitPrice"].terms.unit:
            values["unit"] = named
    if "label" in values and len(label_of(values)) > MOST_LABEL:
        yield "unit" if unit else "unitPrice", "too_long", f"At most {MOST_LABEL} characters with the name"


def _unfit_of_order(
    row: Row, columns: dict[str, int], readings: dict[str, Reading], read: ReadRow
) -> Iterator[tuple[str, str, str]]:
    """And gives an order the time that its due day has."""
    values = read.values
    if "priceLimit" in values and any(note.field == "currency" for note in read.notes):
        yield "priceLimit", "other_currency", f"The workshop's prices are in {readings['priceLimit'].context.currency}"
    due = readings["dueOn"] if "dueOn" in values else None
    time = due and cells.read_day_and_time(row.cells[columns["dueOn"]], due.notation, due.context.zone)[1]
    # Midnight is what programs write for a day alone.
    if "dueTime" in values and (due is None or time not in ("", "00:00", values["dueTime"])):
        yield "dueTime", "unfit", "Expected a time of the due day"
    elif time and time != "00:00":
        values["dueTime"] = time
    status, _ = values.get("status", ("done", False))
    if status == "done" and "status" in values and "collectedOn" in values:
        # Words for done do not tell whether it was collected.
        values["status"] = ("done", True)
    for field in ("readyOn", "collectedOn"):
        if field in values and status != "done":
            yield field, "unfit", "An order of this status has no such day"
    ready_on, collected_on = values.get("readyOn"), values.get("collectedOn")
    if ready_on and collected_on and ready_on > collected_on:
        yield "readyOn", "unfit", "The order was collected before"
        ready_on = None
    if "createdAt" in values and (first := ready_on or collected_on) and values["createdAt"] > first:
        yield "createdAt", "unfit", "The order was ready or collected before"


def _missing(kind: ImportKind, row: Row, mapping: Mapping, found: ReadRow) -> Iterator[RowError]:
    """What the row needs and does not have. A tile without a price would be one that costs nothing."""
    named = {*found.values, *(error.field for error in found.errors)}
    field = next((field for field in REQUIRED[kind] if mapping.get(field) is not None), REQUIRED[kind][0])
    if not has_required(kind, mapping):
        yield RowError(row.number, None, field, "unmapped", "No column is chosen for this")
    elif not named.intersection(REQUIRED[kind]):
        yield RowError(row.number, mapping[field], field, "missing", "This row has none")
    elif kind == "tiles" and mapping["unitPrice"] is not None and "unitPrice" not in named:
        yield RowError(row.number, mapping["unitPrice"], "unitPrice", "missing", "This row has none")
