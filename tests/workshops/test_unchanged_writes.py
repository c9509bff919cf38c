"""Writes that change nothing: no version, no audit entry, no event."""

from typing import Any

from tests.people import App, Person


async def version(person: Person) -> Any:
    return (await person.get(f"/workshops/{person.workshop}/changes")).json()["version"]


async def entries(person: Person) -> int:
    return len((await person.get(f"/workshops/{person.workshop}/audit")).json()["entries"])


async def test_a_write_that_changes_nothing_gets_no_version(app: App) -> None:
    anna = await app.owner("Anna")
    karol = await app.member(anna, "Karol")
    workshop, order = f"/workshops/{anna.workshop}", await anna.order()
    present = (await anna.get(workshop)).json()
    before = await entries(anna)
    for path, body in [
        (workshop, {}),
        (workshop, {"name": present["name"], "tagline": present["tagline"]}),
        (f"/orders/{order['id']}", {"title": order["title"]}),
        (f"/orders/{order['id']}", {"notes": "", "customerName": order["customerName"]}),
        (f"{workshop}/members/{karol.uid}", {"role": "member"}),
    ]:
        response = await anna.patch(path, body)
        assert response.status_code == 200, response.text
        assert await entries(anna) == before, (path, body)
    assert (await anna.patch(f"/orders/{order['id']}", {"notes": "Oiled"})).json()["notes"] == "Oiled"
    assert (await anna.patch(workshop, {"tagline": "Made to last"})).json()["tagline"] == "Made to last"
    assert await entries(anna) == before + 2
