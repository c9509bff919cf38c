"""Context synthesis API: a summary that a language model derives from the notes of a workshop."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest

from backbench.values.times import later, now
from tests.people import App, Person
from tests.support.databases import running_app
from tests.support.providers.ai_server import (
    INJECTIONS,
    SYNTHESIS,
    AiServer,
    Behaviour,
    ai_server,
    ai_settings,
    fails,
    good_response,
    hangs,
    held,
    obedient_response,
    responds,
    responds_by,
)

NOTES = "We build kitchens from local oak, mostly for families."


@pytest.fixture(scope="module")
def server() -> Iterator[AiServer]:
    with ai_server() as running:
        yield running


@pytest.fixture(scope="module")
async def service(new_database_url: Callable[[], str], server: AiServer) -> AsyncIterator[App]:
    """A service with a language model."""
    async with running_app(new_database_url(), **ai_settings(server, ai_timeout=60)) as opened:
        yield opened


@pytest.fixture
async def hurried(new_database_url: Callable[[], str], server: AiServer) -> AsyncIterator[Person]:
    """As Anna, of a service that waits for the model two seconds. On a busy machine a good response may take longer."""
    async with running_app(new_database_url(), **ai_settings(server, ai_timeout=2)) as opened:
        yield await with_notes(await opened.owner("Anna"))


@pytest.fixture
async def anna(service: App, server: AiServer) -> Person:
    """An owner with notes. The model gives good responses unless a test sets another behaviour."""
    server.behave(responds_by(good_response))
    return await with_notes(await service.owner("Anna"))


async def with_notes(person: Person, notes: str = NOTES) -> Person:
    response = await person.put(f"/workshops/{person.workshop}/context", {"notes": notes})
    assert response.status_code == 200, response.text
    return person


async def synthesize(person: Person) -> httpx.Response:
    return await person.post(f"/workshops/{person.workshop}/context/synthesis")


async def workshop_of(person: Person) -> dict[str, Any]:
    workshop: dict[str, Any] = (await person.get(f"/workshops/{person.workshop}")).json()
    return workshop


async def attempts_of(person: Person) -> list[str]:
    exported = (await person.get("/me/data-export")).json()
    record = next(entry["workshop"] for entry in exported["workshops"] if entry["workshop"]["id"] == person.workshop)
    attempts: list[str] = record["contextSynthesisAttempts"]
    return attempts


def assert_error(response: httpx.Response, status: int, code: str) -> None:
    assert (response.status_code, response.json()["code"]) == (status, code)


async def test_a_synthesis_is_returned_and_stored(anna: Person) -> None:
    response = await synthesize(anna)
    assert response.status_code == 200
    derived = response.json()
    workshop = await workshop_of(anna)
    assert workshop["contextDerived"] == derived
    assert derived == {
        **SYNTHESIS,
        "sourceUpdatedAt": workshop["context"]["updatedAt"],
        "generatedAt": derived["generatedAt"],
    }
    assert derived["sourceUpdatedAt"] <= derived["generatedAt"] <= now()


@pytest.mark.both_engines
async def test_a_member_may_synthesize(anna: Person) -> None:
    marek = await anna.app.member(anna)
    assert (await synthesize(marek)).status_code == 200


async def test_a_synthesis_that_is_repeated_with_its_key_is_made_once(anna: Person, server: AiServer) -> None:
    path = f"/workshops/{anna.workshop}/context/synthesis"
    first, again = [await anna.post(path, idempotency_key="k") for _ in range(2)]
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert len(server.requests) == 1


async def test_a_synthesis_is_in_the_audit_trail(anna: Person) -> None:
    await synthesize(anna)
    (entry, *_) = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entry["action"], entry["actorUid"]) == ("workshop.updated", anna.uid)


async def test_newer_notes_do_not_delete_the_synthesis_of_older_ones(anna: Person) -> None:
    derived = (await synthesize(anna)).json()
    await with_notes(anna, "We only do stairs now.")
    workshop = await workshop_of(anna)
    assert workshop["contextDerived"] == derived
    assert workshop["contextDerived"]["sourceUpdatedAt"] < workshop["context"]["updatedAt"]


async def test_without_a_provider_synthesis_is_not_configured(app: App) -> None:
    jan = await app.owner("Jan")
    assert_error(await synthesize(jan), 503, "ai_not_configured")
    assert_error(await synthesize(await with_notes(jan)), 503, "ai_not_configured")
    assert await attempts_of(jan) == []


async def test_without_notes_no_model_is_called(service: App, server: AiServer) -> None:
    server.behave(responds_by(good_response))
    jan = await service.owner("Jan")
    assert_error(await synthesize(jan), 409, "no_notes")
    assert_error(await synthesize(await with_notes(jan, "")), 409, "no_notes")
    assert (server.requests, await attempts_of(jan)) == ([], [])


async def test_a_stranger_cannot_synthesize(anna: Person, server: AiServer) -> None:
    stranger = await anna.app.owner("Zofia")
    stranger.workshop = anna.workshop
    assert (await synthesize(stranger)).status_code == 403
    assert (server.requests, await attempts_of(anna)) == ([], [])


# Attempts


async def test_the_6th_attempt_within_an_hour_is_rejected_with_retry_after(anna: Person, server: AiServer) -> None:
    responses = [await synthesize(anna) for _ in range(5)]
    assert [response.status_code for response in responses] == [200] * 5
    quotas = [response.headers["ratelimit"].partition(";t=")[0] for response in responses]
    assert quotas == [f'"synthesis";r={left}' for left in (4, 3, 2, 1, 0)]
    response = await synthesize(anna)
    assert_error(response, 429, "rate_limited")
    assert 3500 < int(response.headers["retry-after"]) <= 3600
    assert response.headers["ratelimit-policy"] == '"synthesis";q=5;w=3600'
    assert len(server.requests) == 5
    # A rejected attempt is not counted.
    assert len(await attempts_of(anna)) == 5


async def test_each_workshop_has_its_own_limit(anna: Person) -> None:
    for _ in range(5):
        await synthesize(anna)
    jan = await with_notes(await anna.app.owner("Jan"))
    assert (await synthesize(jan)).status_code == 200


async def test_an_attempt_is_possible_when_the_oldest_is_an_hour_old(anna: Person) -> None:
    for _ in range(5):
        await synthesize(anna)
    await move_oldest_attempt_back(anna, 3590)
    response = await synthesize(anna)
    assert_error(response, 429, "rate_limited")
    assert 1 <= int(response.headers["retry-after"]) <= 10
    await move_oldest_attempt_back(anna, 3600)
    assert (await synthesize(anna)).status_code == 200
    assert_error(await synthesize(anna), 429, "rate_limited")


async def move_oldest_attempt_back(person: Person, seconds: int) -> None:
    oldest = min(await attempts_of(person))
    sql = "UPDATE ai_attempts SET at = :earlier WHERE workshop_id = :workshop_id AND at = :oldest"
    values = {"earlier": later(now(), -seconds), "workshop_id": person.workshop, "oldest": oldest}
    await person.app.db.write(lambda db: db.run(sql, **values))


async def test_an_attempt_counts_before_the_model_responds(anna: Person, server: AiServer) -> None:
    slow, release = held(responds_by(good_response))
    server.behave(slow)
    synthesizing = asyncio.create_task(synthesize(anna))
    await asyncio.to_thread(server.received.wait, 60)
    assert len(await attempts_of(anna)) == 1
    release.set()
    assert (await synthesizing).status_code == 200


async def test_attempts_are_still_counted_after_a_restart(
    new_database_url: Callable[[], str], server: AiServer
) -> None:
    server.behave(fails(500))
    url = new_database_url()
    async with running_app(url, **ai_settings(server)) as before:
        email = (await with_notes(await before.owner("Anna"))).email
        person = await signed_in(before, email)
        for _ in range(5):
            assert_error(await synthesize(person), 503, "unavailable")
    async with running_app(url, **ai_settings(server)) as after:
        assert_error(await synthesize(await signed_in(after, email)), 429, "rate_limited")


async def test_nodes_share_the_attempts_of_a_workshop(new_database_url: Callable[[], str], server: AiServer) -> None:
    server.behave(responds_by(good_response))
    url = new_database_url()
    async with running_app(url, **ai_settings(server)) as one, running_app(url, **ai_settings(server)) as other:
        email = (await with_notes(await one.owner("Anna"))).email
        people = [await signed_in(one, email), await signed_in(other, email)]
        responses = await asyncio.gather(*[synthesize(person) for person in people * 6])
    assert sorted(response.status_code for response in responses) == [200] * 5 + [429] * 7
    assert len(server.requests) == 5


async def signed_in(app: App, email: str) -> Person:
    person = Person(app, email)
    await person.sign_in()
    (workshop,) = (await person.get("/workshops")).json()["workshops"]
    person.workshop = workshop["id"]
    return person


# Unusable responses


@pytest.mark.parametrize(
    "behaviour",
    [
        fails(500),
        fails(401),
        responds("I would rather not."),
        responds({**SYNTHESIS, "summary": {"en": "x" * 401, "pl": "y"}}),
        responds({**SYNTHESIS, "suggestedIntents": {"en": ["One"], "pl": ["Raz"]}}),
        responds({**SYNTHESIS, "plan": "pro"}),
    ],
    ids=["500", "401", "prose", "too long", "too few", "another member"],
)
async def test_an_unusable_response_is_not_stored(anna: Person, server: AiServer, behaviour: Behaviour) -> None:
    derived = (await synthesize(anna)).json()
    server.behave(behaviour)
    assert_error(await synthesize(anna), 503, "unavailable")
    assert (await workshop_of(anna))["contextDerived"] == derived
    assert len(await attempts_of(anna)) == 2


async def test_a_late_response_is_not_stored(hurried: Person, server: AiServer) -> None:
    server.behave(hangs)
    assert_error(await synthesize(hurried), 503, "unavailable")
    assert "contextDerived" not in await workshop_of(hurried)
    assert len(await attempts_of(hurried)) == 1


async def test_the_retry_after_of_a_provider_is_passed_on(anna: Person, server: AiServer) -> None:
    server.behave(fails(429, retry_after="17"))
    response = await synthesize(anna)
    assert_error(response, 503, "unavailable")
    assert response.headers["retry-after"] == "17"


@pytest.mark.parametrize("injection", INJECTIONS[5:])
async def test_an_obeyed_injection_is_not_stored(anna: Person, server: AiServer, injection: str) -> None:
    server.behave(responds_by(obedient_response))
    await with_notes(anna, f"{NOTES} {injection}")
    assert_error(await synthesize(anna), 503, "unavailable")
    assert "contextDerived" not in await workshop_of(anna)


# Changes during a synthesis


@pytest.mark.parametrize("notes", ["We only do stairs now.", ""])
async def test_a_synthesis_is_rejected_if_the_notes_changed_meanwhile(
    anna: Person, server: AiServer, notes: str
) -> None:
    slow, release = held(responds_by(good_response))
    server.behave(slow)
    synthesizing = asyncio.create_task(synthesize(anna))
    await asyncio.to_thread(server.received.wait, 60)
    await with_notes(anna, notes)
    release.set()
    assert_error(await synthesizing, 409, "context_changed")
    assert "contextDerived" not in await workshop_of(anna)


async def test_a_member_removed_meanwhile_cannot_store_a_synthesis(anna: Person, server: AiServer) -> None:
    marek = await anna.app.member(anna)
    slow, release = held(responds_by(good_response))
    server.behave(slow)
    synthesizing = asyncio.create_task(synthesize(marek))
    await asyncio.to_thread(server.received.wait, 60)
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    release.set()
    assert (await synthesizing).status_code == 403
    assert "contextDerived" not in await workshop_of(anna)


async def test_a_workshop_deleted_meanwhile_is_not_found(anna: Person, server: AiServer) -> None:
    slow, release = held(responds_by(good_response))
    server.behave(slow)
    synthesizing = asyncio.create_task(synthesize(anna))
    await asyncio.to_thread(server.received.wait, 60)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    release.set()
    assert (await synthesizing).status_code == 404
