"""Certificates of decisions as PDF: every fact is on the page, and the signature is a path."""

from io import BytesIO
from typing import Any

import pypdf
import pytest
from msgspec.structs import replace

from backbench.documents.certificates import CertificateDocument
from backbench.integrations.pdf import render_protocol as protocol
from backbench.integrations.pdf.drawing import signature_svg
from backbench.integrations.pdf.render_process import new_compiler, render_certificate
from backbench.sharing.decisions import acceptance, with_early_start
from tests.integrations.pdf.pdf_text import text_of
from tests.integrations.pdf.sample_documents import ACCEPTED, STROKES


@pytest.fixture(scope="module")
def compiler() -> Any:
    return new_compiler()


def printed(compiler: Any, document: CertificateDocument) -> str:
    return " ".join(text_of(render_certificate(compiler, document)).split())


def test_a_certificate_states_the_decision_and_its_evidence(compiler: Any) -> None:
    text = printed(compiler, ACCEPTED)
    for fact in (
        "Estimate accepted",
        "Estimate 12/2026: Oak kitchen",
        "Anna Wiśniewska",
        "22 November 2026, 09:41:07 (Europe/Warsaw; 08:41:07 UTC)",
        "€1,842.50",
        "“I accept this estimate and order the work.”",
        "d0" * 32,
        "e1" * 32,
        "203.0.113.7",
        "Mozilla/5.0 (iPhone)",
        "simple electronic signature",
    ):
        assert fact in text


def test_a_recorded_decision_has_no_signature_and_says_who_recorded_it(compiler: Any) -> None:
    recorded = replace(
        ACCEPTED, method="phone", outcome="declined", signature="", strokes=[], consent="", pdf_hash="", address="",
        user_agent="", openings=0, recorded_by="Jan Kowalczyk", reason="Too expensive", locale="pl",
    )  # fmt: skip
    text = printed(compiler, recorded)
    assert "Wycena odrzucona" in text
    assert "Too expensive" in text
    assert "Jan Kowalczyk, 22 listopada 2026" in text
    assert "zwykłym podpisem" not in text
    assert "203.0.113.7" not in text


def test_a_voided_decision_says_so_first(compiler: Any) -> None:
    voided = replace(
        ACCEPTED, voided_at="2026-11-23T10:00:00.000Z", voided_by="Jan Kowalczyk", void_reason="Wrong estimate."
    )
    text = printed(compiler, voided)
    assert text.index("no longer stands") < text.index("Evidence")
    assert "Wrong estimate." in text


def test_the_same_certificate_has_the_same_bytes_on_one_page(compiler: Any) -> None:
    pdf = render_certificate(compiler, ACCEPTED)
    assert pdf == render_certificate(compiler, ACCEPTED)
    reader = pypdf.PdfReader(BytesIO(pdf))
    assert len(reader.pages) == 1
    assert reader.metadata is not None
    assert reader.metadata.title == "Certificate of a decision: Estimate 12/2026: Oak kitchen"
    # Drawn as a path: the signature is no image.
    assert len(reader.pages[0].images) == 0


# What a telephone, a long title and a withdrawn decision need.
REAL = replace(
    ACCEPTED,
    locale="pl",
    estimate_name="Zabudowa kuchni z blatem dębowym, szafkami do sufitu i stołem dla ośmiu osób w jadalni",
    recipient_name="Anna i Piotr Wiśniewscy",
    title="quotation",
    is_taxed=True,
    consent=with_early_start(acceptance("pl", "quotation"), "pl").text,
    user_agent="Mozilla/5.0 (Linux; Android 15; SM-S938B Build/AP3A.240905.015.A2; wv) AppleWebKit/537.36 (KHTML, like "
    "Gecko) Version/4.0 Chrome/142.0.7444.102 Mobile Safari/537.36",
    voided_at="2026-11-23T23:30:00.000Z",
    voided_by="Jan Kowalczyk",
    void_reason="Klient zadzwonił i poprosił o inny blat; nowa wersja będzie gotowa w piątek, razem z nowym terminem "
    "montażu i ceną transportu.",
    receipt_email="anna.wisniewska@przedsiebiorstwo-wielobranzowe.example",
    link_address="shown",
    link_made_by="Jan Kowalczyk",
    link_made_at="2026-11-22T08:30:00.000Z",
)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("strokes", [STROKES, []])
@pytest.mark.parametrize("voided_at", [REAL.voided_at, None])
def test_a_real_certificate_is_one_page(compiler: Any, voided_at: str | None, strokes: Any, paper: Any) -> None:
    document = replace(REAL, voided_at=voided_at, strokes=strokes, paper_size=paper)

    assert len(pypdf.PdfReader(BytesIO(render_certificate(compiler, document))).pages) == 1


def test_a_certificate_follows_the_title_and_names_the_second_page(compiler: Any) -> None:
    text = printed(compiler, replace(REAL, void_reason="Powód.\n" * 60))

    assert "Oferta przyjęta, decyzja cofnięta" in text
    assert "24 listopada 2026, 00:30:00 (Europe/" in text
    assert "2026-11-23 23:30:00 UTC)" in text
    assert "Decyzja 0192f0c4-7a2e-7b11-9d3c-5a1f2e3d4c5b" in text
    assert "Razem brutto" in text


def test_a_signature_is_a_path_through_its_points_and_a_point_is_a_dot() -> None:
    svg = signature_svg(STROKES)
    assert 'd="M10.00 40.00C' in svg
    assert "M30.00 30.00h0.01" in svg
    assert 'viewBox="7.60 9.60 24.80 32.80"' in svg
    assert signature_svg([]) == ""


def test_a_certificate_survives_the_way_to_the_render_process() -> None:
    assert protocol.decode_request(protocol.encode_certificate(ACCEPTED)) == ACCEPTED
