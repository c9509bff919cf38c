"""Imports: a file becomes a proposal, which is corrected, run and undone. It changes nothing until it runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct

from backbench.actions.authorization import member_of, require_member
from backbench.actions.imports import imported_rows, undone_rows
from backbench.actions.services import Services
from backbench.actions.stored_blobs import once, written_blob
from backbench.domain.accounts.calls import Call
from backbench.domain.imports.chunks import Records
from backbench.domain.imports.fields import Mapping, remembered
from backbench.domain.imports.imports import (
    MOST_PROPOSED,
    Import,
    ImportResult,
    ImportsList,
    MappingEdit,
    NewImport,
    StoredImport,
    UndoneImport,
)
from backbench.domain.imports.rows import Context
from backbench.domain.values.errors import Conflict
from backbench.domain.workshops.audit import Audited
from backbench.integrations.imports.protocol import CheckedTable, CheckTable, ConvertTable, ReadFile
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Catalog, Database, Read, Write
from backbench.storage.estimating import document_settings, orphaned_blobs
from backbench.storage.imports import imports


class ReadyImport(Struct, frozen=True):
    """An import with the records of its file, as its mapping was."""

    mapping: Mapping
    records: Records
    catalog: Catalog


async def list_all(db: Read, call: Call, workshop_id: str) -> ImportsList:
    """List the latest imports of a workshop, newest first."""
    await member_of(db, call, workshop_id)
    return ImportsList([each.to_summary() for each in await imports.list_newest(db, workshop_id)])


async def get(db: Read, call: Call, import_id: str) -> Import:
    """Read an import."""
    return (await _find_for(db, call, import_id)).to_response()


@asynccontextmanager
async def proposed(
    db: Database, call: Call, workshop_id: str, new: NewImport, file_name: str, content: bytes, services: Services
) -> AsyncIterator[StoredImport]:
    """Reads a file and keeps its table for a day, for the block whose transaction records the proposal.

    Raises ValidationError, NotFound, Forbidden, Conflict, Unavailable.
    """
    async with db.read() as read:
        await member_of(read, call, workshop_id)
        _require_less_than_most(await imports.count_proposed(read, workshop_id, call.now))
        known = await imports.list_remembered(read, workshop_id, new.kind)
        context = await _context(read, call, workshop_id)
    found = await services.import_reader.read(ReadFile(content, new.kind, known, context))
    now = services.clock()
    proposal = StoredImport(
        id=call.new_id(),
        workshop_id=workshop_id,
        kind=new.kind,
        file_name=file_name[:250],
        state="proposed",
        created_at=now,
        created_by_uid=call.uid,
        headings=found.columns,
        mapping=found.mapping,
        row_count=found.rows,
        sample=found.sample,
        errors=found.errors,
        rows_with_errors=found.rows_with_errors,
        result=None,
        run_at=None,
        undone_at=None,
        first_version=None,
        last_version=None,
    )
    # The blob stays reserved, and is deleted by the sweep when that ends, a day later.
    async with written_blob(db, services.blobs, proposal.id, once(found.table), now):
        yield proposal


async def create(db: Write, call: Call, workshop_id: str, prepared: StoredImport) -> Import:
    """Read a file of tiles, customers or orders, and propose what its columns are. Nothing is imported yet."""
    await member_of(db, call, workshop_id)
    await db.lock(f"imports {workshop_id}")
    _require_less_than_most(await imports.count_proposed(db, workshop_id, call.now))
    await imports.add(db, prepared)
    return prepared.to_response()


async def check(db: Database, call: Call, import_id: str, body: MappingEdit, services: Services) -> CheckedTable:
    """What is wrong with the rows of the file under another mapping. Raises ValidationError, Conflict, Unavailable."""
    async with db.read() as read:
        proposal = await _find_for(read, call, import_id)
        proposal.require_proposed(call.now)
        mapping = proposal.with_mapping(body)
        context = await _context(read, call, proposal.workshop_id)
    table = await table_of(services, import_id)
    return await services.import_reader.check(CheckTable(table, proposal.kind, mapping, context))


async def update(db: Write, call: Call, import_id: str, body: MappingEdit, prepared: CheckedTable) -> Import:
    """Change what columns are taken for. Nothing is imported yet."""
    await _find_for(db, call, import_id)
    proposal = await imports.lock(db, import_id)
    proposal.require_proposed(call.now)
    mapping = proposal.with_mapping(body)
    await imports.save_mapping(db, import_id, mapping, prepared.errors, prepared.rows_with_errors)
    return (await imports.find(db, import_id)).to_response()


async def convert(db: Database, call: Call, import_id: str, services: Services) -> ReadyImport:
    """The records of the file. Raises NotFound, Forbidden, Conflict, Unavailable."""
    async with db.read() as read:
        proposal = await _find_for(read, call, import_id)
        proposal.require_proposed(call.now)
        context = await _context(read, call, proposal.workshop_id)
    table = await table_of(services, import_id)
    asked = ConvertTable(table, proposal.kind, proposal.mapping, context)
    return ReadyImport(proposal.mapping, await services.import_reader.convert(asked), db.catalog)


async def run(db: Write, call: Call, import_id: str, prepared: ReadyImport) -> Audited[ImportResult]:
    """Import the rows of the file that have no errors, all in one transaction.

    Raises Conflict `already_run`, `expired`, and `plan_limit` where the workshop would have too many grids.
    """
    await _find_for(db, call, import_id)
    proposal = await imports.lock(db, import_id)
    proposal.require_proposed(call.now)
    if proposal.mapping != prepared.mapping:
        raise Conflict("changed", "The mapping was changed meanwhile")
    added = await imported_rows.add(db, call, proposal, prepared.records, prepared.catalog)
    updated = added.updated + prepared.records.merged
    result = ImportResult(added.created, updated, prepared.records.skipped)
    await imports.save_run(db, import_id, result, added.versions, call.now)
    known = remembered(proposal.headings, proposal.mapping)
    await imports.remember(db, proposal.workshop_id, proposal.kind, known, call.now)
    await orphaned_blobs.abandon(db, import_id)
    return Audited(result, proposal.workshop_id, import_id)


async def authorize(db: Read, call: Call, import_id: str) -> None:
    """Raises NotFound or Forbidden where the caller may not act on the import."""
    await _find_for(db, call, import_id)


async def prepare_undo(db: Database) -> Catalog:
    return db.catalog


async def undo(db: Write, call: Call, import_id: str, prepared: Catalog) -> Audited[UndoneImport]:
    """Delete what an import created and nobody has changed or used since.

    Raises Conflict `not_run`, `already_undone`, and `expired` after 30 days.
    """
    await _find_for(db, call, import_id)
    done = await imports.lock(db, import_id)
    done.require_undoable(call.now)
    undone = await undone_rows.delete(db, call, done, prepared)
    await imports.save_undone(db, import_id, call.now)
    return Audited(undone, done.workshop_id, import_id)


async def _find_for(db: Read, call: Call, import_id: str) -> StoredImport:
    """The import. Raises NotFound, and Forbidden when it is another workshop's."""
    found = await imports.find(db, import_id)
    await require_member(db, call, found.workshop_id)
    return found


async def _context(db: Read, call: Call, workshop_id: str) -> Context:
    settings = await document_settings.find(db, workshop_id)
    locale = (await accounts.find(db, call.uid)).locale
    return Context(settings.phone_country, locale, settings.zone, call.now)


async def table_of(services: Services, import_id: str) -> bytes:
    """The packed table of a file. Raises Conflict `expired`, Unavailable."""
    size = await services.blobs.size(import_id)
    if size is None:
        raise Conflict("expired", "The file was kept for a day; upload it again")
    return b"".join([piece async for piece in services.blobs.read(import_id, 0, size)])


def _require_less_than_most(count: int) -> None:
    if count >= MOST_PROPOSED:
        detail = f"A workshop can have at most {MOST_PROPOSED} files that are not imported yet; they go after a day"
        raise Conflict("plan_limit", detail, limit=MOST_PROPOSED, current=count)
