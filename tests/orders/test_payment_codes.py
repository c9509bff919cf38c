"""Payment codes: their texts against the published limits, and read back by an independent reader."""

from decimal import Decimal

import pypdfium2  # type: ignore[import-untyped] # the library ships no types
import pytest
import segno.helpers
import typst
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from backbench.integrations.pdf.render_process import new_compiler
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.orders.payment_codes import Transfer, nip
from backbench.values.scalars import is_iban, normalized_iban

GERMAN, POLISH = "DE89370400440532013000", "PL61109010140000071219812874"
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=250).filter(str.strip)
AMOUNTS = st.integers(1, 10**11 - 1).map(lambda minor: Decimal(minor).scaleb(-2))


@pytest.fixture(scope="module")
def compiler() -> typst.Compiler:
    return new_compiler()


def read(compiler: typst.Compiler, text: str) -> str:
    """The text that an independent reader finds in the drawn code, on a dark screen."""
    svg = qr_svg(text, margin=QUIET_MODULES).replace("\\", "\\\\").replace('"', '\\"')
    source = f'#set page(width: 60mm, height: 60mm, margin: 6mm, fill: black)\n#image(bytes("{svg}"), width: 48mm)'
    pdf = compiler.compile(input=source.encode(), format="pdf")
    bitmap = pypdfium2.PdfDocument(pdf)[0].render(scale=3, grayscale=True)
    rows = b"".join(bytes(bitmap.buffer)[at * bitmap.stride :][: bitmap.width] for at in range(bitmap.height))
    found = zxingcpp.read_barcodes(memoryview(rows).cast("B", (bitmap.height, bitmap.width)))
    (code,) = found
    assert isinstance(code.text, str)
    return code.text


def epc(amount: Decimal = Decimal(615), name: str = "Oak & Ash", title: str = "Order 214") -> str:
    code = Transfer(GERMAN, name, amount, "EUR", title).code
    assert code is not None
    return code


def zbp(amount: Decimal = Decimal(615), name: str = "Ćma", title: str = "Zlecenie 214", tax_id: str = "") -> str:
    code = Transfer(POLISH, name, amount, "PLN", title, tax_id).code
    assert code is not None
    return code


def test_the_code_in_euro_is_that_of_the_standard_and_of_another_library() -> None:
    lines = ["BCD", "002", "1", "SCT", "", "Oak & Ash", GERMAN, "EUR615.00", "", "", "Order 214"]
    assert epc().split("\n") == lines
    theirs = segno.helpers.make_epc_qr(
        name="Oak & Ash", iban=GERMAN, amount=Decimal("615.5"), text="Order 214", encoding="utf-8"
    )
    ours = segno.make(epc(Decimal("615.50")).replace("615.50", "615.5"), error="m", boost_error=False, encoding="utf-8")
    assert theirs.matrix == ours.matrix


def test_the_code_in_zloty_has_nine_fields() -> None:
    expected = "5260001246|PL|61109010140000071219812874|000005|Ćma|Zlecenie 214|||"
    assert zbp(Decimal("0.05"), tax_id="PL 526-000-12-46") == expected
    assert zbp(Decimal("12345.67")).split("|")[3] == "1234567"


@given(AMOUNTS, TEXTS, TEXTS)
def test_the_code_in_euro_keeps_the_limits_of_the_standard(amount: Decimal, name: str, title: str) -> None:
    code = epc(amount, name, title)
    lines = code.split("\n")
    assert len(lines) == 11
    assert 1 <= len(lines[5]) <= 70
    assert len(lines[10]) <= 140
    assert lines[7] == f"EUR{amount:.2f}"
    assert len(code.encode()) <= 331
    # A mask that is given changes no size, and need not be chosen among eight.
    assert int(segno.make(code, error="m", boost_error=False, encoding="utf-8", mask=0).version) <= 13
    assert " ".join(name.split()).startswith(lines[5])


@given(AMOUNTS, TEXTS, TEXTS)
def test_the_code_in_zloty_keeps_the_limits_of_the_recommendation(amount: Decimal, name: str, title: str) -> None:
    code = Transfer(POLISH, name, amount, "PLN", title).code
    if code is None:
        return
    fields = code.split("|")
    assert len(fields) == 9
    assert 1 <= len(fields[4]) <= 20
    assert len(fields[5]) <= 32
    assert len(code) <= 160
    assert int(fields[3]) == amount.scaleb(2)
    assert len(fields[3]) >= 6


@pytest.mark.parametrize(
    "text",
    [
        epc(),
        epc(Decimal("999999999.99"), "Żółta Gęś " * 7, "Ł" * 140),
        epc(name="🪵" * 80),
        zbp(),
        zbp(Decimal("12345.67"), "Pracownia „Ćma” Łódź", "Zlecenie 214", "5260001246"),
    ],
)
def test_an_independent_reader_reads_what_was_written(compiler: typst.Compiler, text: str) -> None:
    assert read(compiler, text) == text


@pytest.mark.parametrize(
    ("iban", "currency", "amount"),
    [(GERMAN, "PLN", 5), (POLISH, "JPY", 5), (GERMAN, "EUR", 0), (GERMAN, "EUR", 10**9)],
)
def test_no_code_is_made_for_what_no_standard_covers(iban: str, currency: str, amount: int) -> None:
    assert Transfer(iban, "Ćma", Decimal(amount), currency, "Zlecenie 1").code is None


@pytest.mark.parametrize(
    ("tax_id", "expected"),
    [("526-000-12-46", "5260001246"), ("PL5260001246", "5260001246"), ("5260001247", ""), ("IE1234567T", ""), ("", "")],
)
def test_a_tax_id_that_is_no_nip_leaves_its_field_empty(tax_id: str, expected: str) -> None:
    assert nip(tax_id) == expected


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        ("PL61 1090 1014 0000 0712 1981 2874", True), ("gb29nwbk60161331926819", True),
        ("IE29AIBK93115212345678", True), ("PL61109010140000071219812875", False),
        ("61109010140000071219812874", False), ("PL61", False),
        ("PL٦1109010140000071219812874", False),
    ],
)  # fmt: skip
def test_an_iban_has_the_right_check_digits(text: str, is_valid: bool) -> None:
    assert is_iban(normalized_iban(text)) == is_valid
