"""Imports: a file becomes a proposal, which is corrected, run and undone. It changes nothing until it runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from backbench.accounts import accounts
from backbench.customers import customers
from backbench.engine.database import Database, Read, Write
from backbench.engine.objects import Loaded
from backbench.estimating import document_settings, stored_blobs
from backbench.estimating.stored_blobs import once, written_blob
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.imports import imported
from backbench.imports.columns import RememberedMapping, remembered
from backbench.imports.fields import Context, Mapping, RowError, first_notes
from backbench.imports.headings import ImportKind
from backbench.imports.imported import Duplicate, KeptRecord, Versions
from backbench.imports.process import CheckedTable, CheckTable, ConvertTable, FoundRecords, FoundTable, ReadFile, ask
from backbench.imports.questions import Question
from backbench.imports.tables import MAX_COLUMNS
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError, TooLarge, ValidationError
from backbench.values.shapes import made_of
from backbench.values.times import Instant, later

MAX_UPLOAD_BYTES = 10 * 1024 * 1024
# A file that is not imported goes after a day.
KEPT_SECONDS = 24 * 3600
UNDO_SECONDS = 30 * 24 * 3600
# Of one workshop at a time.
MOST_PROPOSED = 20
_MOST_LISTED = 100
_MOST_REMEMBERED = 50

# Shapes

# `proposed`: nothing has been written.
ImportState = Literal["proposed", "done", "undone"]


class NewImport(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields beside the file."""

    kind: ImportKind


class ImportEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """`mapping`: the index of the column of each field, from 0, or null for none. `answers`: the value of an option by
    the id of the question. Fields and questions that are not named stay as they are."""

    mapping: dict[str, Annotated[int, Meta(ge=0, le=MAX_COLUMNS - 1)] | None] | UnsetType = UNSET
    answers: dict[str, Annotated[str, Meta(max_length=20)]] | UnsetType = UNSET


class ImportCounts(Struct, frozen=True):
    """Numbers of rows: `updated` are those of customers that existed; `skipped` those that are left out."""

    created: int
    updated: int
    skipped: int


class ImportResult(ImportCounts, frozen=True):
    """And the first hundred rows of new customers who may be the same as others, and of cells that were left out."""

    duplicates: list[Duplicate]
    notes: list[RowError]


class Import(Struct, frozen=True, rename="camel"):
    """A file, what its columns are taken for, and what came of it.

    `rows` is their number; `sample` has 200 characters of each cell of the first ten. `errors` cost their rows, `notes`
    only their cells; of each the first hundred, as of `duplicates`: rows of new customers who may be others that exist.
    """

    id: str
    kind: ImportKind
    file_name: str
    state: ImportState
    created_at: Instant
    columns: list[str]
    mapping: Mapping
    rows: int
    sample: list[list[str]]
    errors: list[RowError]
    rows_with_errors: int
    notes: list[RowError]
    questions: list[Question]
    duplicates: list[Duplicate]
    program: str | UnsetType = UNSET
    result: ImportResult | UnsetType = UNSET
    run_at: Instant | UnsetType = UNSET
    undo_until: Instant | UnsetType = UNSET
    undone_at: Instant | UnsetType = UNSET


class ImportSummary(Struct, frozen=True, rename="camel"):
    """An import in a list."""

    id: str
    kind: ImportKind
    file_name: str
    state: ImportState
    created_at: Instant
    rows: int
    result: ImportCounts | UnsetType = UNSET
    run_at: Instant | UnsetType = UNSET
    undo_until: Instant | UnsetType = UNSET
    undone_at: Instant | UnsetType = UNSET


class ImportsList(Struct, frozen=True):
    imports: list[ImportSummary]


class UndoneImport(Struct, frozen=True):
    removed: int
    kept: list[KeptRecord]


