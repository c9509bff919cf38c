"""Payment webhook: signatures, and the shapes of events."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.people import App, Person
from tests.support.databases import running_app
from tests.support.providers.stripe_events import (
    DAY,
    PRICE,
    SELLING,
    bought,
    checked_out,
    customer_gone,
    entitlements,
    item,
    mac_of,
    new_customer,
    now_seconds,
    plan_of,
    refunded,
    send_event,
    send_events,
    signed,
)
from tests.support.violations import violations


@pytest.fixture(scope="module")
async def selling_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    async with running_app(new_database_url(), **SELLING) as opened:
        yield opened


@pytest.fixture
async def anna(selling_app: App) -> Person:
    return await selling_app.owner("Anna")


async def send(app: App, payload: bytes, signature: str) -> int:
    return (await app.anonymous().post("/webhooks/stripe", payload, stripe_signature=signature)).status_code


# Signatures


def forged(payload: bytes) -> dict[str, tuple[bytes, str]]:
    at = now_seconds()
    good = mac_of(payload, at)
    return {
        "unsigned": (payload, ""),
        "no signature": (payload, f"t={at}"),
        "no timestamp": (payload, f"v1={good}"),
        "another secret": (payload, f"t={at},v1={mac_of(payload, at, 'whsec_guessed')}"),
        "no secret": (payload, f"t={at},v1={mac_of(payload, at, '')}"),
        "changed body": (payload.replace(b"active", b"trialing"), f"t={at},v1={good}"),
        "an extra space": (payload + b" ", f"t={at},v1={good}"),
        "another timestamp": (payload, f"t={at + 1},v1={good}"),
        "six minutes old": (payload, f"t={at - 360},v1={mac_of(payload, at - 360)}"),
        "another scheme": (payload, f"t={at},v0={good}"),
        "half a signature": (payload, f"t={at},v1={good[:32]}"),
        "a letter outside ASCII": (payload, f"t={at},v1=ł{good}"),
        "malformed": (payload, "=,=,t=x,v1"),
        "not UTF-8": (b"\xff" + payload, f"t={at},v1={mac_of(bytes([255]) + payload, at)}"),
    }


async def test_an_event_without_a_valid_signature_is_rejected(anna: Person) -> None:
    payload, _ = signed(bought(anna.workshop, new_customer(), now_seconds()))
    with violations() as case:
        for name, (body, signature) in forged(payload).items():
            with case(name):
                headers = [(b"stripe-signature", signature.encode())]
                browser = anna.app.anonymous().browser
                response = await browser.post("/api/webhooks/stripe", content=body, headers=headers)
                assert (response.status_code, response.json()["code"]) == (400, "validation_error")
                assert await plan_of(anna) == ("free", None)


async def test_one_valid_signature_among_several_is_enough(anna: Person) -> None:
    """While the host rotates the secret, the provider signs with both."""
    payload, _ = signed(bought(anna.workshop, new_customer(), now_seconds()))
    at = now_seconds()
    signature = f"t={at},v1={mac_of(payload, at, 'whsec_old')},v1={mac_of(payload, at)},v0=abc"
    assert await send(anna.app, payload, signature) == 204
    assert await plan_of(anna) == ("pro", "subscription")


async def test_the_signature_is_checked_over_the_raw_bytes(anna: Person) -> None:
    """Letters of any script, and white space that the server's own encoder does not write."""
    event = bought(anna.workshop, new_customer(), now_seconds())
    event["data"]["object"]["description"] = "Stół dębowy — 木の机 🪑 \u2028"
    payload = signed(event)[0].replace(b'{"id"', b'\n {  "id" ', 1)
    at = now_seconds()
    assert await send(anna.app, payload, f"t={at},v1={mac_of(payload, at)}") == 204
    assert await plan_of(anna) == ("pro", "subscription")


async def test_a_session_does_not_replace_the_signature(anna: Person) -> None:
    payload, _ = signed(bought(anna.workshop, new_customer(), now_seconds()))
    assert (await anna.post("/webhooks/stripe", payload)).status_code == 400
    assert await plan_of(anna) == ("free", None)


