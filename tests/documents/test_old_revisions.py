"""Revisions of earlier releases: their documents show what they showed, also with what was added since."""

import hashlib
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backbench.documents.documents import EstimateDocument, PdfExportOptions
from backbench.estimating.documents import estimate_document
from backbench.estimating.line_items import Figures
from backbench.estimating.revisions import ConfirmedRevision, revision_totals
from backbench.estimating.summaries import stored_total
from backbench.integrations.pdf.render_process import draft, new_compiler
from backbench.sharing.client_documents import canonical_document, client_document
from backbench.values import numbers
from tests.integrations.pdf.pdf_text import text_of

FOLDER = Path(__file__).parent
# What the release before kinds of tax and gross prices stored and showed.
STORED = FOLDER / "old_revisions.json"
# What the release before totals of gross prices stored and showed, with the hashes and the texts of PDFs that it made.
RULES_2 = json.loads((FOLDER / "revisions_by_rules_2.json").read_text("utf-8"))
_read = msgspec.json.Decoder(ConfirmedRevision, dec_hook=numbers.read, float_hook=Decimal).decode


def document_of(case: dict[str, Any]) -> EstimateDocument:
    options = msgspec.convert(case["toggles"], PdfExportOptions)
    return estimate_document(_read(json.dumps(case["stored"])), options, locale=case["locale"], preliminary=False)


@pytest.mark.parametrize("at", range(24))
def test_an_old_revision_shows_what_it_showed(at: int) -> None:
    case = json.loads(STORED.read_text("utf-8"))[at]

    assert json.loads(canonical_document(client_document(document_of(case)))) == case["shown"]


@pytest.fixture(scope="module")
def compiler() -> Any:
    return new_compiler()


@pytest.mark.parametrize("case", RULES_2, ids=lambda case: case["name"])
def test_a_revision_by_earlier_rules_keeps_its_totals_hash_and_pdf(case: dict[str, Any], compiler: Any) -> None:
    revision, document = _read(json.dumps(case["stored"])), document_of(case)

    assert hashlib.sha256(canonical_document(client_document(document))).hexdigest() == case["documentHash"]
    assert json.loads(numbers.to_json(revision_totals(revision))) == case["totals"]
    assert stored_totals(revision) == {Decimal(case["total"])}
    assert text_of(draft(compiler, document)) == case["text"]


def stored_totals(confirmed: ConfirmedRevision) -> set[Decimal]:
    """Of lists and balances: with the line items, and from their sum where that is enough."""
    revision, terms = confirmed.revision, confirmed.terms
    lines = revision.line_items
    percents = revision.markup_percent, revision.discount_percent
    found: set[Decimal] = {
        stored_total(None, lines, *percents, terms),
        stored_total(str(Figures.of(lines)), lines, *percents, terms),
    }
    if terms.is_total_of_sum:
        found.add(stored_total(str(Figures.of(lines)), None, *percents, terms))
    return found
