"""Rows of a table read as fields: the values of each row, and errors by row and cell."""

from collections.abc import Callable, Iterator
from typing import Any, get_args

from msgspec import Meta, Struct

from backbench.domain.customers.customers import CustomerKind
from backbench.domain.estimating.estimates import Label
from backbench.domain.imports import cells
from backbench.domain.imports.cells import CellError, Notation, notation_of
from backbench.domain.imports.fields import REQUIRED, ImportKind, Mapping, has_required
from backbench.domain.imports.tables import Row, Table, folded
from backbench.domain.orders.order_details import Description, Phone, Place, Serial
from backbench.domain.values.enums import DocumentLocale, UserLocale
from backbench.domain.values.scalars import MAX_EMAIL_LENGTH, REVERSING, LongText, Name, OptionalName, is_email
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import CustomerName, Notes, Title

# As many as a person reads. `rowsWithErrors` counts them all.
MOST_ERRORS = 100
# Of a cell that is shown: it is for recognizing a column.
SAMPLE_CHARACTERS = 200
MOST_PRICE = 10**9
_COMPANIES = frozenset(("company", "business", "firma", "instytucja", "organization", "organisation"))
_PEOPLE = frozenset(("person", "individual", "private", "osoba", "osobafizyczna", "prywatny", "indywidualny"))
_LANGUAGES: dict[str, DocumentLocale] = {
    "pl": "pl",
    "polski": "pl",
    "polish": "pl",
    "en": "en",
    "angielski": "en",
    "english": "en",
}
# What can be read in two ways.
_AMBIGUOUS = frozenset(("unitPrice", "priceLimit", "pieces", "dueOn", "createdAt"))

Read = Callable[[str, Notation], Any]


class Context(Struct, frozen=True):
    """What a file leaves open: the country of its phones, the language of the caller, time zone and present time."""

    country: str | None
    locale: UserLocale
    zone: str
    now: Instant


class RowError(Struct, frozen=True):
    """`row` is that of the file, `column` the index of its column. The row is skipped."""

    row: int
    column: int | None
    field: str
    code: str
    detail: str


class ReadRow(Struct, frozen=True):
    """The values of a row by field, without empty ones; where there are errors the row is skipped."""

    number: int
    values: dict[str, Any]
    errors: list[RowError]


def read_rows(kind: ImportKind, table: Table, mapping: Mapping, context: Context) -> Iterator[ReadRow]:
    """Every row that has anything in a mapped column."""
    readers = _READERS[kind]
    columns = {field: at for field, at in mapping.items() if at is not None}
    notations = {
        field: notation_of((row.cells[at] for row in table.rows if field in _AMBIGUOUS), context.locale)
        for field, at in columns.items()
    }
    for row in table.rows:
        values, errors = _values(row, columns, readers, notations)
        if not values and not errors:
            continue
        named = {*values, *(error.field for error in errors)}
        if not named.intersection(REQUIRED[kind]):
            errors.append(_missing(kind, row, mapping))
        yield ReadRow(row.number, values, errors)


def _values(
    row: Row, columns: dict[str, int], readers: dict[str, Read], notations: dict[str, Notation]
) -> tuple[dict[str, Any], list[RowError]]:
    values: dict[str, Any] = {}
    errors = []
    for field, at in columns.items():
        cell = row.cells[at]
        if not cell:
            continue
        try:
            value = readers[field](cell, notations[field])
        except CellError as error:
            errors.append(RowError(row.number, at, field, error.code, error.detail))
        else:
            if value not in ("", None):
                values[field] = value
    return values, errors


def _missing(kind: ImportKind, row: Row, mapping: Mapping) -> RowError:
    field = next((field for field in REQUIRED[kind] if mapping.get(field) is not None), REQUIRED[kind][0])
    if not has_required(kind, mapping):
        return RowError(row.number, None, field, "unmapped", "No column is chosen for this")
    return RowError(row.number, mapping[field], field, "missing", "This row has none")


