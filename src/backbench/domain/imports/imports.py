"""Imports: files of tiles, customers and orders, from the proposal of a mapping to the result and its undoing."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.imports.fields import ImportKind, Mapping
from backbench.domain.imports.rows import RowError
from backbench.domain.imports.tables import MAX_COLUMNS
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.times import Instant, later

Column = Annotated[int, Meta(ge=0, le=MAX_COLUMNS - 1)]
# `proposed`: nothing has been written.
ImportState = Literal["proposed", "done", "undone"]
KeptReason = Literal["changed", "in_use", "existed"]
MAX_UPLOAD_BYTES = 10 * 1024 * 1024
# A file that is not imported goes after a day.
KEPT_SECONDS = 24 * 3600
UNDO_SECONDS = 30 * 24 * 3600
# Of one workshop at a time.
MOST_PROPOSED = 20


class NewImport(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields beside the file."""

    kind: ImportKind


class MappingEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """The index of the column of each field, from 0, or null for none. Fields that are not named stay as they are."""

    mapping: dict[str, Column | None]


class ImportResult(Struct, frozen=True):
    """Numbers of rows: `updated` are those of customers that existed; `skipped` those with errors."""

    created: int
    updated: int
    skipped: int


class Import(Struct, frozen=True, rename="camel"):
    """A file, what its columns are taken for, and what came of it.

    `rows` is their number; `sample` has 200 characters of each cell of the first ten. `errors` are the first hundred.
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
    result: ImportResult | UnsetType = UNSET
    run_at: Instant | UnsetType = UNSET
    undo_until: Instant | UnsetType = UNSET
    undone_at: Instant | UnsetType = UNSET


class ImportsList(Struct, frozen=True):
    imports: list[ImportSummary]


class KeptRecord(Struct, frozen=True):
    """What an import touched and undoing it left: `name` is that of the customer or grid, or the title of the order."""

    kind: Literal["grid", "customer", "order"]
    id: str
    name: str
    reason: KeptReason


class UndoneImport(Struct, frozen=True):
    removed: int
    kept: list[KeptRecord]


class ListedImport(Struct, frozen=True):
    """What a list needs of an import, without the cells and errors of its file."""

    id: str
    kind: ImportKind
    file_name: str
    state: ImportState
    created_at: Instant
    rows: int
    result: ImportResult | UnsetType
    run_at: Instant | UnsetType
    undone_at: Instant | UnsetType

    def to_summary(self) -> ImportSummary:
        return ImportSummary(
            id=self.id,
            kind=self.kind,
            file_name=self.file_name,
            state=self.state,
            created_at=self.created_at,
            rows=self.rows,
            result=self.result,
            run_at=self.run_at,
            undo_until=_undo_until(self.state, self.run_at or None) or UNSET,
            undone_at=self.undone_at,
        )


class StoredImport(Struct, frozen=True):
    """`first_version` and `last_version`: the entries of the log that it added are all between them."""

    id: str
    workshop_id: str
    kind: ImportKind
    file_name: str
    state: ImportState
    created_at: Instant
    created_by_uid: str
    headings: list[str]
    mapping: Mapping
    row_count: int
    sample: list[list[str]]
    errors: list[RowError]
    rows_with_errors: int
    result: ImportResult | None
    run_at: Instant | None
    undone_at: Instant | None
    first_version: int | None
    last_version: int | None

    def to_response(self) -> Import:
        return Import(
            id=self.id,
            kind=self.kind,
            file_name=self.file_name,
            state=self.state,
            created_at=self.created_at,
            columns=self.headings,
            mapping=self.mapping,
            rows=self.row_count,
            sample=self.sample,
            errors=self.errors,
            rows_with_errors=self.rows_with_errors,
            result=self.result or UNSET,
            run_at=self.run_at or UNSET,
            undo_until=self.undo_until or UNSET,
            undone_at=self.undone_at or UNSET,
        )

    @property
    def undo_until(self) -> Instant | None:
        return _undo_until(self.state, self.run_at)

    def with_mapping(self, edit: MappingEdit) -> Mapping:
        """The mapping with what was sent. Raises ValidationError."""
        found = []
        for field, column in edit.mapping.items():
            if field not in self.mapping:
                found.append(FieldError(f"/mapping/{field}", "unknown_field", f"{self.kind} have no such field"))
            elif column is not None and not 0 <= column < len(self.headings):
                found.append(FieldError(f"/mapping/{field}", "unknown", "The file has no such column"))
        if found:
            raise ValidationError(*found)
        return {**self.mapping, **edit.mapping}

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
        if self.undo_until is None or self.undo_until <= now:
            raise Conflict("expired", "An import can be undone for 30 days")


def _undo_until(state: ImportState, run_at: Instant | None) -> Instant | None:
    return later(run_at, UNDO_SECONDS) if state == "done" and run_at is not None else None


def unreadable(code: str, detail: str) -> ValidationError:
    return ValidationError(FieldError("/file", code, detail))


def grid_name(file_name: str, number: int, of: int) -> str:
    """The name of a grid that an import makes: that of the file, numbered where there are several."""
    stem = "".join(each for each in file_name.rpartition("/")[2].rpartition(".")[0] or file_name if each.isprintable())
    name = stem.strip()[:200] or "Import"
    return name if of == 1 else f"{name} {number}"
