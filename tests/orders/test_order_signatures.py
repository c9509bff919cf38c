"""Signatures of orders over HTTP: kept with the order, printed on its slip, gone with it."""

import io
from typing import Any

import pypdf
import pypdfium2  # type: ignore[import-untyped] # the library ships no types
import pytest
import typst
import zxingcpp

from tests.people import App, Person
from tests.support.violations import all_of

STROKES = [[[12.5, 40], [20, 18.2], [31, 44]], [[40, 40]]]


async def sign(person: Person, order: dict[str, Any], **body: Any) -> dict[str, Any]:
    response = await person.put(f"/orders/{order['id']}/signature", {"strokes": STROKES, **body})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def version(person: Person) -> str:
    return str((await person.get(f"/workshops/{person.workshop}/changes")).json()["cursor"])


@pytest.mark.both_engines
async def test_a_signature_is_kept_replaced_and_deleted(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}/signature"
    assert (await anna.get(path)).json() == {"orderId": order["id"]}
    signed = await sign(anna, order, name="Jan Nowak")
    assert signed == {
        "orderId": order["id"], "strokes": STROKES, "name": "Jan Nowak", "signedAt": signed["signedAt"],
    }  # fmt: skip
    assert (await anna.get(path)).json() == signed
    before = await version(anna)
    assert await sign(anna, order, name="Jan Nowak") == signed
    assert await version(anna) == before
    assert "name" not in await sign(anna, order)
    deleted = await anna.delete(path)
    assert (deleted.status_code, deleted.json()) == (200, {"orderId": order["id"]})
    assert (await anna.get(path)).json() == {"orderId": order["id"]}
    before = await version(anna)
    assert (await anna.delete(path)).status_code == 200
    assert await version(anna) == before


@all_of(
    "body",
    [
        {},
        {"strokes": []},
        {"strokes": [[]]},
        {"strokes": [[[1]]]},
        {"strokes": [[[-1, 2]]]},
        {"strokes": [[[1, 2]]] * 65},
        {"strokes": [[[1, 2]] * 513]},
        {"strokes": [[[1234.567890123, 1234.567890123]] * 512] * 3},
        {"strokes": STROKES, "name": " "},
        {"strokes": STROKES, "name": "x" * 101},
        {"strokes": STROKES, "signedAt": "2026-11-23T10:00:00.000Z"},
    ],
)
async def test_a_signature_against_the_schema_is_rejected(app: App, body: dict[str, Any]) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    response = await anna.put(f"/orders/{order['id']}/signature", body)
    assert (response.status_code, response.json()["code"]) == (400, "validation_error")
    assert "strokes" not in (await anna.get(f"/orders/{order['id']}/signature")).json()


async def test_a_signature_goes_with_its_order(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await sign(anna, order)
    await anna.delete(f"/orders/{order['id']}")
    assert (await anna.get(f"/orders/{order['id']}/signature")).status_code == 404
    async with app.db.read() as db:
        assert await db.value("SELECT count(*) FROM order_signatures WHERE order_id = :id", id=order["id"]) == 0


async def test_others_learn_of_a_signature_by_the_details_of_its_order(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    since = await version(anna)
    await sign(anna, order)
    found = (await anna.get(f"/workshops/{anna.workshop}/changes?since={since}")).json()
    assert [each["orderId"] for each in found["orderDetails"]] == [order["id"]]


async def test_a_slip_is_printed_with_the_signature(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()

    async def slip(format_: str) -> tuple[int, str]:
        response = await anna.get(f"/orders/{order['id']}/slip?format={format_}&locale=en")
        assert response.status_code == 200
        page = pypdf.PdfReader(io.BytesIO(response.content)).pages[0]
        return len(page.get_contents().get_data()), page.extract_text()  # type: ignore[union-attr] # it has contents

    unsigned = {format_: await slip(format_) for format_ in ("a5", "receipt-80", "label-62x29")}
    await sign(anna, order, name="Jan Nowak")
    for format_ in ("a5", "receipt-80"):
        size, text = await slip(format_)
        assert "Signature, Jan Nowak" in text
        # The strokes are drawn into the page.
        assert size > unsigned[format_][0] + 50
    assert await slip("label-62x29") == unsigned["label-62x29"]


async def test_the_code_on_a_screen_is_the_address_of_the_status_page(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order = await anna.order()
    path = f"/orders/{order['id']}/status-code"
    response = await anna.get(path)
    assert (response.status_code, response.headers["content-type"]) == (200, "image/svg+xml")
    source = f"""#set page(width: 60mm, height: 60mm, margin: 0mm)
        #image(bytes({_quoted(response.text)}), format: "svg", width: 100%)"""
    page = pypdfium2.PdfDocument(typst.compile(source.encode()))[0]
    bitmap = page.render(scale=4, grayscale=True)
    image = memoryview(bytes(bitmap.buffer)).cast("B", (bitmap.height, bitmap.stride))
    link = (await anna.get(f"/orders/{order['id']}/status-link")).json()["url"]
    assert [code.text for code in zxingcpp.read_barcodes(image)] == [link]
    assert (await eve.get(path)).status_code == 403


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


async def test_a_customer_that_is_erased_leaves_no_signature(app: App) -> None:
    anna = await app.owner("Anna")
    customer = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Ewa Nowak"})).json()
    order, other = await anna.order(), await anna.order()
    await anna.patch(f"/orders/{order['id']}/details", {"customerId": customer["id"]})
    signed, kept = await sign(anna, order, name="Jan Nowak"), await sign(anna, other)
    data = (await anna.get(f"/customers/{customer['id']}/data")).json()
    assert [each.get("signature") for each in data["orders"]] == [signed]
    assert (await anna.post(f"/customers/{customer['id']}/erase")).status_code == 200
    assert (await anna.get(f"/orders/{order['id']}/signature")).json() == {"orderId": order["id"]}
    assert (await anna.get(f"/orders/{other['id']}/signature")).json() == kept
