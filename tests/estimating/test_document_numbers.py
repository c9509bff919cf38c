"""Numbers of documents: no two documents of a workshop have the same one."""

import asyncio
from typing import Any

import pytest

from backbench.values import times
from tests.people import App, Person

YEAR = times.now()[:4]


@pytest.fixture
async def anna(app: App) -> Person:
    return await app.owner("Anna")


async def new(person: Person) -> str:
    return f"/estimates/{(await person.estimate())['id']}"


async def give(person: Person, path: str, number: str | None) -> Any:
    return await person.put(f"{path}/document", {} if number is None else {"number": number})


async def confirm(person: Person, path: str) -> str:
    """Confirms the estimate; the number of its documents."""
    response = await person.post(f"{path}/confirm")
    assert response.status_code == 201, response.text
    revision = response.json()["revision"]["revisionNumber"]
    number: str = (await person.get(f"{path}/revisions/{revision}/totals")).json()["number"]
    return number


def assert_taken(response: Any) -> None:
    assert (response.status_code, response.json()["code"]) == (409, "number_taken"), response.text


async def test_the_series_skips_numbers_that_members_have_given(anna: Person) -> None:
    first, own, second = [await new(anna) for _ in range(3)]
    assert (await give(anna, own, f"1/{YEAR}")).status_code == 200
    assert (await give(anna, own, f"2/{YEAR}")).status_code == 200
    assert await confirm(anna, own) == f"2/{YEAR}"
    # 1 was given back when 2 was given, so there is no gap.
    assert await confirm(anna, first) == f"1/{YEAR}"
    assert await confirm(anna, second) == f"3/{YEAR}"


@pytest.mark.parametrize("number", ["Z-7", f"5/{YEAR}", "05/2020"])
async def test_an_own_number_of_another_document_is_refused(anna: Person, number: str) -> None:
    first, second = await new(anna), await new(anna)
    assert (await give(anna, first, number)).status_code == 200
    assert_taken(await give(anna, second, number))
    assert (await anna.get(f"{second}/document")).json() == {}
    # The same again is no conflict with itself.
    assert (await give(anna, first, number)).status_code == 200
    # Compared exactly.
    assert (await give(anna, second, f"{number} ")).status_code == 200


@pytest.mark.both_engines
async def test_a_number_of_the_series_is_refused_to_others_also_after_its_estimate_was_deleted(anna: Person) -> None:
    first, second = await new(anna), await new(anna)
    number = await confirm(anna, first)
    assert_taken(await give(anna, second, number))
    assert (await give(anna, first, number)).status_code == 200
    assert (await anna.delete(first)).status_code == 204
    assert_taken(await give(anna, second, number))
    assert await confirm(anna, second) == f"2/{YEAR}"


@pytest.mark.parametrize("number", ["Z-7", f"1/{YEAR}"])
async def test_a_number_that_a_revision_shows_stays_taken(anna: Person, number: str) -> None:
    first, second, third = [await new(anna) for _ in range(3)]
    await give(anna, first, number)
    assert await confirm(anna, first) == number
    await give(anna, first, "Another")
    assert_taken(await give(anna, second, number))
    await anna.delete(first)
    assert_taken(await give(anna, second, number))
    assert_taken(await give(anna, second, "Another"))
    assert await confirm(anna, third) != number


@pytest.mark.parametrize("number", ["Z-7", f"1/{YEAR}"])
async def test_a_number_that_no_revision_shows_is_given_back(anna: Person, number: str) -> None:
    first, second = await new(anna), await new(anna)
    await give(anna, first, number)
    await give(anna, first, None)
    assert (await give(anna, second, number)).status_code == 200
    await anna.delete(second)
    assert (await give(anna, first, number)).status_code == 200


async def test_an_own_number_put_later_is_the_documents_from_then_on(anna: Person) -> None:
    path = await new(anna)
    assert await confirm(anna, path) == f"1/{YEAR}"
    await give(anna, path, "Z-7")
    assert await confirm(anna, path) == "Z-7"
    await give(anna, path, None)
    assert await confirm(anna, path) == f"1/{YEAR}"


async def test_another_workshop_may_have_the_same_numbers(app: App, anna: Person) -> None:
    marek = await app.owner("Marek")
    for person in (anna, marek):
        path = await new(person)
        assert (await give(person, path, "Z-7")).status_code == 200
        assert await confirm(person, await new(person)) == f"1/{YEAR}"


@pytest.mark.both_engines
async def test_concurrent_numbers_are_all_different(anna: Person) -> None:
    paths = [await new(anna) for _ in range(8)]
    own = [await new(anna) for _ in range(4)]
    given, *numbers = await asyncio.gather(
        asyncio.gather(*(give(anna, path, f"{number}/{YEAR}") for number, path in enumerate(own, 2))),
        *(confirm(anna, path) for path in paths),
    )
    accepted = [f"{number}/{YEAR}" for number, response in enumerate(given, 2) if response.status_code == 200]
    assert len({*numbers, *accepted}) == len(numbers) + len(accepted)
    places = sorted(int(number.partition("/")[0]) for number in {*numbers, *accepted})
    assert places == list(range(1, len(places) + 1))


async def test_duplicates_from_before_are_left_and_new_ones_refused(app: App, anna: Person) -> None:
    """A row of a year that an earlier version wrote does not list the numbers that members have given."""
    own, first = await new(anna), await new(anna)
    await give(anna, own, f"2/{YEAR}")
    assert await confirm(anna, first) == f"1/{YEAR}"
    sql = "UPDATE document_series SET own = '' WHERE workshop_id = :id"
    await app.db.write(lambda db: db.run(sql, id=anna.workshop))
    assert await confirm(anna, await new(anna)) == f"3/{YEAR}"
