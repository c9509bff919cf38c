"""Texts of the document on the client page break as in the PDF."""

from collections.abc import Iterator

import pytest

from backbench.integrations.pdf.typesetting import typeset
from backbench.values.enums import DocumentLocale
from tests.documents.generated_documents import Ask, process

TEXTS = [
    "Blat 40 mm, 2,5 m² i 12 000 zł za 60 × 120 cm w domu",
    "8 % of 1 200 pcs, 3x 4, 5 minutes, 7 metres, 230 V, 16 Ah",
    "2 m³, 5 km, 10 t, 100 km/h, 1 234 567, 12 3456, A 4 l",
]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with process("page_texts_process.js") as asked:
        yield asked


@pytest.mark.parametrize("locale", ["en", "pl"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_number_and_its_unit_are_not_split(ask: Ask, text: str, locale: DocumentLocale) -> None:
    shown = ask({"text": text, "locale": locale})
    assert shown == typeset(text, locale)
    assert "\u00a0" in shown
