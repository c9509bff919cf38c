"""Import reader: spreadsheets in the process, and files that would fill the memory or the time of the service."""

import contextlib
import struct
from collections.abc import AsyncIterator

import pytest
from msgspec import structs

from backbench.imports.fields import Context
from backbench.imports.process import LIMITS, FoundTable, ReadFile, ask, new_pool
from backbench.integrations.processes.pool import ProcessPool
from backbench.values.errors import ValidationError
from tests.imports.spreadsheets import day, formula, number, row, sharing, text, xlsx

CONTEXT = Context("PL", "pl", "Europe/Warsaw", "2026-11-23T12:00:00.000Z", "PLN", "net", None)
HEADINGS = row(text("Title"), text("Due"), text("Limit"), text("Notes"))


@contextlib.asynccontextmanager
async def running(**limits: float) -> AsyncIterator[ProcessPool]:
    reader = new_pool(structs.replace(LIMITS, **{"seconds": 300, **limits}))
    try:
        yield reader
    finally:
        await reader.close()


async def read(reader: ProcessPool, content: bytes) -> FoundTable:
    return await ask(reader, ReadFile(content, "orders", [], CONTEXT), FoundTable)


async def error_of(reader: ProcessPool, content: bytes) -> str:
    with pytest.raises(ValidationError) as refused:
        await read(reader, content)
    return refused.value.field_errors[0].code


async def test_a_spreadsheet_is_read_with_the_stored_values_of_its_formulas() -> None:
    rows = [HEADINGS, row(text("Chair & table"), day(46352), formula(0.1 + 0.2), formula(None)), row(), row(number(7))]
    async with running() as reader:
        found = await read(reader, xlsx(rows))
    assert found.sample == [["Chair & table", "2026-11-26", "0.3", "="], ["7", "", "", ""]]
    assert (found.columns, found.rows, found.checked.errors) == (["Title", "Due", "Limit", "Notes"], 2, [])
    assert [(note.row, note.field, note.code) for note in found.checked.notes] == [(2, "notes", "no_value")]


async def test_spreadsheets_that_unpack_to_too_much_are_refused_and_the_next_file_is_read() -> None:
    """Each is refused by what the archive says, by the size of the sheet, or at the limits of the process."""
    filler = b"<row><c><v>1</v></c></row>" * 40_000
    far = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    entities = "".join(f'<!ENTITY e{at + 1} "{"".join([f"&e{at};"] * 10)}">' for at in range(9))
    async with running() as reader:
        assert await error_of(reader, xlsx([filler] * 250)) == "too_large"
        assert await error_of(reader, xlsx([far])) == "too_large"
        assert await error_of(reader, xlsx([row(number(at)) for at in range(52_000)])) == "too_many_rows"
        assert await error_of(reader, xlsx([row(*[number(1)] * 101)] * 2)) == "too_many_columns"
        assert await error_of(reader, sharing("x" * 9_900, 4_000)) == "too_large"
        assert await error_of(reader, xlsx([f"<!DOCTYPE x [{entities}]>"])) in ("damaged", "empty")
        assert (await read(reader, xlsx([HEADINGS, row(text("Chair"))]))).rows == 1


async def test_a_spreadsheet_that_lies_about_its_size_ends_at_the_limits_of_the_process() -> None:
    content = bytearray(xlsx([b"<row><c><v>1</v></c></row>" * 40_000] * 400))
    # The unpacked size of the sheet, in the directory at the end of the archive.
    directory = content.rindex(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = struct.pack("<I", 1_000)
    async with running() as reader:
        assert await error_of(reader, bytes(content)) in ("too_large", "too_many_rows", "damaged", "empty")
        assert (await read(reader, b"Title\nChair\n")).rows == 1


async def first_error(reader: ProcessPool, content: bytes) -> str:
    for _ in range(100):
        try:
            await read(reader, content)
        except ValidationError as refused:
            return refused.field_errors[0].code
    return "none"


async def test_a_file_that_takes_too_long_is_refused() -> None:
    """The least limit is the next whole second of the process, at which one of several readings arrives."""
    row_ = b"Chair;23 listopada 2026 r.;1 234,50;Oak" + b";12 345,60" * 40
    content = b"\n".join([b"Title;Due;Limit;Notes" + b";" * 40, *[row_] * 4_000])
    async with running(cpu_seconds=0) as reader:
        assert await first_error(reader, content) == "too_large"
    async with running() as reader:
        assert (await read(reader, content)).rows == 4_000