class ImportRow(Struct, frozen=True):
    """An import as it is stored. `first_version` and `last_version`: the entries of the log that it added are all
    between them."""

    id: str
    workshop_id: str
    kind: ImportKind
    file_name: str
    state: ImportState
    created_at: Instant
    created_by_uid: str
    headings: list[str]
    program: str | None
    mapping: Mapping
    row_count: int
    sample: list[list[str]]
    errors: list[RowError]
    rows_with_errors: int
    notes: list[RowError]
    questions: list[Question]
    duplicates: list[Duplicate]
    result: ImportResult | None = None
    run_at: Instant | None = None
    undone_at: Instant | None = None
    first_version: int | None = None
    last_version: int | None = None

    def to_response(self) -> Import:
        undo_until = _undo_until(self.state, self.run_at)
        return made_of(Import, self, columns=self.headings, rows=self.row_count, undo_until=undo_until)

    def with_mapping(self, edit: ImportEdit) -> tuple[Mapping, dict[str, str]]:
        """The mapping and the answers with what was sent. Raises ValidationError."""
        found = []
        columns, sent = dict(edit.mapping or {}), edit.answers or {}
        for field, column in columns.items():
            if field not in self.mapping:
                found.append(FieldError(f"/mapping/{field}", "unknown_field", f"{self.kind} have no such field"))
            elif column is not None and not 0 <= column < len(self.headings):
                found.append(FieldError(f"/mapping/{field}", "unknown", "The file has no such column"))
        questions = {each.id: each for each in self.questions}
        for id_, value in sent.items():
            if id_ not in questions or value not in {option.value for option in questions[id_].options}:
                found.append(FieldError(f"/answers/{id_}", "unknown", "There is no such question, or no such answer"))
        if found:
            raise ValidationError(*found)
        answers = {each.id: each.answer for each in self.questions if each.answer} | sent
        # Which of two columns is the price is a matter of the mapping.
        columns |= {id_.partition(":")[2]: int(value) for id_, value in sent.items() if id_.startswith("column:")}
        return {**self.mapping, **columns}, answers

    def require_proposed(self, now: Instant) -> None:
        """Raises Conflict where it was run, or its file is gone."""
        if self.state != "proposed":
            raise Conflict("already_run", "This import has been run")
        if later(self.created_at, KEPT_SECONDS) <= now:
            raise Conflict("expired", "The file was kept for a day; upload it again")

    def require_undoable(self, now: Instant) -> None:
        """Raises Conflict."""
        if self.state == "proposed":
            raise Conflict("not_run", "This import has not been run")
        if self.state == "undone":
            raise Conflict("already_undone", "This import has been undone")
        until = _undo_until(self.state, self.run_at)
        if until is UNSET or until <= now:
            raise Conflict("expired", "An import can be undone for 30 days")


def _undo_until(state: ImportState, run_at: Instant | UnsetType | None) -> Instant | UnsetType:
    return later(run_at, UNDO_SECONDS) if state == "done" and run_at else UNSET


# Statements

# The import of a path.
IMPORT = Loaded(ImportRow, "found", "imports i", key="import_id")


async def _count_proposed(db: Read, workshop_id: str, now: Instant) -> int:
    """How many files of the workshop are kept to be imported."""
    sql = """
        SELECT count(*) FROM imports
        WHERE workshop_id = :workshop_id AND state = 'proposed' AND created_at > :since
    """
    number: int = await db.value(sql, workshop_id=workshop_id, since=later(now, -KEPT_SECONDS))
    return number


async def delete_expired(db: Write, now: Instant) -> None:
    """Deletes imports whose file is gone, and those that cannot be undone any longer."""
    await db.run(
        "DELETE FROM imports WHERE created_at <= :kept AND (state = 'proposed' OR coalesce(run_at, '') <= :undoable)",
        kept=later(now, -KEPT_SECONDS),
        undoable=later(now, -UNDO_SECONDS),
    )


async def _remember(db: Write, workshop_id: str, kind: ImportKind, mapping: RememberedMapping, now: Instant) -> None:
    key = "workshop_id, kind, signature"
    await db.put("import_mappings", mapping, key=key, workshop_id=workshop_id, kind=kind, used_at=now)
    await db.run(
        """
        DELETE FROM import_mappings WHERE workshop_id = :workshop_id AND kind = :kind AND used_at < (
            SELECT min(used_at) FROM (
                SELECT used_at FROM import_mappings WHERE workshop_id = :workshop_id AND kind = :kind
                ORDER BY used_at DESC LIMIT :most
            ) AS latest
        )
        """,
        workshop_id=workshop_id,
        kind=kind,
        most=_MOST_REMEMBERED,
    )


async def _list_remembered(db: Read, workshop_id: str, kind: ImportKind) -> list[RememberedMapping]:
    sql = """
        SELECT signature, headings FROM import_mappings WHERE workshop_id = :workshop_id AND kind = :kind
        ORDER BY used_at DESC
    """
    return await db.all(RememberedMapping, sql, workshop_id=workshop_id, kind=kind)