async def test_an_event_without_a_provider_is_503(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    response = await send_event(free_app, bought(anna.workshop, new_customer(), now_seconds()))
    assert (response.status_code, response.json()["code"]) == (503, "payments_not_configured")
    assert await plan_of(anna) == ("free", None)


# Shapes of events


def with_subject(event: dict[str, Any], **subject: Any) -> dict[str, Any]:
    return {**event, "data": {"object": {**event["data"]["object"], **subject}}}


def malformed(workshop_id: str) -> dict[str, Any]:
    """Events with a valid signature and an invalid shape."""
    at, customer = now_seconds(), new_customer()
    good = bought(workshop_id, customer, at)
    charge, deletion = refunded(customer, at, at), customer_gone(customer, at)
    period = item(PRICE, at, at + DAY)
    return {
        "a list": [good],
        "a number": 5,
        "no id": {name: value for name, value in good.items() if name != "id"},
        "an id that is a number": {**good, "id": 5},
        "an id with a null": {**good, "id": "evt_\0"},
        "a long id": {**good, "id": "evt_" + "x" * 252},
        "no timestamp": {**good, "created": None},
        "a timestamp out of range": {**good, "created": 10**18},
        "a subject that is text": {**good, "data": {"object": "sub_1"}},
        "no subject": {**good, "data": {}},
        "an unknown status": with_subject(good, status="asleep"),
        "no items": with_subject(good, items={"data": []}),
        "items that are text": with_subject(good, items="none"),
        "an item without a price": with_subject(good, items={"data": [{**period, "price": None}]}),
        "a period without end": with_subject(
            good, items={"data": [{"price": {"id": PRICE}, "current_period_start": at}]}
        ),
        "a period that is text": with_subject(good, items={"data": [{**period, "current_period_end": "soon"}]}),
        "no customer": with_subject(good, customer=None),
        "a customer without id": with_subject(good, customer={}),
        "a customer with a null": with_subject(good, customer="cus_\0"),
        "metadata that is a list": with_subject(good, metadata=["x"]),
        "a workshop that is a number": with_subject(good, metadata={"workshopId": 5}),
        "a workshop with a null": with_subject(good, metadata={"workshopId": "\0"}),
        "a long workshop": with_subject(good, metadata={"workshopId": "x" * 256}),
        "an end that is text": with_subject(good, cancel_at="soon"),
        "a checkout for a list": with_subject(
            checked_out(workshop_id, customer, at), client_reference_id=["x"], metadata={"workshopId": ["x"]}
        ),
        "a refund without a timestamp": with_subject(charge, created="then"),
        "a deleted customer without id": with_subject(deletion, id=None),
    }


async def test_a_signed_event_of_unknown_shape_is_rejected(anna: Person) -> None:
    with violations() as case:
        for name, event in malformed(anna.workshop).items():
            with case(name):
                response = await send_event(anna.app, event)
                assert (response.status_code, response.json()["code"]) == (400, "validation_error")
                assert await plan_of(anna) == ("free", None)


@pytest.mark.parametrize("payload", [b"", b"{", b"null", b'{"id": NaN}', b"\xef\xbb\xbf{}", b"[" * 100_000])
async def test_an_event_that_is_not_json_is_rejected(selling_app: App, payload: bytes) -> None:
    at = now_seconds()
    assert await send(selling_app, payload, f"t={at},v1={mac_of(payload, at)}") == 400


async def test_a_too_large_event_is_413(selling_app: App) -> None:
    payload, signature = signed({"id": "evt_big", "pad": "x" * (256 * 1024)})
    assert await send(selling_app, payload, signature) == 413


async def test_the_longest_provider_ids_are_stored(anna: Person) -> None:
    customer = "cus_" + "x" * 246
    event = {**bought(anna.workshop, customer, now_seconds()), "id": "evt_" + "x" * 251}
    event["data"]["object"]["id"] = "sub_" + "x" * 251
    assert (await send_event(anna.app, event)).status_code == 204
    exported = (await anna.get("/me/data-export")).json()["workshops"][0]["workshop"]
    assert exported["billingCustomerId"] == customer


async def test_an_expanded_customer_is_accepted_like_its_id(anna: Person) -> None:
    event = bought(anna.workshop, new_customer(), now_seconds())
    event["data"]["object"]["customer"] = {"id": new_customer(), "object": "customer"}
    assert (await send_event(anna.app, event)).status_code == 204
    assert await plan_of(anna) == ("pro", "subscription")


# What else the provider's account sells


def bought_for(price: str, workshop_id: str | None, customer: str, at: int) -> dict[str, Any]:
    """The event of a subscription to that price."""
    event = bought(workshop_id, customer, at)
    event["data"]["object"]["items"] = {"data": [item("price_boots", at, at + DAY), item(price, at, at + 30 * DAY)]}
    return event


async def test_a_subscription_to_another_price_is_not_pro(selling_app: App, anna: Person) -> None:
    customer, at = new_customer(), now_seconds()
    await send_events(
        selling_app, checked_out(anna.workshop, customer, at), bought_for("price_news", anna.workshop, customer, at)
    )
    assert await plan_of(anna) == ("free", None)
    await send_events(selling_app, bought_for(PRICE, anna.workshop, customer, at + 1))
    assert await plan_of(anna) == ("pro", "subscription")
    await send_events(selling_app, bought_for("price_news", anna.workshop, customer, at + 2))
    assert await plan_of(anna) == ("free", None)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204


async def test_earlier_prices_of_pro_still_count(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), **{**SELLING, "stripe_price": "price_new, price_old"}) as app:
        anna = await app.owner("Anna")
        await send_events(app, bought_for("price_old", anna.workshop, new_customer(), now_seconds()))
        assert await plan_of(anna) == ("pro", "subscription")


@pytest.mark.parametrize("changed", [{"metadata": {}}, {"metadata": None}, {"mode": "payment"}], ids=str)
async def test_only_checkouts_made_here_link_a_customer(
    selling_app: App, anna: Person, changed: dict[str, Any]
) -> None:
    customer, at = new_customer(), now_seconds()
    await send_events(selling_app, with_subject(checked_out(anna.workshop, customer, at), **changed))
    await send_events(selling_app, bought(None, customer, at))
    state = await entitlements(anna)
    assert (state["plan"], state["billing"]["hasAccount"]) == ("free", False)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "reversed"])
async def test_a_later_customer_does_not_replace_the_first(selling_app: App, anna: Person, is_reversed: bool) -> None:
    first, second, at = new_customer(), new_customer(), now_seconds()
    events = [checked_out(anna.workshop, first, at), checked_out(anna.workshop, second, at + 1)]
    await send_events(selling_app, *(reversed(events) if is_reversed else events))
    sql = "SELECT billing_customer_id FROM workshops WHERE id = :id"
    async with selling_app.db.read() as db:
        assert await db.value(sql, id=anna.workshop) == first
    await send_events(selling_app, customer_gone(first, at + 2))
    async with selling_app.db.read() as db:
        assert await db.value(sql, id=anna.workshop) == second
