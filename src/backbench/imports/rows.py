"""Rows: the cells of each read together, with what the row lacks and what its cells contradict."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from backbench.imports import cells
from backbench.imports.cells import Broken, CellError, folded, shown, terms_of_cell
from backbench.imports.composed import MOST_LABEL, label_of, too_long
from backbench.imports.fields import (
    FIELDS,
    MOST_REPEATED,
    REQUIRED,
    Context,
    Mapping,
    Reading,
    RowError,
    has_required,
    reading_of,
    with_rate,
)
from backbench.imports.headings import ImportKind, headings
from backbench.imports.tables import Row, Table


class ReadRow(Struct, frozen=True):
    """The values of a row by field, without empty ones. Where there are errors the row is left out."""

    number: int
    values: dict[str, Any]
    errors: list[RowError]
    notes: list[RowError]


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
            reading = readings[field]
            if reading.factor is not None and "taxPercent" in columns:
                reading = with_rate(reading, row.cells[columns["taxPercent"]])
            value = spec.read(cell, reading)
        except CellError as error:
            (notes if spec.is_optional else errors).append(RowError(row.number, at, field, error.code, error.detail))
            continue
        if isinstance(value, list):
            known, most = several[spec.words], MOST_REPEATED if kind == "customers" else 1
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
        own = terms_of_cell(shown(row.cells[columns["unitPrice"]])).unit
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