# Verbs


async def list_all(db: Read, workshop_id: str) -> ImportsList:
    """List the latest imports of a workshop, newest first."""
    # Cells and errors may take megabytes: a list reads what a summary has.
    sql = f"""
        SELECT id, kind, file_name, state, created_at, row_count AS rows, result, run_at, NULL AS undo_until, undone_at
        FROM imports WHERE workshop_id = :workshop_id ORDER BY created_at DESC, id DESC LIMIT {_MOST_LISTED}
    """
    found = await db.all(ImportSummary, sql, workshop_id=workshop_id)
    return ImportsList([_undoable(each) for each in found])


def _undoable(found: ImportSummary) -> ImportSummary:
    return replace(found, undo_until=_undo_until(found.state, found.run_at))


async def get(db: Read, found: ImportRow) -> Import:
    """Read an import."""
    return found.to_response()


@asynccontextmanager
async def receive(
    db: Database, call: Call, workshop_id: str, request: Request, services: Services
) -> AsyncIterator[ImportRow]:
    """Reads the upload, and keeps its table for a day, for the block whose transaction records the proposal.

    Raises TooLarge, UnsupportedMedia, ValidationError, NotFound, Forbidden, Conflict, Unavailable.
    """
    # Before the body: a stranger makes the service read none.
    async with db.read() as read:
        form = Form(request)
    content = bytearray()
    if await form.to_file():
        async for piece in form.pieces():
            content += piece
            if len(content) > MAX_UPLOAD_BYTES:
                raise TooLarge(MAX_UPLOAD_BYTES, "A file to import may have at most 10 MiB")
    kind = (await form.fields_as(NewImport)).kind
    async with db.read() as read:
        _require_less_than_most(await _count_proposed(read, workshop_id, call.now))
        known = await _list_remembered(read, workshop_id, kind)
        context = await _context(read, call, workshop_id)
    found = await ask(services.import_processes, ReadFile(bytes(content), kind, known, context), FoundTable)
    checked = found.checked
    async with db.read() as read:
        duplicates, notes = await imported.compare(
            read, db.catalog, workshop_id, kind, checked.people, checked.mapping, call.now
        )
    now = services.clock()
    proposal = ImportRow(
        id=call.new_id(),
        workshop_id=workshop_id,
        kind=kind,
        file_name=form.file_name[:250],
        state="proposed",
        created_at=now,
        created_by_uid=call.uid,
        headings=found.columns,
        program=found.program,
        mapping=checked.mapping,
        row_count=found.rows,
        sample=found.sample,
        errors=checked.errors,
        rows_with_errors=checked.rows_with_errors,
        notes=first_notes(checked.notes, notes),
        questions=checked.questions,
        duplicates=duplicates,
    )
    # The blob stays reserved, and is deleted by the sweep when that ends, a day later.
    async with written_blob(db, services.blobs, proposal.id, once(found.table), now):
        yield proposal


async def create(db: Write, call: Call, workshop_id: str, prepared: ImportRow) -> Import:
    """Read a file of tiles, customers or orders, and propose what its columns are. Nothing is imported yet."""
    await db.lock(f"imports {workshop_id}")
    _require_less_than_most(await _count_proposed(db, workshop_id, call.now))
    await db.add("imports", prepared)
    return prepared.to_response()


class Checked(Struct, frozen=True):
    """A table under another mapping. `was`: the questions and the mapping that it was made of."""

    was: tuple[Mapping, list[Question]]
    table: CheckedTable
    duplicates: list[Duplicate]
    notes: list[RowError]


async def check(db: Database, call: Call, found: ImportRow, body: ImportEdit, services: Services) -> Checked:
    """What is wrong with the rows of the file under another mapping. Raises ValidationError, Conflict, Unavailable."""
    table, context = await _waiting(db, call, found, services)
    mapping, answers = found.with_mapping(body)
    asked = CheckTable(table, found.kind, mapping, answers, context)
    checked = await ask(services.import_processes, asked, CheckedTable)
    async with db.read() as read:
        duplicates, notes = await imported.compare(
            read, db.catalog, found.workshop_id, found.kind, checked.people, mapping, call.now
        )
    return Checked((found.mapping, found.questions), checked, duplicates, first_notes(checked.notes, notes))


