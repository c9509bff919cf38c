"""Examples of imports."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.api.reference.examples.ids import CREATED_AT, CUSTOMER_ID, IMPORT_ID
from backbench.domain.imports.imports import (
    Import,
    ImportResult,
    ImportsList,
    ImportSummary,
    KeptRecord,
    MappingEdit,
    UndoneImport,
)
from backbench.domain.imports.rows import RowError

_ERROR = RowError(3, 2, "unitPrice", "not_a_number", "Expected a number")
_PROPOSED = Import(
    id=IMPORT_ID,
    kind="tiles",
    file_name="cennik.csv",
    state="proposed",
    created_at=CREATED_AT,
    columns=["Nazwa", "J.m.", "Cena netto"],
    mapping={"label": 0, "unitPrice": 2, "unit": 1, "emoji": None},
    rows=2,
    sample=[["Tapicerowanie krzesła", "szt.", "120,50"], ["Renowacja", "h", "do uzgodnienia"]],
    errors=[_ERROR],
    rows_with_errors=1,
)
_RESULT = ImportResult(created=1, updated=0, skipped=1)
_SUMMARY = ImportSummary(
    id=IMPORT_ID,
    kind="tiles",
    file_name="cennik.csv",
    state="done",
    created_at=CREATED_AT,
    rows=2,
    result=_RESULT,
    run_at=CREATED_AT,
    undo_until="2026-12-21T10:15:00.000Z",
)

BODIES: Mapping[str, Any] = {"updateImport": MappingEdit({"unitPrice": 2})}

RESPONSES: Mapping[str, Any] = {
    "listImports": ImportsList([_SUMMARY]),
    "createImport": _PROPOSED,
    "getImport": structs.replace(_PROPOSED, state="done", sample=[], result=_RESULT, run_at=CREATED_AT),
    "updateImport": _PROPOSED,
    "runImport": _RESULT,
    "undoImport": UndoneImport(12, [KeptRecord("customer", CUSTOMER_ID, "Ewa Nowak", "changed")]),
}
