"""Revisions of earlier releases: their documents show what they showed, also with what was added since."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backbench.domain.documents.documents import PdfExportOptions, estimate_document
from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision
from backbench.domain.sharing.client_documents import canonical_document, client_document
from backbench.domain.values import numbers

# What the release before kinds of tax and gross prices stored and showed.
STORED = Path(__file__).parent / "old_revisions.json"
_read = msgspec.json.Decoder(ConfirmedRevision, dec_hook=numbers.read, float_hook=Decimal).decode


def shown(case: dict[str, Any]) -> Any:
    options = msgspec.convert(case["toggles"], PdfExportOptions)
    document = estimate_document(_read(json.dumps(case["stored"])), options, locale=case["locale"], preliminary=False)
    return json.loads(canonical_document(client_document(document)))


@pytest.mark.parametrize("at", range(24))
def test_an_old_revision_shows_what_it_showed(at: int) -> None:
    case = json.loads(STORED.read_text("utf-8"))[at]

    assert shown(case) == case["shown"]
