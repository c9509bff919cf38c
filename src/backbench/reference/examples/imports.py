"""Examples of imports."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.imports.fields import RowError
from backbench.imports.imported import Duplicate, KeptRecord
from backbench.imports.imports import (
    Import,
    ImportCounts,
    ImportEdit,
    ImportResult,
    ImportsList,
    ImportSummary,
    UndoneImport,
)
from backbench.imports.questions import Option, Question, Sample
from backbench.reference.examples.ids import CREATED_AT, CUSTOMER_ID, IMPORT_ID

_ERROR = RowError(3, 2, "unitPrice", "not_a_number", "Expected a number")
_QUESTION = Question(
    "decimals:unitPrice",
    "Do three digits after the comma or dot stand for thousands or for decimals?",
    [
        Option(",", "A comma begins the decimals", [Sample("1,250", "1.25")]),
        Option(".", "A dot begins the decimals", [Sample("1,250", "1250")]),
    ],
    ",",
    2,
)
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
    notes=[],
    questions=[_QUESTION],
    duplicates=[],
    program="fakturownia",
)
_RESULT = ImportResult(
    created=1,
    updated=0,
    skipped=1,
    duplicates=[Duplicate(7, CUSTOMER_ID)],
    notes=[RowError(9, 4, "email", "not_an_email", "Expected an email address")],
)
_SUMMARY = ImportSummary(
    id=IMPORT_ID,
    kind="tiles",
    file_name="cennik.csv",
    state="done",
    created_at=CREATED_AT,
    rows=2,
    result=ImportCounts(created=1, updated=0, skipped=1),
    run_at=CREATED_AT,
    undo_until="2026-12-21T10:15:00.000Z",
)
BODIES: Mapping[str, Any] = {"updateImport": ImportEdit({"unitPrice": 2}, {"decimals:unitPrice": ","})}
RESPONSES: Mapping[str, Any] = {
    "listImports": ImportsList([_SUMMARY]),
    "createImport": _PROPOSED,
    "getImport": structs.replace(_PROPOSED, state="done", sample=[], result=_RESULT, run_at=CREATED_AT),
    "updateImport": _PROPOSED,
    "runImport": _RESULT,
    "undoImport": UndoneImport(12, [KeptRecord("customer", CUSTOMER_ID, "Ewa Nowak", "changed")]),
}
