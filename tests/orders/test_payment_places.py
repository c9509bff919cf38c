"""What is due, in every place that states it: balance, board, status page, code, slip, receipt, page of an estimate."""

import io
import json
import zipfile
from decimal import Decimal
from typing import Any

import httpx
import pypdf
import pypdfium2  # type: ignore[import-untyped] # the library ships no types
import pytest
import typst
import zxingcpp

from backbench.integrations.pdf.render_process import new_compiler
from backbench.values.locales import money
from backbench.workshops import counters
from tests.orders.test_payments import (
    IBAN,
    agree,
    balance,
    customer_of,
    decide,
    order_of_estimate,
    paid,
    set_up,
    summary,
    void,
)
from tests.people import App, Person
from tests.support.secret_log_check import remember_secrets


@pytest.fixture(scope="module")
def compiler() -> typst.Compiler:
    return new_compiler()


def read_svg(compiler: typst.Compiler, response: httpx.Response) -> str:
    """The text that an independent reader finds in an SVG."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "image/svg+xml"
    svg = response.text.replace("\\", "\\\\").replace('"', '\\"')
    source = f'#set page(width: 60mm, height: 60mm, margin: 6mm)\n#image(bytes("{svg}"), width: 48mm)'
    pdf = compiler.compile(input=source.encode(), format="pdf")
    assert isinstance(pdf, bytes)
    (text,) = codes_of(pdf)
    return text


def codes_of(pdf: bytes) -> list[str]:
    bitmap = pypdfium2.PdfDocument(pdf)[0].render(scale=203 / 72, grayscale=True)
    buffer = bytes(bitmap.buffer)
    rows = b"".join(buffer[at * bitmap.stride : at * bitmap.stride + bitmap.width] for at in range(bitmap.height))
    found = zxingcpp.read_barcodes(memoryview(rows).cast("B", (bitmap.height, bitmap.width)))
    return [code.text for code in found]


def text_of(pdf: bytes) -> str:
    return " ".join(pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())


async def client_order(customer: Person) -> dict[str, Any]:
    response = await customer.get("/client/order")
    found: dict[str, Any] = json.loads(response.content, parse_float=Decimal)
    return found


@pytest.mark.parametrize("currency", ["EUR", "PLN"])
async def test_every_place_states_the_same_amount(app: App, compiler: typst.Compiler, currency: str) -> None:
    anna = await app.owner("Anna")
    link = "https://pay.example/{number}?a={amount}&c={currency}"
    await set_up(anna, currency=currency, iban=IBAN, taxId="5260001246", paymentLink=link)
    order_id = (await anna.order())["id"]
    await agree(anna, order_id, 1234.5)
    payment = await paid(anna, order_id, 1000.05, "deposit")
    due = Decimal("234.45")
    assert (await balance(anna, order_id))["due"] == due
    assert (await summary(anna, order_id))["due"] == {"currency": currency, "amount": due}
    customer = await customer_of(anna, order_id)
    request = (await client_order(customer))["payment"]
    name = (await anna.get(f"/workshops/{anna.workshop}")).json()["name"]
    assert request == {
        "due": due, "currency": currency, "code": True, "iban": IBAN.replace(" ", ""), "accountName": name,
        "title": "Order 1", "link": f"https://pay.example/1?a=234.45&c={currency}",
    }  # fmt: skip
    members = json.loads((await anna.get(f"/orders/{order_id}/payment-request")).content, parse_float=Decimal)
    assert members == request
    code = read_svg(compiler, await anna.get(f"/orders/{order_id}/payment-code"))
    assert code == read_svg(compiler, await customer.get("/client/order/payment-code"))
    fields = code.split("\n") if currency == "EUR" else code.split("|")
    assert ("EUR234.45" if currency == "EUR" else "023445") in fields
    shown = money(due, currency, "en")
    status_page = (await anna.get(f"/orders/{order_id}/status-link")).json()["url"]
    for format_ in ("a5", "receipt-80", "receipt-58"):
        slip = (await anna.get(f"/orders/{order_id}/slip?format={format_}&locale=en")).content
        assert shown.replace("\u00a0", " ") in text_of(slip).replace("\u00a0", " ")
        # The one code of a slip opens the status page, which has the code to pay with.
        assert codes_of(slip) == [status_page]
    receipt = (await anna.get(f"/payments/{payment['id']}/receipt?locale=en")).content
    text = text_of(receipt).replace("\u00a0", " ")
    assert all(part in text for part in (shown.replace("\u00a0", " "), "not a fiscal receipt", "1,000.05"))


async def test_nothing_is_asked_for_once_everything_is_paid(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", iban=IBAN)
    order_id = (await anna.order())["id"]
    customer = await customer_of(anna, order_id)
    assert "payment" not in await client_order(customer)
    await agree(anna, order_id, 50)
    await paid(anna, order_id, 50)
    assert (await client_order(customer))["payment"] == {"due": 0, "currency": "EUR", "code": False}
    assert (await customer.get("/client/order/payment-code")).status_code == 404
    assert (await anna.get(f"/orders/{order_id}/payment-code")).status_code == 404


async def test_a_customer_does_not_see_a_price_that_was_never_shared(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", iban=IBAN)
    order_id, estimate_id = await order_of_estimate(anna, 700)
    customer = await customer_of(anna, order_id)
    assert "payment" not in await client_order(customer)
    assert (await customer.get("/client/order/payment-code")).status_code == 404
    assert (await anna.get(f"/orders/{order_id}/payment-code")).status_code == 200
    link = await anna.post(f"/estimates/{estimate_id}/links", {"locale": "pl"})
    remember_secrets(link.json()["url"].partition("#")[2])
    shown = (await client_order(customer))["payment"]
    assert (shown["due"], shown["title"]) == (700, "Zlecenie 1")


async def test_a_receipt_says_in_both_languages_what_it_is_not_and_that_it_is_void(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order(customerName="Ewa"))["id"]
    payment = await paid(anna, order_id, 20)
    await void(anna, payment["id"])
    for locale, words in (
        ("en", ["not a fiscal receipt", "Void since", "Typed twice"]),
        ("pl", ["Nie jest paragonem fiskalnym", "Anulowano", "Typed twice"]),
    ):
        response = await anna.get(f"/payments/{payment['id']}/receipt?locale={locale}")
        assert response.headers["content-type"] == "application/pdf"
        assert all(word in text_of(response.content) for word in words)


@pytest.mark.both_engines
async def test_the_deposit_is_asked_for_on_the_page_of_the_accepted_estimate_until_it_is_paid(
    app: App, compiler: typst.Compiler
) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", iban=IBAN)
    estimate = await anna.estimate(lineItems=[{"label": "Oak", "unit": "job", "unitPrice": 1000, "quantity": 1}])
    await anna.put(f"/estimates/{estimate['id']}/document", {"depositPercent": 30})
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    link = (await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})).json()
    client = app.anonymous()
    client.bearer = link["url"].partition("#")[2]
    remember_secrets(client.bearer)
    shown = (await client.get("/client/estimate")).json()
    assert "payment" not in shown
    assert (await client.get("/client/estimate/payment-code")).status_code == 404
    await decide(anna, estimate["id"], 1)
    asked = (await client.get("/client/estimate")).json()["payment"]
    assert (asked["due"], asked["title"], asked["code"]) == (300, f"Estimate {shown['number']}", True)
    assert "EUR300.00" in read_svg(compiler, await client.get("/client/estimate/payment-code"))
    order_id = (await anna.post(f"/estimates/{estimate['id']}/orders", {})).json()["id"]
    await paid(anna, order_id, 120, "deposit")
    asked = (await client.get("/client/estimate")).json()["payment"]
    assert (asked["due"], asked["title"]) == (180, "Order 1")
    await paid(anna, order_id, 200)
    asked = (await client.get("/client/estimate")).json()["payment"]
    assert asked == {"due": 0, "currency": "EUR", "code": False}


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"iban": "PL61 1090 1014 0000 0712 1981 2875"}, "/iban"),
        ({"iban": "six"}, "/iban"),
        ({"paymentLink": "http://pay.example/{amount}"}, "/paymentLink"),
        ({"paymentLink": "https://{number}.example/"}, "/paymentLink"),
        ({"paymentLink": "https://pay.example/{secret}"}, "/paymentLink"),
        ({"paymentLink": 'https://pay.example/"><script>'}, "/paymentLink"),
    ],
)
async def test_accounts_and_links_that_cannot_be_right_are_refused(
    app: App, wrong: dict[str, str], pointer: str
) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/document-settings"
    response = await anna.put(path, {"currency": "EUR", **wrong})
    assert response.status_code == 400
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


@pytest.mark.both_engines
async def test_a_payment_is_in_the_history_and_the_data_of_its_customer_whose_language_the_title_has(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", iban=IBAN)
    customer = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Ewa", "locale": "pl"})).json()["id"]
    order_id = (await anna.order(title="Ring"))["id"]
    await anna.patch(f"/orders/{order_id}/details", {"customerId": customer})
    await agree(anna, order_id, 50)
    payment = await paid(anna, order_id, 20.5)
    entries = (await anna.get(f"/customers/{customer}/history")).json()["entries"]
    assert [each for each in entries if each["kind"] == "payment"] == [
        {
            "kind": "payment", "id": payment["id"], "at": payment["createdAt"], "title": "Ring", "amount": 20.5,
            "currency": "EUR", "state": "payment",
        }
    ]  # fmt: skip
    await void(anna, payment["id"])
    entries = (await anna.get(f"/customers/{customer}/history")).json()["entries"]
    assert [each["state"] for each in entries if each["kind"] == "payment"] == ["voided"]
    (order,) = (await anna.get(f"/customers/{customer}/data")).json()["orders"]
    assert [each["id"] for each in order["payments"]] == [payment["id"]]
    assert (await anna.get(f"/orders/{order_id}/payment-request")).json()["title"] == "Zlecenie 1"


async def test_payments_are_in_the_archive_and_survive_a_count_of_the_data(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    payment = await paid(anna, order_id, 20.5, note="half")
    response = await anna.get("/me/data-archive")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith("/payments.json")]
        assert json.loads(archive.read(name)) == {"payments": [payment]}
    async with app.db.read() as read:
        held = await counters.actual_bytes(read, anna.workshop)
        assert await counters.data_bytes(read, anna.workshop) >= held > 500
