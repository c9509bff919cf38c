"""Order of a workshop's grids, and buttons from the catalog."""

import asyncio
from typing import Any

import pytest

from tests.people import App, Person, ids, pointers

ITEMS = ["fitted-wardrobe", "kitchen-base-cabinet"]


async def grid(person: Person, **fields: Any) -> dict[str, Any]:
    response = await person.post(f"/workshops/{person.workshop}/grids", {"name": "Repairs", **fields})
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


@pytest.mark.both_engines
async def test_lists_of_grids_keep_the_order_that_was_set(app: App) -> None:
    anna = await app.owner()
    first, second, third = [(await grid(anna, name=name))["id"] for name in ("1", "2", "3")]
    path = f"/workshops/{anna.workshop}/grids"
    before = (await anna.get(path)).json()["grids"]
    assert ids(before) == [third, second, first]
    ordered = await anna.put(f"{path}/order", {"gridIds": [second, first, third]})
    assert (ordered.status_code, ids(ordered.json()["grids"])) == (200, [second, first, third])
    assert sorted(ordered.json()["grids"], key=str) == sorted(before, key=str)
    fourth = (await grid(anna))["id"]
    everything = [fourth, second, first, third]
    assert ids((await anna.get(path)).json()["grids"]) == everything
    paged: list[str] = []
    address = f"{path}?limit=1"
    while address:
        page = await anna.get(address)
        paged += ids(page.json()["grids"])
        link = page.headers.get("link", "")
        address = link.partition(">")[0].partition("/api")[2] if link else ""
    assert paged == everything


async def test_an_order_of_grids_names_every_grid_once(app: App) -> None:
    anna, eve = await app.owner(), await app.owner("Eve")
    first, second, foreign = (await grid(anna))["id"], (await grid(anna))["id"], (await grid(eve))["id"]
    path = f"/workshops/{anna.workshop}/grids/order"
    wrong = await anna.put(path, {"gridIds": [first, first, foreign]})
    assert pointers(wrong) == ["/gridIds/1", "/gridIds/2", "/gridIds"]
    assert ids((await anna.get(f"/workshops/{anna.workshop}/grids")).json()["grids"]) == [second, first]


async def test_buttons_from_the_catalog_are_appended(app: App) -> None:
    anna = await app.owner()
    created = await grid(anna, buttons=[{"emoji": "🪚", "label": "Sawing", "unit": "hour", "unitPrice": 80}])
    path = f"/grids/{created['id']}/buttons"
    response = await anna.post(path, {"itemIds": ITEMS, "locale": "pl"})
    catalog = {item["id"]: item for item in (await anna.get("/catalog")).json()["items"]}
    labels = [button["label"] for button in response.json()["buttons"]]
    assert (response.status_code, labels) == (200, ["Sawing", *(catalog[item]["label"]["pl"] for item in ITEMS)])
    await asyncio.gather(*(anna.post(path, {"itemIds": ITEMS[:1]}) for _ in range(10)))
    read = await anna.get(f"/grids/{created['id']}")
    assert [button["label"] for button in read.json()["buttons"]] == [*labels, *[catalog[ITEMS[0]]["label"]["en"]] * 10]
    assert pointers(await anna.post(path, {"itemIds": ["x"], "templateSlug": "y"})) == [
        "",
        "/templateSlug",
        "/itemIds/0",
    ]
    assert pointers(await anna.post(path, {})) == [""]
    full = await anna.post(path, {"itemIds": ITEMS[:1] * 190})
    assert (full.status_code, full.json()["code"], full.json()["current"]) == (409, "plan_limit", 13)


async def test_a_grid_of_a_template_has_its_name_in_the_language_of_the_request(app: App) -> None:
    anna = await app.owner()
    template = (await anna.get("/catalog")).json()["templates"][0]
    path = f"/workshops/{anna.workshop}/grids"
    polish = (await anna.post(path, {"templateSlug": template["slug"], "locale": "pl"})).json()
    english = (await anna.post(path, {"templateSlug": template["slug"]})).json()
    assert (polish["name"], english["name"]) == (template["name"]["pl"], template["name"]["en"])
    assert polish["buttons"][0]["label"] != english["buttons"][0]["label"]
    assert pointers(await anna.post(path, {})) == ["/name"]


async def test_a_grid_that_is_not_changed_keeps_its_time(app: App) -> None:
    anna = await app.owner()
    created = await grid(anna, buttons=[{"emoji": "🪚", "label": "Sawing", "unit": "hour", "unitPrice": 80}])
    for body in ({"name": "Repairs"}, {"buttons": created["buttons"]}):
        assert (await anna.patch(f"/grids/{created['id']}", body)).json() == created
