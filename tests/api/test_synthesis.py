"""Context synthesis over HTTP: what a language model made of the notes, and what is kept of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest

from backbench.domain.times import later, now
from tests.ai_server import (
    INJECTIONS,
    SYNTHESIS,
    AiServer,
    Behaviour,
    ai_server,
    ai_settings,
    hangs,
    held,
    obedient,
    refuses,
    says,
    says_of,
    well,
)
from tests.engines import opened_shop
from tests.people import Person, Shop

NOTES = "We build kitchens from local oak, mostly for families."


@pytest.fixture(scope="module")
def server() -> Iterator[AiServer]:
    with ai_server() as running:
        yield running


@pytest.fixture(scope="module")
async def study(new_database_url: Callable[[], str], server: AiServer) -> AsyncIterator[Shop]:
    """A shop with a language model."""
    async with opened_shop(new_database_url(), **ai_settings(server, ai_timeout=5)) as opened:
        yield opened


@pytest.fixture
async def anna(study: Shop, server: AiServer) -> Person:
    """Has saved notes; her model answers well unless told otherwise."""
    server.behave(says_of(well))
    return await with_notes(await study.owner("Anna"))


async def with_notes(person: Person, notes: str = NOTES) -> Person:
    answer = await person.put(f"/workshops/{person.workshop}/context", {"notes": notes})
    assert answer.status_code == 200, answer.text
    return person


async def synthesize(person: Person) -> httpx.Response:
    return await person.post(f"/workshops/{person.workshop}/context/synthesis")


async def shown(person: Person) -> dict[str, Any]:
    workshop: dict[str, Any] = (await person.get(f"/workshops/{person.workshop}")).json()
    return workshop


async def attempts_of(person: Person) -> list[str]:
    exported = (await person.get("/me/data-export")).json()
    record = next(entry["workshop"] for entry in exported["workshops"] if entry["workshop"]["id"] == person.workshop)
    attempts: list[str] = record["contextSynthesisAttempts"]
    return attempts


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_what_was_derived_is_answered_and_kept(anna: Person) -> None:
    answer = await synthesize(anna)
    assert answer.status_code == 200
    derived = answer.json()
    workshop = await shown(anna)
    assert workshop["contextDerived"] == derived
    assert derived == {
        **SYNTHESIS,
        "sourceUpdatedAt": workshop["context"]["updatedAt"],
        "generatedAt": derived["generatedAt"],
    }
    assert derived["sourceUpdatedAt"] <= derived["generatedAt"] <= now()


async def test_a_member_may_have_it_made(anna: Person) -> None:
    marek = await anna.shop.member(anna)
    assert (await synthesize(marek)).status_code == 200


async def test_it_stands_in_the_audit_trail(anna: Person) -> None:
    await synthesize(anna)
    (entry, *_) = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entry["action"], entry["actorUid"]) == ("synthesis.synthesize", anna.uid)


async def test_newer_notes_leave_what_was_derived_from_older_ones(anna: Person) -> None:
    derived = (await synthesize(anna)).json()
    await with_notes(anna, "We only do stairs now.")
    workshop = await shown(anna)
    assert workshop["contextDerived"] == derived
    assert workshop["contextDerived"]["sourceUpdatedAt"] < workshop["context"]["updatedAt"]


async def test_without_a_provider_it_is_not_configured_with_or_without_notes(shop: Shop) -> None:
    jan = await shop.owner("Jan")
    refused(await synthesize(jan), 503, "ai_not_configured")
    refused(await synthesize(await with_notes(jan)), 503, "ai_not_configured")
    assert await attempts_of(jan) == []


async def test_without_notes_nobody_is_asked(study: Shop, server: AiServer) -> None:
    server.behave(says_of(well))
    jan = await study.owner("Jan")
    refused(await synthesize(jan), 409, "no_notes")
    refused(await synthesize(await with_notes(jan, "")), 409, "no_notes")
    assert (server.asked, await attempts_of(jan)) == ([], [])


async def test_a_stranger_has_nothing_asked(anna: Person, server: AiServer) -> None:
    stranger = await anna.shop.owner("Zofia")
    stranger.workshop = anna.workshop
    assert (await synthesize(stranger)).status_code == 403
    assert (server.asked, await attempts_of(anna)) == ([], [])


# Attempts


async def test_the_sixth_attempt_within_an_hour_is_told_when(anna: Person, server: AiServer) -> None:
    answers = [await synthesize(anna) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 5
    told = [answer.headers["ratelimit"].partition(";t=")[0] for answer in answers]
    assert told == [f'"synthesis";r={left}' for left in (4, 3, 2, 1, 0)]
    answer = await synthesize(anna)
    refused(answer, 429, "rate_limited")
    assert 3500 < int(answer.headers["retry-after"]) <= 3600
    assert answer.headers["ratelimit-policy"] == '"synthesis";q=5;w=3600'
    assert len(server.asked) == 5
    # What was refused keeps nobody waiting longer.
    assert len(await attempts_of(anna)) == 5


async def test_other_workshops_have_attempts_of_their_own(anna: Person) -> None:
    for _ in range(5):
        await synthesize(anna)
    jan = await with_notes(await anna.shop.owner("Jan"))
    assert (await synthesize(jan)).status_code == 200


async def test_the_limit_opens_when_the_oldest_attempt_is_an_hour_old(anna: Person) -> None:
    for _ in range(5):
        await synthesize(anna)
    await oldest_was(anna, 3590)
    answer = await synthesize(anna)
    refused(answer, 429, "rate_limited")
    assert 1 <= int(answer.headers["retry-after"]) <= 10
    await oldest_was(anna, 3600)
    assert (await synthesize(anna)).status_code == 200
    refused(await synthesize(anna), 429, "rate_limited")


async def oldest_was(person: Person, seconds: int) -> None:
    oldest = min(await attempts_of(person))
    sql = "UPDATE ai_attempts SET at = :earlier WHERE workshop_id = :workshop_id AND at = :oldest"
    values = {"earlier": later(now(), -seconds), "workshop_id": person.workshop, "oldest": oldest}
    await person.shop.db.write(lambda db: db.run(sql, **values))


async def test_an_attempt_counts_before_the_model_answers(anna: Person, server: AiServer) -> None:
    slow, may_go_on = held(says_of(well))
    server.behave(slow)
    asking = asyncio.create_task(synthesize(anna))
    await asyncio.to_thread(server.was_asked.wait, 30)
    assert len(await attempts_of(anna)) == 1
    may_go_on.set()
    assert (await asking).status_code == 200


async def test_attempts_hold_over_a_restart(new_database_url: Callable[[], str], server: AiServer) -> None:
    server.behave(refuses(500))
    url = new_database_url()
    async with opened_shop(url, **ai_settings(server)) as before:
        email = (await with_notes(await before.owner("Anna"))).email
        person = await signed_in(before, email)
        for _ in range(5):
            refused(await synthesize(person), 503, "unavailable")
    async with opened_shop(url, **ai_settings(server)) as after:
        refused(await synthesize(await signed_in(after, email)), 429, "rate_limited")


async def test_nodes_share_the_attempts_of_a_workshop(new_database_url: Callable[[], str], server: AiServer) -> None:
    server.behave(says_of(well))
    url = new_database_url()
    async with opened_shop(url, **ai_settings(server)) as one, opened_shop(url, **ai_settings(server)) as other:
        email = (await with_notes(await one.owner("Anna"))).email
        people = [await signed_in(one, email), await signed_in(other, email)]
        answers = await asyncio.gather(*[synthesize(person) for person in people * 6])
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [429] * 7
    assert len(server.asked) == 5


async def signed_in(shop: Shop, email: str) -> Person:
    person = Person(shop, email)
    await person.sign_in()
    (workshop,) = (await person.get("/workshops")).json()["workshops"]
    person.workshop = workshop["id"]
    return person


# A model that says nothing of use


@pytest.mark.parametrize(
    "behaviour",
    [
        hangs,
        refuses(500),
        refuses(401),
        says("I would rather not."),
        says({**SYNTHESIS, "summary": {"en": "x" * 401, "pl": "y"}}),
        says({**SYNTHESIS, "suggestedIntents": {"en": ["One"], "pl": ["Raz"]}}),
        says({**SYNTHESIS, "plan": "pro"}),
    ],
    ids=["silence", "500", "401", "prose", "overlong", "too few", "another member"],
)
async def test_what_is_of_no_use_is_not_kept(anna: Person, server: AiServer, behaviour: Behaviour) -> None:
    derived = (await synthesize(anna)).json()
    server.behave(behaviour)
    refused(await synthesize(anna), 503, "unavailable")
    assert (await shown(anna))["contextDerived"] == derived
    assert len(await attempts_of(anna)) == 2


async def test_a_provider_that_asks_to_wait_is_passed_on(anna: Person, server: AiServer) -> None:
    server.behave(refuses(429, retry_after="17"))
    answer = await synthesize(anna)
    refused(answer, 503, "unavailable")
    assert answer.headers["retry-after"] == "17"


@pytest.mark.parametrize("injection", INJECTIONS[5:])
async def test_what_an_obedient_model_repeats_from_the_notes_is_not_kept(
    anna: Person, server: AiServer, injection: str
) -> None:
    server.behave(says_of(obedient))
    await with_notes(anna, f"{NOTES} {injection}")
    refused(await synthesize(anna), 503, "unavailable")
    assert "contextDerived" not in await shown(anna)


# What happens meanwhile


@pytest.mark.parametrize("notes", ["We only do stairs now.", ""])
async def test_notes_that_change_meanwhile_leave_nothing_of_the_old_ones(
    anna: Person, server: AiServer, notes: str
) -> None:
    slow, may_go_on = held(says_of(well))
    server.behave(slow)
    asking = asyncio.create_task(synthesize(anna))
    await asyncio.to_thread(server.was_asked.wait, 30)
    await with_notes(anna, notes)
    may_go_on.set()
    refused(await asking, 409, "context_changed")
    assert "contextDerived" not in await shown(anna)


async def test_one_who_has_left_meanwhile_leaves_nothing_behind(anna: Person, server: AiServer) -> None:
    marek = await anna.shop.member(anna)
    slow, may_go_on = held(says_of(well))
    server.behave(slow)
    asking = asyncio.create_task(synthesize(marek))
    await asyncio.to_thread(server.was_asked.wait, 30)
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    may_go_on.set()
    assert (await asking).status_code == 403
    assert "contextDerived" not in await shown(anna)


async def test_a_workshop_that_has_gone_meanwhile_is_not_found(anna: Person, server: AiServer) -> None:
    slow, may_go_on = held(says_of(well))
    server.behave(slow)
    asking = asyncio.create_task(synthesize(anna))
    await asyncio.to_thread(server.was_asked.wait, 30)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    may_go_on.set()
    assert (await asking).status_code == 404
