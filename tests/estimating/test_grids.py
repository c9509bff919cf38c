"""Grids API: screens of priced buttons, their limits, icons and templates."""

import asyncio
from typing import Any

import pytest

from backbench.estimating.catalog import catalog
from tests.people import App, Person, ids, pointers
from tests.support.uploads import icon
from tests.support.violations import all_of

SAW: dict[str, Any] = {"emoji": "🪚", "label": "Sawing", "unit": "hour", "unitPrice": 80.5}


async def add_grid(person: Person, **fields: Any) -> dict[str, Any]:
    response = await person.post(f"/workshops/{person.workshop}/grids", {"name": "Carpentry", **fields})
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def test_a_new_grid_is_empty_with_icons_of_medium_size(app: App) -> None:
    anna = await app.owner()
    grid = await add_grid(anna)
    assert (grid["iconSize"], grid["buttons"], grid["workshopId"]) == ("medium", [], anna.workshop)
    assert grid["createdAt"] == grid["updatedAt"]


async def test_a_grid_reads_back_as_it_was_created(app: App) -> None:
    anna = await app.owner()
    file = await icon(anna)
    buttons = [SAW, {**SAW, "backgroundColor": "#FFaa00", "iconFileId": file["id"], "unitPrice": 0.0425}]
    grid = await add_grid(anna, iconSize="small", buttons=buttons)
    assert [{key: value for key, value in button.items() if key != "id"} for button in grid["buttons"]] == buttons
    assert (await anna.get(f"/grids/{grid['id']}")).json() == grid
    assert (await anna.get(f"/workshops/{anna.workshop}/grids")).json() == {"grids": [grid]}


async def test_buttons_as_returned_are_accepted_in_an_edit(app: App) -> None:
    anna = await app.owner()
    grid = await add_grid(anna, buttons=[SAW, SAW])
    edited = await anna.patch(f"/grids/{grid['id']}", {"buttons": [*reversed(grid["buttons"]), SAW]})
    buttons = edited.json()["buttons"]
    assert ids(buttons)[:2] == list(reversed(ids(grid["buttons"])))
    assert len(set(ids(buttons))) == 3


async def test_an_edit_changes_only_the_fields_sent(app: App) -> None:
    anna = await app.owner()
    grid = await add_grid(anna, buttons=[SAW])
    edited = (await anna.patch(f"/grids/{grid['id']}", {"iconSize": "large"})).json()
    assert edited == {**grid, "iconSize": "large", "updatedAt": edited["updatedAt"]}
    assert edited["updatedAt"] >= grid["updatedAt"]


@all_of(
    ("button", "pointer"),
    [
        ({"emoji": "A"}, "/buttons/0/emoji"),
        ({"emoji": "🪚🪚"}, "/buttons/0/emoji"),
        ({"label": ""}, "/buttons/0/label"),
        ({"label": "x" * 251}, "/buttons/0/label"),
        ({"label": "a\tb"}, "/buttons/0/label"),
        ({"unit": "mile"}, "/buttons/0/unit"),
        ({"unitPrice": -1}, "/buttons/0/unitPrice"),
        ({"unitPrice": 1.00001}, "/buttons/0/unitPrice"),
        ({"unitPrice": "5"}, "/buttons/0/unitPrice"),
        ({"backgroundColor": "red"}, "/buttons/0/backgroundColor"),
        ({"backgroundColor": None}, "/buttons/0/backgroundColor"),
        ({"colour": "red"}, "/buttons/0/colour"),
        ({"iconFileId": "none"}, "/buttons/0/iconFileId"),
    ],
)
async def test_an_invalid_field_of_a_button_is_reported(app: App, button: dict[str, Any], pointer: str) -> None:
    anna = await app.owner()
    response = await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "A", "buttons": [{**SAW, **button}]})
    assert pointers(response) == [pointer]


async def test_duplicate_button_ids_are_rejected(app: App) -> None:
    anna = await app.owner()
    duplicate_ids = [{**SAW, "id": "a"}, SAW, {**SAW, "id": "a"}]
    response = await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "A", "buttons": duplicate_ids})
    assert pointers(response) == ["/buttons/2/id"]


async def test_a_grid_has_two_hundred_buttons_at_most(app: App) -> None:
    anna = await app.owner()
    grid = await add_grid(anna, buttons=[SAW] * 200)
    assert len(grid["buttons"]) == 200
    assert pointers(await anna.patch(f"/grids/{grid['id']}", {"buttons": [SAW] * 201})) == ["/buttons"]


async def test_a_workshop_has_ten_grids_at_most(app: App) -> None:
    anna = await app.owner()
    grids = [await add_grid(anna) for _ in range(10)]
    response = await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "One more"})
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
    assert (response.json()["limit"], response.json()["current"]) == (10, 10)
    assert (await anna.delete(f"/grids/{grids[0]['id']}")).status_code == 204
    await add_grid(anna)


