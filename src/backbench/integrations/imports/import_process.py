"""Import process: reads a file into a table, checks the table against a mapping, and makes records of it.

python -m backbench.integrations.imports.import_process MEMORY_BYTES CPU_SECONDS REUSABLE_BYTES
"""

import sys

from backbench.domain.imports import csv_text, vcards
from backbench.domain.imports.fields import ImportKind, Mapping, known_headings, proposed, signature
from backbench.domain.imports.records import records_of
from backbench.domain.imports.rows import MOST_ERRORS, SAMPLE_CHARACTERS, Context, RowError, read_rows
from backbench.domain.imports.tables import Table, UnreadableFile, table_of
from backbench.integrations.imports import spreadsheets
from backbench.integrations.imports.protocol import (
    CheckedTable,
    CheckTable,
    ConvertTable,
    FoundRecords,
    FoundTable,
    ReadFile,
    Refused,
    Reply,
    decode_request,
    encode,
    packed,
    unpacked,
)
from backbench.integrations.processes.worker import Worker, serve

_SAMPLE_ROWS = 10
# So many rows tell what a column without a known heading is.
_JUDGED_ROWS = 50


def main(memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    serve(_load, memory_bytes, cpu_seconds, reusable_bytes)


def _load() -> Worker:
    return Worker(lambda request: encode(reply_to(request)))


def reply_to(request: bytes) -> Reply:
    asked = decode_request(request)
    if isinstance(asked, ReadFile):
        try:
            return _found(asked)
        except UnreadableFile as error:
            return Refused(error.code, error.detail)
    table = unpacked(asked.table)
    if isinstance(asked, ConvertTable):
        rows = read_rows(asked.kind, table, asked.mapping, asked.context)
        return FoundRecords(records_of(asked.kind, rows, asked.context))
    return _checked(asked, table)


def _found(asked: ReadFile) -> FoundTable:
    table = read_file(asked.content, asked.kind)
    content = packed(table)
    mapping = _mapping(asked, table)
    errors, with_errors = errors_of(asked.kind, table, mapping, asked.context)
    sample = [[cell[:SAMPLE_CHARACTERS] for cell in row.cells] for row in table.rows[:_SAMPLE_ROWS]]
    return FoundTable(table.columns, mapping, len(table.rows), sample, errors, with_errors, content)


def _checked(asked: CheckTable, table: Table) -> CheckedTable:
    return CheckedTable(*errors_of(asked.kind, table, asked.mapping, asked.context))


def read_file(content: bytes, kind: ImportKind) -> Table:
    """The table of a file, by its content. Raises UnreadableFile."""
    if content.startswith(spreadsheets.ZIP):
        return table_of(spreadsheets.rows_of(content), known_headings(kind))
    text = csv_text.decoded(content)
    if text.lstrip()[:11].upper() != "BEGIN:VCARD":
        return table_of(csv_text.rows_of(text), known_headings(kind))
    if kind != "customers":
        raise UnreadableFile("not_customers", "vCards are of customers")
    return vcards.table_of(text)


def errors_of(kind: ImportKind, table: Table, mapping: Mapping, context: Context) -> tuple[list[RowError], int]:
    """The first errors, and the number of all rows that have any."""
    errors: list[RowError] = []
    with_errors = 0
    for row in read_rows(kind, table, mapping, context):
        with_errors += bool(row.errors)
        errors += row.errors[: MOST_ERRORS - len(errors)]
    return errors, with_errors


def _mapping(asked: ReadFile, table: Table) -> Mapping:
    """The one that was used for the latest file with these headings, else a proposal."""
    known = signature(table.columns)
    for each in asked.remembered:
        if each.signature == known:
            return each.mapping_of(asked.kind, table.columns)
    return proposed(asked.kind, table.columns, [row.cells for row in table.rows[:_JUDGED_ROWS]])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