def _limit(type_: Any) -> int:
    """The most characters of a constrained text."""
    return next(each.max_length for each in get_args(type_) if isinstance(each, Meta) and each.max_length)


def _text(type_: Any) -> Read:
    """One line: line breaks become spaces."""
    limit = _limit(type_)

    def read(cell: str, _: Notation) -> str:
        return _within(" ".join(_printable(cell, " ").split()), limit)

    return read


def _lines(type_: Any) -> Read:
    limit = _limit(type_)

    def read(cell: str, _: Notation) -> str:
        lines = cell.replace("\r\n", "\n").split("\n")
        return _within("\n".join(_printable(line, " ").rstrip() for line in lines).strip(), limit)

    return read


def _printable(text: str, instead: str) -> str:
    """Without characters that no text of ours has: controls, and those that reverse its order."""
    if text.isprintable():
        return text
    shown = REVERSING.sub("", text)
    return "".join(instead if ord(each) < 32 or 127 <= ord(each) < 160 else each for each in shown)


def _within(text: str, limit: int) -> str:
    if len(text) > limit:
        raise CellError("too_long", f"At most {limit:,} characters")
    return text


def _email(cell: str, _: Notation) -> str:
    text = cell.removeprefix("mailto:").strip().strip("<>;,")
    if len(text) > MAX_EMAIL_LENGTH or not is_email(text):
        raise CellError("not_an_email", "Expected an email address")
    return text


def _price(cell: str, notation: Notation) -> Any:
    number = cells.read_number(cell, notation)
    if not 0 <= number <= MOST_PRICE:
        raise CellError("out_of_range", f"Expected a number from 0 to {MOST_PRICE:,}")
    return number


def _pieces(cell: str, notation: Notation) -> int:
    number = cells.read_number(cell, notation)
    if number != int(number) or not 1 <= number <= 99:
        raise CellError("out_of_range", "Expected a whole number from 1 to 99")
    return int(number)


def _kind(cell: str, _: Notation) -> CustomerKind:
    word = folded(cell)
    if word in _COMPANIES:
        return "company"
    if word in _PEOPLE:
        return "person"
    raise CellError("unknown_kind", "Expected person or company")


def _language(cell: str, _: Notation) -> DocumentLocale | None:
    """None for any other language: documents are in Polish or English."""
    return _LANGUAGES.get(folded(cell.partition("-")[0].partition("_")[0]))


_READERS: dict[ImportKind, dict[str, Read]] = {
    "tiles": {
        "label": _text(Label),
        "unitPrice": _price,
        "unit": _text(OptionalName),
        "emoji": _text(OptionalName),
    },
    "customers": {
        "name": _text(Name),
        "firstName": _text(Name),
        "lastName": _text(Name),
        "company": _text(Name),
        "phone": _text(Phone),
        "phone2": _text(Phone),
        "phone3": _text(Phone),
        "email": _email,
        "email2": _email,
        "email3": _email,
        "address": _lines(LongText),
        "postalCode": _text(OptionalName),
        "city": _text(OptionalName),
        "siteAddress": _lines(LongText),
        "taxId": _text(OptionalName),
        "notes": _lines(Notes),
        "kind": _kind,
        "locale": _language,
    },
    "orders": {
        "title": _text(Title),
        "customerName": _text(CustomerName),
        "phone": _text(Phone),
        "email": _email,
        "status": lambda cell, _: cells.read_status(cell),
        "dueOn": lambda cell, notation: cells.read_day(cell, notation),
        "dueTime": lambda cell, _: cells.read_time(cell),
        "item": _lines(Description),
        "serial": _text(Serial),
        "pieces": _pieces,
        "place": _text(Place),
        "priceLimit": _price,
        "notes": _lines(Notes),
        "createdAt": lambda cell, notation: cells.read_day(cell, notation),
    },
}
