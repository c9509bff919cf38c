"""Workshops API: appearance, notes, plan, entitlements, deletion."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from backbench.billing.plans import FREE, Plan
from backbench.engine.database import Write
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from backbench.workshops import members
from tests.people import App, Person, ids, pointers
from tests.support.databases import running_app

FIELDS = {
    "id", "name", "tagline", "logo", "crafterName", "crafterAvatarSeed", "background", "customBackground",
    "titleFont", "accentColor", "plan", "planExpiresAt", "planSource", "isDefault", "members", "createdAt",
}  # fmt: skip
BACKGROUNDS = [
    "paper", "linen", "sage", "mist", "blush", "indigo", "forest", "plum", "terracotta", "charcoal", "astral",
    "ember", "meadow", "dusk", "tide", "orchid", "copper", "aurora", "dawn", "cloud",
]  # fmt: skip
SOLID = {"kind": "solid", "color": "#10aBcD"}
GRADIENT = {"kind": "gradient", "from": "#000000", "to": "#FFFFFF", "angle": 359}


async def get_workshop(person: Person) -> dict[str, Any]:
    """The workshop of the person, as GET returns it."""
    response = await person.get(f"/workshops/{person.workshop}")
    assert response.status_code == 200, response.text
    workshop: dict[str, Any] = response.json()
    return workshop


async def edit_workshop(person: Person, **fields: Any) -> dict[str, Any]:
    response = await person.patch(f"/workshops/{person.workshop}", fields)
    assert response.status_code == 200, response.text
    workshop: dict[str, Any] = response.json()
    return workshop


async def field_errors(person: Person, **fields: Any) -> list[str]:
    """The JSON pointers of the errors of an edit, which must change nothing."""
    before = await get_workshop(person)
    found = pointers(await person.patch(f"/workshops/{person.workshop}", fields))
    assert await get_workshop(person) == before
    return found


# GET /workshops


async def test_an_account_starts_with_a_default_workshop(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    (workshop,) = (await anna.get("/workshops")).json()["workshops"]
    assert set(workshop) == FIELDS
    assert (workshop["isDefault"], workshop["plan"]) == (True, "free")
    assert workshop["planExpiresAt"] is workshop["planSource"] is None
    assert workshop["members"] == [{"id": anna.uid, "name": "Anna", "avatarSeed": anna.uid, "role": "owner"}]


async def test_workshops_of_an_account_are_listed_newest_first(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.owner("Marek")
    second = (await marek.post("/workshops", {"name": "Second"})).json()
    await add_member(app, marek, anna.workshop)
    listed = (await marek.get("/workshops")).json()
    assert set(listed) == {"workshops"}
    assert set(ids(listed["workshops"])) == {anna.workshop, marek.workshop, second["id"]}
    created_at = [workshop["createdAt"] for workshop in listed["workshops"]]
    assert created_at == sorted(created_at, reverse=True)


async def test_a_listed_workshop_equals_the_single_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    await app.member(anna, "Marek")
    await edit_workshop(anna, customBackground=GRADIENT, accentColor="#abcdef")
    await anna.put(f"/workshops/{anna.workshop}/context", {"notes": "Oak only"})
    (workshop,) = (await anna.get("/workshops")).json()["workshops"]
    assert workshop == await get_workshop(anna)
    assert [member["role"] for member in workshop["members"]] == ["owner", "member"]


async def test_a_former_member_cannot_see_the_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    assert anna.workshop not in ids((await marek.get("/workshops")).json()["workshops"])
    assert [member["id"] for member in (await get_workshop(anna))["members"]] == [anna.uid]


# POST /workshops


async def test_the_creator_of_a_workshop_is_its_owner(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    response = await anna.post("/workshops", {"name": "Second"})
    assert response.status_code == 201
    workshop = response.json()
    assert (workshop["name"], workshop["isDefault"], workshop["plan"]) == ("Second", False, "free")
    assert [(member["id"], member["role"]) for member in workshop["members"]] == [(anna.uid, "owner")]
    assert (await anna.get(f"/workshops/{workshop['id']}")).json() == workshop


async def test_a_workshop_can_be_created_with_all_appearance_fields(app: App) -> None:
    anna = await app.owner("Anna")
    appearance = {
        "name": "Dąb & Jesion",
        "tagline": "Made to last",
        "logo": "🪚",
        "crafterName": "Łucja",
        "background": "copper",
        "customBackground": SOLID,
        "titleFont": "didone",
        "accentColor": "#12aB9f",
    }
    workshop = (await anna.post("/workshops", appearance)).json()
    assert {name: workshop[name] for name in appearance} == appearance


async def test_a_new_workshop_requires_a_name_and_rejects_unknown_fields(app: App) -> None:
    anna = await app.owner("Anna")
    assert pointers(await anna.post("/workshops", {})) == ["/name"]
    assert pointers(await anna.post("/workshops", {"name": "x", "plan": "pro"})) == ["/plan"]


@pytest.mark.both_engines
async def test_only_one_of_concurrently_created_workshops_is_the_default(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.delete(f"/workshops/{anna.workshop}")
    await asyncio.gather(*[anna.post("/workshops", {"name": f"Workshop {number}"}) for number in range(4)])
    created = (await anna.get("/workshops")).json()["workshops"]
    assert sorted(workshop["isDefault"] for workshop in created) == [False, False, False, True]


# PATCH /workshops/{workshopId}


async def test_an_edit_changes_only_the_fields_sent(app: App) -> None:
    anna = await app.owner("Anna")
    expected = await get_workshop(anna)
    edits: list[dict[str, Any]] = [
        {"name": "Dąb"},
        {"name": "x" * 250},
        {"tagline": "Made to last"},
        {"tagline": ""},
        {"tagline": "🪚" * 250},
        {"tagline": "one line\nand another"},
        {"logo": "🪚"},
        {"logo": "🛠️"},
        {"name": " "},
        {"name": "Dąb \u202e"},
        {"crafterName": ""},
        {"crafterName": " "},
        {"crafterName": "\u202eŁucja"},
        {"crafterName": "Łucja"},
        {"titleFont": "mono", "background": "plum"},
        {"accentColor": "#aBcDeF"},
        {"customBackground": SOLID},
        {"customBackground": GRADIENT},
    ]
    for fields in edits:
        expected |= fields
        assert await edit_workshop(anna, **fields) == expected
        assert await get_workshop(anna) == expected


async def test_an_empty_edit_is_accepted_and_changes_nothing(app: App) -> None:
    anna = await app.owner("Anna")
    before = await edit_workshop(anna, customBackground=SOLID, accentColor="#102030")
    assert await edit_workshop(anna) == before


async def test_null_clears_nullable_fields_and_absent_fields_are_unchanged(app: App) -> None:
    anna = await app.owner("Anna")
    await edit_workshop(anna, customBackground=SOLID, accentColor="#102030")
    cleared = await edit_workshop(anna, customBackground=None)
    assert (cleared["customBackground"], cleared["accentColor"]) == (None, "#102030")
    assert (await edit_workshop(anna, accentColor=None))["accentColor"] is None


async def test_null_is_rejected_for_fields_that_are_not_nullable(app: App) -> None:
    anna = await app.owner("Anna")
    for field in ("name", "tagline", "logo", "crafterName", "background", "titleFont"):
        assert await field_errors(anna, **{field: None}) == [f"/{field}"]


async def test_an_edit_rejects_the_plan_and_unknown_fields(app: App) -> None:
    anna = await app.owner("Anna")
    for field in (
        "plan", "planExpiresAt", "planSource", "id", "isDefault", "members", "createdAt", "context",
        "crafterAvatarSeed", "billingCustomerId", "Name",
    ):  # fmt: skip
        assert await field_errors(anna, **{"tagline": "x", field: "pro"}) == [f"/{field}"]


async def test_only_preset_backgrounds_and_fonts_are_accepted(app: App) -> None:
    anna = await app.owner("Anna")
    for background in BACKGROUNDS:
        assert (await edit_workshop(anna, background=background))["background"] == background
    for font in ("sans", "serif", "didone", "mono", "rounded"):
        assert (await edit_workshop(anna, titleFont=font))["titleFont"] == font
    for wrong in ("", "Paper", "paper\n", "comic", 1, ["paper"]):
        assert await field_errors(anna, background=wrong) == ["/background"]
        assert await field_errors(anna, titleFont=wrong) == ["/titleFont"]


async def test_a_name_has_1_to_250_characters_without_control_characters(app: App) -> None:
    anna = await app.owner("Anna")
    for wrong in ("", "x" * 251, "a\tb", "a\n", 1):
        assert await field_errors(anna, name=wrong) == ["/name"]
    for wrong in ("x" * 251, "a\x7fb", 1):
        assert await field_errors(anna, crafterName=wrong) == ["/crafterName"]


async def test_a_tagline_has_at_most_250_characters(app: App) -> None:
    anna = await app.owner("Anna")
    assert await field_errors(anna, tagline="x" * 251) == ["/tagline"]


async def test_a_logo_is_one_emoji_of_the_curated_set(app: App) -> None:
    anna = await app.owner("Anna")
    for wrong in ("", "a", "🪚🔨", "🇵🇱", "🪚 ", "🪚\n", "🛠", "x" * 100, "\u200d", 1):
        assert set(await field_errors(anna, logo=wrong)) == {"/logo"}, wrong


async def test_a_colour_is_a_number_sign_and_six_hexadecimal_digits(app: App) -> None:
    anna = await app.owner("Anna")
    for wrong in ("", "#12345", "#1234567", "123456", "#12345g", "#123", "#123456\n", "#１２３４５６", "red", 1):
        assert await field_errors(anna, accentColor=wrong) == ["/accentColor"]
        assert await field_errors(anna, customBackground={"kind": "solid", "color": wrong}) == [
            "/customBackground/color"
        ]


async def test_a_custom_background_is_solid_or_a_gradient(app: App) -> None:
    anna = await app.owner("Anna")
    field = "/customBackground"
    wrong: list[tuple[Any, set[str]]] = [
        ({}, {f"{field}/kind"}),
        ({"kind": "image"}, {f"{field}/kind"}),
        ({"kind": "Solid", "color": "#102030"}, {f"{field}/kind"}),
        ({"kind": "solid"}, {f"{field}/color"}),
        (SOLID | {"angle": 1}, {f"{field}/angle"}),
        (GRADIENT | {"color": "#102030"}, {f"{field}/color"}),
        ({"kind": "gradient"}, {f"{field}/from", f"{field}/to", f"{field}/angle"}),
        (GRADIENT | {"angle": 360}, {f"{field}/angle"}),
        (GRADIENT | {"angle": -1}, {f"{field}/angle"}),
        (GRADIENT | {"angle": 1.5}, {f"{field}/angle"}),
        (GRADIENT | {"angle": "45"}, {f"{field}/angle"}),
        (GRADIENT | {"from": None}, {f"{field}/from"}),
        ("paper", {field}),
        ([], {field}),
    ]
    for background, expected in wrong:
        assert set(await field_errors(anna, customBackground=background)) == expected, background


async def test_an_edit_by_a_member_is_visible_to_the_owner(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    await edit_workshop(marek, name="Dąb")
    assert (await get_workshop(anna))["name"] == "Dąb"


@pytest.mark.both_engines
async def test_concurrent_edits_of_different_fields_are_all_stored(app: App) -> None:
    anna = await app.owner("Anna")
    edits: dict[str, Any] = {
        "name": "Dąb",
        "tagline": "x",
        "logo": "🪚",
        "background": "plum",
        "accentColor": "#102030",
    }
    await asyncio.gather(*[edit_workshop(anna, **{field: value}) for field, value in edits.items()])
    workshop = await get_workshop(anna)
    assert {field: workshop[field] for field in edits} == edits


# PUT /workshops/{workshopId}/context


async def save_notes(person: Person, notes: str) -> dict[str, Any]:
    response = await person.put(f"/workshops/{person.workshop}/context", {"notes": notes})
    assert response.status_code == 200, response.text
    context: dict[str, Any] = response.json()
    return context


async def test_there_is_no_context_before_notes_are_saved(app: App) -> None:
    assert "context" not in await get_workshop(await app.owner("Anna"))


async def test_saved_notes_have_a_time_and_are_returned_with_the_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    before = times.now()
    context = await save_notes(anna, "We only work\nin oak. 🪚")
    assert set(context) == {"notes", "updatedAt"}
    assert context["notes"] == "We only work\nin oak. 🪚"
    assert before <= context["updatedAt"] <= times.now()
    assert (await get_workshop(anna))["context"] == context


async def test_notes_are_trimmed_and_replaced(app: App) -> None:
    anna = await app.owner("Anna")
    await save_notes(anna, "oak")
    assert (await save_notes(anna, " \n\t\u00a0\u2003ash  and\n elm\u3000 \r\n"))["notes"] == "ash  and\n elm"


async def test_the_same_notes_again_change_nothing(app: App) -> None:
    anna = await app.owner("Anna")
    for notes in ("oak", ""):
        saved = await save_notes(anna, notes)
        versions = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
        assert await save_notes(anna, f" {notes}\n") == saved
        assert (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"] == versions


async def test_empty_notes_clear_the_context(app: App) -> None:
    anna = await app.owner("Anna")
    await save_notes(anna, "oak")
    for blank in ("", " \n "):
        cleared = await save_notes(anna, blank)
        assert set(cleared) == {"notes", "updatedAt"}
        assert cleared["notes"] == ""
        assert "context" not in await get_workshop(anna)


async def test_notes_are_counted_in_utf_16_code_units_after_trimming(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/context"
    for notes in ("x" * 4000, "🪚" * 2000, "ł" * 4000, " " * 5000 + "x" * 4000 + "\n" * 5000, "🪚" * 1999 + "xx"):
        assert (await save_notes(anna, notes))["notes"] == notes.strip()
    for notes in ("x" * 4001, "🪚" * 2000 + "x", "🪚" * 2001, "x " + "y" * 3999):
        assert pointers(await anna.put(path, {"notes": notes})) == ["/notes"]


async def test_saving_notes_requires_notes_and_rejects_unknown_fields(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/context"
    assert pointers(await anna.put(path, {})) == ["/notes"]
    assert pointers(await anna.put(path, {"notes": None})) == ["/notes"]
    assert pointers(await anna.put(path, {"notes": "x", "updatedAt": "y"})) == ["/updatedAt"]


async def test_saving_notes_changes_nothing_else(app: App) -> None:
    anna = await app.owner("Anna")
    derived = (
        '{"summary":{"en":"Oak","pl":"Dąb"},"suggested_intents":{"en":["a","b","c"],"pl":["a","b","c"]},'
        '"source_updated_at":"2026-11-20T10:15:00.000Z","generated_at":"2026-11-20T10:15:00.000Z"}'
    ).replace("suggested_intents", "suggestedIntents")
    derived = derived.replace("source_updated_at", "sourceUpdatedAt").replace("generated_at", "generatedAt")
    await save_notes(anna, "oak")
    await set_columns(app, anna, "context_derived = :derived", derived=derived)
    before = await get_workshop(anna)
    after = await save_notes_and_get(anna, "ash")
    assert before.pop("context") != after.pop("context")
    assert before == after
    assert set(after["contextDerived"]) == {"summary", "suggestedIntents", "sourceUpdatedAt", "generatedAt"}


async def save_notes_and_get(person: Person, notes: str) -> dict[str, Any]:
    await save_notes(person, notes)
    return await get_workshop(person)


# Plans and GET /workshops/{workshopId}/entitlements


async def entitlements_of(person: Person) -> dict[str, Any]:
    response = await person.get(f"/workshops/{person.workshop}/entitlements")
    assert response.status_code == 200, response.text
    entitlements: dict[str, Any] = response.json()
    return entitlements


async def test_the_free_plan_includes_50_mib_and_three_revisions_with_the_brand_mark(free_app: App) -> None:
    assert await entitlements_of(await free_app.owner("Anna")) == {
        "plan": "free",
        "planExpiresAt": None,
        "brandMark": {"canDisable": False},
        "fileStorage": {"usedBytes": 0, "limitBytes": 52_428_800},
        "revisions": {"limitPerEstimate": 3},
        "billing": {
            "hasAccount": False,
            "planSource": None,
            "cancelAtPeriodEnd": False,
            "checkoutAvailability": "payments_not_configured",
        },
    }


async def test_the_pro_plan_includes_5_gib_and_unlimited_revisions(app: App) -> None:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    entitlements = await entitlements_of(anna)
    assert (entitlements["plan"], entitlements["planExpiresAt"]) == ("pro", None)
    assert entitlements["brandMark"] == {"canDisable": True}
    assert entitlements["fileStorage"] == {"usedBytes": 0, "limitBytes": 5_368_709_120}
    assert entitlements["revisions"] == {"limitPerEstimate": None}
    assert entitlements["billing"]["planSource"] == "grant"


async def test_a_pro_plan_with_an_end_states_its_expiry(app: App) -> None:
    anna = await app.owner("Anna")
    until = times.later(times.now(), 3600)
    await app.put_on_pro(anna.workshop, until)
    workshop = await get_workshop(anna)
    assert (workshop["plan"], workshop["planExpiresAt"], workshop["planSource"]) == ("pro", until, "grant")
    assert (await entitlements_of(anna))["planExpiresAt"] == until


async def test_an_expired_pro_plan_is_free_in_every_response(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    until = times.later(times.now(), 0.3)
    await free_app.put_on_pro(anna.workshop, until)
    requested_at = times.now()
    while requested_at < until:
        plan = (await get_workshop(anna))["plan"]
        # A response that was requested before the expiry and received after it can contain either plan.
        assert plan == "pro" or times.now() >= until
        requested_at = times.now()
    for workshop in (
        await get_workshop(anna),
        (await anna.get("/workshops")).json()["workshops"][0],
        await edit_workshop(anna),
    ):
        assert (workshop["plan"], workshop["planExpiresAt"], workshop["planSource"]) == ("free", None, None)
    entitlements = await entitlements_of(anna)
    assert (entitlements["plan"], entitlements["planExpiresAt"]) == ("free", None)
    assert entitlements["brandMark"] == {"canDisable": False}
    assert entitlements["revisions"] == {"limitPerEstimate": 3}
    assert entitlements["fileStorage"]["limitBytes"] == 52_428_800
    assert entitlements["billing"]["planSource"] is None


def test_a_plan_is_free_from_the_time_of_its_expiry() -> None:
    plan = Plan("pro", "2026-11-20T10:15:00.000Z", "trial")
    assert plan.at("2026-11-20T10:14:59.999Z") == plan
    assert plan.at("2026-11-20T10:15:00.000Z") == FREE


async def test_an_expired_pro_plan_has_the_revision_limit_of_free(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    await free_app.put_on_pro(anna.workshop, times.later(times.now(), -1))
    estimate = (await anna.estimate())["id"]
    statuses = [(await anna.post(f"/estimates/{estimate}/confirm")).status_code for _ in range(4)]
    assert statuses == [201, 201, 201, 409]


async def test_entitlements_state_the_billing_account_and_a_cancelled_subscription(app: App) -> None:
    anna = await app.owner("Anna")
    await add_subscription(app, anna)
    await set_columns(app, anna, "billing_customer_id = 'cus_1', billing_cancel_at_period_end = 1")
    billing = (await entitlements_of(anna))["billing"]
    assert (billing["hasAccount"], billing["planSource"], billing["cancelAtPeriodEnd"]) == (True, "subscription", True)
    assert not [name for name in await get_workshop(anna) if name.startswith("billing")]


async def test_entitlements_state_the_storage_in_use(app: App) -> None:
    anna = await app.owner("Anna")
    await set_columns(app, anna, "storage_used_bytes = 12345")
    assert (await entitlements_of(anna))["fileStorage"]["usedBytes"] == 12345


# DELETE /workshops/{workshopId}


async def test_deleting_a_workshop_deletes_its_contents(app: App) -> None:
    anna = await app.owner("Anna")
    order, estimate = await anna.order(), await anna.estimate()
    response = await anna.delete(f"/workshops/{anna.workshop}")
    assert (response.status_code, response.content) == (204, b"")
    for path in (f"/workshops/{anna.workshop}", f"/orders/{order['id']}", f"/estimates/{estimate['id']}"):
        assert (await anna.get(path)).status_code == 404
    assert (await anna.get("/workshops")).json() == {"workshops": []}


async def test_a_workshop_with_a_running_subscription_cannot_be_deleted(app: App) -> None:
    anna = await app.owner("Anna")
    await add_subscription(app, anna)
    response = await anna.delete(f"/workshops/{anna.workshop}")
    assert (response.status_code, response.json()["code"]) == (409, "subscription_running")
    assert (await get_workshop(anna))["id"] == anna.workshop


async def add_member(app: App, person: Person, workshop_id: str) -> None:
    await app.db.write(
        lambda db: administration.add_member(db, workshop_id, person.email, "member", times.now(), new_id)
    )


async def add_subscription(app: App, person: Person) -> None:
    plan = Plan("pro", times.later(times.now(), 3600), "subscription")
    await app.db.write(lambda db: administration.set_plan(db, person.workshop, plan, times.now(), new_id))


async def set_columns(app: App, person: Person, assignments: str, **values: Any) -> None:
    """Sets columns of the workshop that no operation of its members can set."""

    async def work(db: Write) -> None:
        assert await db.run(f"UPDATE workshops SET {assignments} WHERE id = :id", id=person.workshop, **values)

    await app.db.write(work)


async def test_an_account_owns_at_most_as_many_workshops_as_the_host_allows(
    new_database_url: Callable[[], str],
) -> None:
    async with running_app(new_database_url(), workshops_per_account=3) as app:
        anna = await app.owner("Anna")
        responses = await asyncio.gather(*(anna.post("/workshops", {"name": f"Oak {i}"}) for i in range(4)))
        assert sorted(response.status_code for response in responses) == [201, 201, 409, 409]
        refused = next(response.json() for response in responses if response.status_code == 409)
        assert (refused["code"], refused["limit"], refused["current"]) == ("plan_limit", 3, 3)
        assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
        assert (await anna.post("/workshops", {"name": "Ash"})).status_code == 201