@pytest.mark.both_engines
async def test_the_grid_limit_applies_to_concurrent_requests(app: App) -> None:
    anna = await app.owner()
    path = f"/workshops/{anna.workshop}/grids"
    responses = await asyncio.gather(*[anna.post(path, {"name": f"Grid {number}"}) for number in range(16)])
    assert sorted(response.status_code for response in responses) == [201] * 10 + [409] * 6
    assert len((await anna.get(path)).json()["grids"]) == 10


# Icons


async def test_an_icon_of_another_workshop_is_rejected(app: App) -> None:
    anna, eve = await app.owner(), await app.owner("Eve")
    other_icon = await icon(eve)
    body = {"name": "A", "buttons": [SAW, {**SAW, "iconFileId": other_icon["id"]}]}
    assert pointers(await anna.post(f"/workshops/{anna.workshop}/grids", body)) == ["/buttons/1/iconFileId"]


async def test_an_icon_in_use_cannot_be_deleted(app: App) -> None:
    anna = await app.owner()
    file = await icon(anna)
    first = await add_grid(anna, buttons=[{**SAW, "iconFileId": file["id"]}])
    second = await add_grid(anna, buttons=[SAW, {**SAW, "iconFileId": file["id"]}])
    await add_grid(anna, buttons=[{**SAW, "label": f'"iconFileId":"{file["id"]}"'}])
    response = await anna.delete(f"/files/{file['id']}")
    assert (response.status_code, response.json()["code"]) == (409, "icon_in_use")
    assert sorted(response.json()["gridIds"]) == sorted([first["id"], second["id"]])
    assert (await anna.get(f"/files/{file['id']}")).status_code == 200


async def test_an_unused_icon_can_be_deleted(app: App) -> None:
    anna = await app.owner()
    file = await icon(anna)
    button = {**SAW, "iconFileId": file["id"]}
    first, second = await add_grid(anna, buttons=[button]), await add_grid(anna, buttons=[button])
    await anna.patch(f"/grids/{first['id']}", {"buttons": [SAW]})
    await anna.delete(f"/grids/{second['id']}")
    assert (await anna.delete(f"/files/{file['id']}")).status_code == 204


@pytest.mark.both_engines
async def test_no_button_refers_to_a_concurrently_deleted_icon(app: App) -> None:
    anna = await app.owner()
    for _ in range(6):
        file = await icon(anna)
        grid = await add_grid(anna)
        edit = anna.patch(f"/grids/{grid['id']}", {"buttons": [{**SAW, "iconFileId": file["id"]}]})
        saved, deleted = await asyncio.gather(edit, anna.delete(f"/files/{file['id']}"))
        assert (saved.status_code, deleted.status_code) in ((200, 409), (400, 204))
        await anna.delete(f"/grids/{grid['id']}")


# Templates


async def test_a_grid_from_a_template_has_its_items_in_the_language_of_its_creator(app: App) -> None:
    template = catalog().templates[0]
    items = {item.id: item for item in catalog().items}
    for locale in ("en", "pl"):
        person = await app.person("Łucja", locale)
        buttons = (await add_grid(person, templateSlug=template.slug))["buttons"]
        expected = [items[item_id] for item_id in template.item_ids]
        assert [button["label"] for button in buttons] == [getattr(item.label, locale) for item in expected]
        assert [(b["emoji"], b["unit"], b["unitPrice"]) for b in buttons] == [(i.emoji, i.unit, 0) for i in expected]
        assert len(set(ids(buttons))) == len(buttons)


async def test_buttons_from_every_template_are_accepted_in_an_edit(app: App) -> None:
    anna = await app.owner()
    for template in catalog().templates:
        grid = await add_grid(anna, templateSlug=template.slug)
        assert (await anna.patch(f"/grids/{grid['id']}", {"buttons": grid["buttons"]})).status_code == 200
        await anna.delete(f"/grids/{grid['id']}")


async def test_an_unknown_template_or_one_with_buttons_is_rejected(app: App) -> None:
    anna = await app.owner()
    path = f"/workshops/{anna.workshop}/grids"
    assert pointers(await anna.post(path, {"name": "A", "templateSlug": "none"})) == ["/templateSlug"]
    both = {"name": "A", "templateSlug": catalog().templates[0].slug, "buttons": []}
    assert pointers(await anna.post(path, both)) == ["/templateSlug"]


async def test_every_account_can_read_the_catalog_and_the_emoji(app: App) -> None:
    anna = await app.owner()
    response = (await anna.get("/catalog")).json()
    assert (len(response["items"]), len(response["templates"])) == (len(catalog().items), len(catalog().templates))
    emoji = (await anna.get("/catalog/emoji")).json()["emoji"]
    assert len(emoji) > 1000
    assert set(emoji[0]) == {"emoji", "name", "group"}
    assert (await app.anonymous().get("/catalog")).status_code == 401


async def test_grids_are_listed_newest_first(app: App) -> None:
    anna = await app.owner()
    first, second = await add_grid(anna), await add_grid(anna)
    grids = (await anna.get(f"/workshops/{anna.workshop}/grids")).json()["grids"]
    assert ids(grids) == [second["id"], first["id"]]
