"""Columns: what those of a file are taken for, by headings and cells together, and the program that wrote it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from msgspec import Struct

from backbench.imports import cells
from backbench.imports.cells import Cell, CellError, Money, Notation, Terms, folded, shown
from backbench.imports.fields import AMOUNTS, FIELDS, Context, Mapping, has_name
from backbench.imports.headings import (
    Heading,
    ImportKind,
    amounts_of,
    basis_of,
    heading_of,
    headings,
    known_headings,
    left_out,
    match,
)
from backbench.imports.tables import Table

# So many cells tell what a column is.
_JUDGED_ROWS = 200
# The score of a column without a known heading, whose cells alone tell what it is.
_BY_LOOK = 1.0


class Column(Struct, frozen=True):
    """`looks`: what more than half of its cells look like. `terms`: what the heading says if they are amounts."""

    heading: Heading
    terms: Terms
    looks: set[str]
    is_empty: bool


# Of taxes on sales, whole numbers: amounts of tax rarely are.
_MOST_RATE = 27
# A digit right after a letter: a code, such as P7.
_CODE = re.compile(r"[^\W\d]\d")
# A day or what was to be one.
_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}.*")


def _looks(cell: Cell) -> Iterator[str]:
    if isinstance(cell, float):
        yield "number"
        if 0 <= cell < 1 or (cell.is_integer() and 1 <= cell <= _MOST_RATE):
            yield "rate"
        return
    if isinstance(cell, Money):
        yield "number"
        return
    text = shown(cell)
    digits = sum(each.isdecimal() for each in text)
    if text.endswith("%") or (text.isdecimal() and int(text) <= _MOST_RATE):
        yield "rate"
    if "@" in text and " " not in text:
        yield "email"
    if _DATE.fullmatch(text):
        yield "day"
    elif 7 <= digits <= 15 and all(each.isdecimal() or each in "+-/(). \u00a0\u202a\u202c\u200b" for each in text):
        yield "phone"
    if digits > 0 and not _CODE.search(text) and cells.digits_of(text) is not None:
        yield "number"
    if digits and not _DATE.fullmatch(text) and _is(cells.read_day, cell, Notation()):
        yield "day"
    if ":" in text and _is(cells.read_time, cell):
        yield "time"
    if text and len(text) < 9 and not any(each.isalnum() for each in text):
        yield "emoji"
    if sum(each.isalpha() for each in text) * 2 > len(text):
        yield "words"


def _is(read: Callable[..., Any], *arguments: Any) -> bool:
    try:
        read(*arguments)
    except CellError:
        return False
    return True


def columns_of(table: Table) -> list[Column]:
    found = []
    for at, text in enumerate(table.columns):
        judged = [row.cells[at] for row in table.rows[:_JUDGED_ROWS] if row.cells[at] != ""]
        counts = Counter(look for cell in judged for look in _looks(cell))
        looks = {look for look, count in counts.items() if count * 2 > len(judged)}
        found.append(Column(heading_of(text), amounts_of(text), looks, not judged))
    return found


def proposed(kind: ImportKind, table: Table, context: Context) -> Mapping:
    """A column for each field, each once: all pairs by how well heading and cells fit, the best first."""
    columns = columns_of(table)
    mapping: Mapping = dict.fromkeys(FIELDS[kind])
    pairs = [
        (score, -order, -at, field)
        for order, field in enumerate(mapping)
        for at, column in enumerate(columns)
        if (score := score_of(kind, field, column, context)) is not None
    ]
    used: set[int] = set()
    for field, heading in columns_of_program(kind, table).items():
        mapping[field] = table.columns.index(heading)
        used.add(table.columns.index(heading))
    for score, _, at, field in sorted(pairs, reverse=True):
        if mapping[field] is None and -at not in used and (score > _BY_LOOK or not has_name(kind, mapping)):
            mapping[field] = -at
            used.add(-at)
    return mapping


def score_of(kind: ImportKind, field: str, column: Column, context: Context) -> float | None:
    """None where the column is not the field."""
    spec = FIELDS[kind][field]
    # Words are no sign of another field: an address may be a word. A heading that says so is believed.
    is_words = column.looks <= {"words"}
    if not is_words and not spec.looks & {"any", *column.looks}:
        return None
    is_repeated = spec.words in ("phone", "email")
    heading = heading_of(column.terms.rest) if field in AMOUNTS else column.heading
    by_heading = match(heading, known_headings(kind)[spec.words], is_repeated=is_repeated)
    if by_heading and field.startswith("site") and _is_main(field, column):
        # "Home street" is the address, and the second one only where there is another.
        by_heading -= 100
    if field == "unitPrice":
        by_heading = _price_score(column, heading, by_heading, context)
    if by_heading and field in AMOUNTS and any(context.currency not in each for each in column.terms.currencies):
        # Amounts of another currency are taken where there are no others, and refused then.
        by_heading /= 10
    if is_words and column.looks and spec.looks - {"any", "number", "emoji", "phone"} and (by_heading or 0) < 100:
        return None
    if by_heading is not None and (by_heading >= 100 or is_repeated or heading.number in (None, 1)):
        return by_heading - (150 if column.is_empty else 0)
    if column.is_empty or any(key in left_out() for key in column.heading.keys):
        return None
    # No heading tells: what the cells look like, for the fields that cells tell.
    if field in ("email", "phone") and field in column.looks:
        return _BY_LOOK + 1
    is_name = field in ("name", "title", "label") and column.looks == {"words"}
    return _BY_LOOK if is_name and not _is_named(kind, column) else None


def _is_main(field: str, column: Column) -> bool:
    main = {"siteAddress": "address", "sitePostalCode": "postalCode", "siteCity": "city"}[field]
    return (match(column.heading, known_headings("customers")[main]) or 0) >= 100


def _is_named(kind: ImportKind, column: Column) -> bool:
    return any((match(column.heading, known) or 0) >= 100 for known in known_headings(kind).values())


def _price_score(column: Column, heading: Heading, neutral: float | None, context: Context) -> float | None:
    """The price that the workshop enters before the other; one of which nothing is said is either."""
    if not heading.words and column.terms.currencies:
        # "EUR", "zł/m2".
        return 100.0
    basis, price = basis_of(heading)
    is_price = not price.keys[0] or (match(price, known_headings("tiles")["unitPrice"]) or 0) >= 100
    if basis is None or not is_price or any(key in left_out() for key in column.heading.keys):
        return neutral
    return 300.0 if basis == context.prices_entered else 100.0


def columns_of_program(kind: ImportKind, table: Table) -> dict[str, str]:
    """The columns that a known program names otherwise than others do."""
    found = _program(kind, table)
    return {
        field: heading for field, heading in (found or {}).items() if field in FIELDS[kind] and heading in table.columns
    }


def _program(kind: ImportKind, table: Table) -> dict[str, Any] | None:
    names = set(table.columns)
    return next(
        (each for each in headings()["programs"] if each["kind"] == kind and names.issuperset(each["has"])), None
    )


def program_of(kind: ImportKind, table: Table) -> str | None:
    """The program that wrote the file, by its headings."""
    found = _program(kind, table)
    return table.program or (found["id"] if found else None)


# Of a field that has no column, instead of a heading, which has letters and digits alone.
_NO_COLUMN = "-"
# What the amounts of a row are in. Mappings of before these fields would let every amount pass.
_OF_AMOUNTS = ("currency", "taxPercent")


class RememberedMapping(Struct, frozen=True):
    """The mapping of a file that was imported: `headings`, folded, by field; `signature` of all of its headings."""

    signature: str
    headings: dict[str, str]

    def mapping_of(self, kind: ImportKind, table: Table, context: Context) -> Mapping:
        """The mapping in which each field has the column of its heading; of repeated headings each its own."""
        left = [folded(column) for column in table.columns]
        mapping: Mapping = dict.fromkeys(FIELDS[kind])
        for field in mapping:
            if (heading := self.headings.get(field)) in left:
                mapping[field] = left.index(heading)
                left[left.index(heading)] = "\0"
        for field in _OF_AMOUNTS:
            if field in mapping and field not in self.headings:
                at = proposed(kind, table, context)[field]
                mapping[field] = None if at in mapping.values() else at
        return mapping


def remembered(columns: list[str], mapping: Mapping) -> RememberedMapping:
    headings = {field: _NO_COLUMN if at is None else folded(columns[at]) for field, at in mapping.items()}
    return RememberedMapping(signature(columns), headings)


def signature(columns: list[str]) -> str:
    """What tells a kind of file: its headings, in any order."""
    return sha256("\n".join(sorted(set(map(folded, columns)))).encode()).hexdigest()