async def update(db: Write, call: Call, found: ImportRow, prepared: Checked) -> Import:
    """Change what columns are taken for, and answer questions. Nothing is imported yet."""
    found.require_proposed(call.now)
    if (found.mapping, found.questions) != prepared.was:
        raise Conflict("changed", "The mapping was changed meanwhile")
    checked = {name: getattr(prepared.table, name) for name in _CHECKED}
    saved = await db.save("imports", found, duplicates=prepared.duplicates, notes=prepared.notes, **checked)
    return saved.to_response()


_CHECKED = ("mapping", "errors", "rows_with_errors", "questions")


class Ready(Struct, frozen=True):
    """The records of a file, as its mapping and answers were."""

    was: tuple[Mapping, list[Question]]
    found: FoundRecords


async def convert(db: Database, call: Call, found: ImportRow, services: Services) -> Ready:
    """The records of the file. Raises NotFound, Forbidden, Conflict, Unavailable."""
    table, context = await _waiting(db, call, found, services)
    _, answers = found.with_mapping(ImportEdit())
    asked = ConvertTable(table, found.kind, found.mapping, answers, context)
    return Ready((found.mapping, found.questions), await ask(services.import_processes, asked, FoundRecords))


async def run(db: Write, call: Call, found: ImportRow, prepared: Ready) -> ImportResult:
    """Import the rows of the file that have no errors, all in one transaction.

    Raises Conflict `already_run`, `expired`, and `plan_limit` where the workshop would have too many grids.
    """
    found.require_proposed(call.now)
    if (found.mapping, found.questions) != prepared.was:
        raise Conflict("changed", "The mapping was changed meanwhile")
    records = prepared.found.records
    added = await imported.add(db, call, found.workshop_id, found.kind, found.file_name, found.mapping, records)
    created = sum(len(chunk.ids) for chunk in records.chunks) - added.updated
    notes = first_notes(prepared.found.notes, added.notes)
    result = ImportResult(created, added.updated + records.merged, records.skipped, added.duplicates, notes)
    # Cells of the file are not kept any longer, nor what was wrong with its rows.
    await db.save(
        "imports",
        found,
        state="done",
        result=result,
        run_at=call.now,
        first_version=added.versions.first,
        last_version=added.versions.last,
        sample=[],
        errors=[],
        notes=[],
        questions=[],
        duplicates=[],
    )
    known = remembered(found.headings, found.mapping)
    await _remember(db, found.workshop_id, found.kind, known, call.now)
    await stored_blobs.abandon(db, found.id)
    return result


async def undo(db: Write, call: Call, found: ImportRow) -> UndoneImport:
    """Delete what an import created and nobody has changed or used since.

    Raises Conflict `not_run`, `already_undone`, and `expired` after 30 days.
    """
    found.require_undoable(call.now)
    versions = Versions(found.first_version, found.last_version)
    removed, kept = await imported.delete(db, call, found.workshop_id, found.kind, versions)
    await db.save("imports", found, state="undone", undone_at=call.now)
    return UndoneImport(removed, kept)


async def _waiting(db: Database, call: Call, found: ImportRow, services: Services) -> tuple[bytes, Context]:
    """The packed table of an import that has not been run. Raises Conflict, Unavailable."""
    found.require_proposed(call.now)
    async with db.read() as read:
        context = await _context(read, call, found.workshop_id)
    size = await services.blobs.size(found.id)
    if size is None:
        raise Conflict("expired", "The file was kept for a day; upload it again")
    return b"".join([piece async for piece in services.blobs.read(found.id, 0, size)]), context


async def _context(db: Read, call: Call, workshop_id: str) -> Context:
    settings = await document_settings.find(db, workshop_id)
    tax = settings.tax_percent if settings.tax_kind in (UNSET, "rate") else UNSET
    return Context(
        country=settings.phone_country,
        locale=(await accounts.find(db, call.uid)).locale,
        zone=settings.zone,
        now=call.now,
        currency=settings.currency,
        prices_entered=settings.prices_entered or "net",
        tax_percent=Decimal(tax) if tax is not UNSET and tax else None,
        has_customers=await customers.has_any(db, workshop_id),
    )


def _require_less_than_most(count: int) -> None:
    if count >= MOST_PROPOSED:
        detail = f"A workshop can have at most {MOST_PROPOSED} files that are not imported yet; they go after a day"
        raise Conflict("plan_limit", detail, limit=MOST_PROPOSED, current=count)
