"""Import process: reads files into tables, checks tables and makes records of them, within limits.

python -m backbench.imports.process MEMORY_BYTES CPU_SECONDS REUSABLE_BYTES
"""

import gc
import sys
from typing import TypeVar

import msgspec
from msgspec import Struct

from backbench.imports.cells import shown
from backbench.imports.columns import RememberedMapping, program_of, proposed, signature
from backbench.imports.fields import MOST_ERRORS, Context, Mapping, RowError, first_notes
from backbench.imports.files import read, unescaped
from backbench.imports.headings import ImportKind, is_known
from backbench.imports.questions import Question, answers_of, questions_of
from backbench.imports.records import Chunk, Records, records_of
from backbench.imports.rows import ReadRow, read_rows
from backbench.imports.tables import Table, UnreadableFile, packed, unpacked
from backbench.integrations.processes.pool import LimitExceeded, Limits, PoolUnavailable, ProcessPool, WorkFailed
from backbench.integrations.processes.worker import Worker, serve
from backbench.values.errors import FieldError, Unavailable, ValidationError

_RETRY_AFTER_SECONDS = 10
# One process: 50,000 rows take some seconds of a core and 300 MB.
LIMITS = Limits(processes=1, queued=8, seconds=120, cpu_seconds=40, memory_bytes=1 << 30, reusable_bytes=128 << 20)
_SAMPLE_ROWS = 10
# Of a cell that is shown: it is for recognizing a column.
_SAMPLE_CHARACTERS = 200


class ReadFile(Struct, frozen=True, tag=True):
    """`remembered`: the mappings that were used before, the latest first."""

    content: bytes
    kind: ImportKind
    remembered: list[RememberedMapping]
    context: Context


class CheckTable(Struct, frozen=True, tag=True):
    """`table` is packed."""

    table: bytes
    kind: ImportKind
    mapping: Mapping
    answers: dict[str, str]
    context: Context


class ConvertTable(CheckTable, frozen=True, tag=True):
    """The same, to be made into records."""


class CheckedTable(Struct, frozen=True, tag=True):
    """What is wrong with a table under a mapping, and what can be read in two ways. `people`: the customers that it
    would make, or the orders with email addresses, to be compared with the customers who exist."""

    mapping: Mapping
    questions: list[Question]
    errors: list[RowError]
    notes: list[RowError]
    rows_with_errors: int
    people: list[Chunk]


class FoundTable(Struct, frozen=True, tag=True):
    """What a file holds. `sample` has some of its cells as texts."""

    columns: list[str]
    program: str | None
    rows: int
    sample: list[list[str]]
    table: bytes
    checked: CheckedTable


class FoundRecords(Struct, frozen=True, tag=True):
    records: Records
    notes: list[RowError]


class Refused(Struct, frozen=True, tag=True):
    """Why a file cannot be read."""

    code: str
    detail: str
    row: int | None


Request = ReadFile | CheckTable | ConvertTable
Reply = FoundTable | CheckedTable | FoundRecords | Refused
_Answer = TypeVar("_Answer", "FoundTable", "CheckedTable", "FoundRecords")
_decode_request = msgspec.msgpack.Decoder(Request).decode
_decode_reply = msgspec.msgpack.Decoder(Reply).decode


# In the service


def new_pool(limits: Limits = LIMITS) -> ProcessPool:
    """Belongs to one event loop. The process starts with the first file, and ends when there are none."""
    return ProcessPool("backbench.imports.process", limits, "import")


async def ask(pool: ProcessPool, request: Request, answer: type[_Answer]) -> _Answer:
    """Raises ValidationError for a file that cannot be read, Unavailable."""
    try:
        reply = _decode_reply(await pool.send(msgspec.msgpack.encode(request)))
    except LimitExceeded:
        raise _unreadable("too_large", "The file unpacks to more than can be read") from None
    except WorkFailed as error:
        raise _unreadable("damaged", str(error)) from None
    except PoolUnavailable as error:
        raise Unavailable("unavailable", str(error), _RETRY_AFTER_SECONDS) from None
    if isinstance(reply, Refused):
        raise _unreadable(reply.code, reply.detail, reply.row)
    assert isinstance(reply, answer)
    return reply


def _unreadable(code: str, detail: str, row: int | None = None) -> ValidationError:
    return ValidationError(FieldError("/file" if row is None else f"/file/{row}", code, detail))


# In the process


def main(memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    # Rows of a file have no circular references, and searching for some takes a third of the time.
    gc.disable()
    serve(
        lambda: Worker(lambda request: msgspec.msgpack.encode(_reply(request))),
        memory_bytes,
        cpu_seconds,
        reusable_bytes,
    )


def _reply(request: bytes) -> Reply:
    asked = _decode_request(request)
    if isinstance(asked, ReadFile):
        try:
            return _found(asked)
        except UnreadableFile as error:
            return Refused(error.code, error.detail, error.row)
    table = unpacked(asked.table)
    questions = questions_of(asked.kind, table, asked.mapping, asked.answers, asked.context)
    rows = list(read_rows(asked.kind, table, asked.mapping, answers_of(questions), asked.context))
    if isinstance(asked, ConvertTable):
        records = records_of(asked.kind, rows, asked.mapping, asked.context)
        return FoundRecords(records, _notes(rows, records))
    return _checked(asked.kind, asked.mapping, questions, rows, asked.context)


def _found(asked: ReadFile) -> FoundTable:
    table, is_contacts = read(asked.content, lambda text: is_known(asked.kind, text))
    if is_contacts and asked.kind != "customers":
        raise UnreadableFile("not_customers", "vCards are of customers")
    if program_of(asked.kind, table) == "backbench":
        table = unescaped(table)
    content = packed(table)
    mapping = _mapping(asked, table)
    questions = questions_of(asked.kind, table, mapping, {}, asked.context)
    rows = list(read_rows(asked.kind, table, mapping, answers_of(questions), asked.context))
    sample = [[shown(cell)[:_SAMPLE_CHARACTERS] for cell in row.cells] for row in table.rows[:_SAMPLE_ROWS]]
    checked = _checked(asked.kind, mapping, questions, rows, asked.context)
    return FoundTable(table.columns, program_of(asked.kind, table), len(table.rows), sample, content, checked)


def _mapping(asked: ReadFile, table: Table) -> Mapping:
    """The one that was used for the latest file with these headings, else a proposal."""
    known = signature(table.columns)
    for each in asked.remembered:
        if each.signature == known:
            return each.mapping_of(asked.kind, table, asked.context)
    return proposed(asked.kind, table, asked.context)


def _checked(
    kind: ImportKind, mapping: Mapping, questions: list[Question], rows: list[ReadRow], context: Context
) -> CheckedTable:
    errors = [error for row in rows for error in row.errors][:MOST_ERRORS]
    with_errors = sum(bool(row.errors) for row in rows)
    is_compared = kind == "customers" or (kind == "orders" and mapping["email"] is not None)
    records = records_of(kind, rows, mapping, context) if is_compared else Records([], 0, 0)
    people = records.chunks if kind == "orders" or context.has_customers else []
    return CheckedTable(mapping, questions, errors, _notes(rows, records), with_errors, people)


def _notes(rows: list[ReadRow], records: Records) -> list[RowError]:
    """Of rows that are imported: of those that are not the errors tell."""
    return first_notes(records.notes, (note for row in rows if not row.errors for note in row.notes))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
