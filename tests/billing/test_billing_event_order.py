"""Billing events in any order, with trials and grants: the resulting plan is the same."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from backbench.billing import billing
from backbench.billing.plans import FREE, Plan
from backbench.billing.subscriptions import BillingEvent
from backbench.engine.database import Write
from backbench.hosting.administration import set_plan
from backbench.providers import payments_of
from backbench.values.ids import new_id
from backbench.values.times import later, now
from tests.people import App, Person
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.providers.stripe_events import (
    DAY,
    SELLING,
    bought,
    checked_out,
    customer_gone,
    entitlements,
    event_of,
    new_customer,
    now_seconds,
    plan_of,
    refunded,
    send_event,
    send_events,
    signed,
    subscription,
)

Event = dict[str, Any]


@pytest.fixture(scope="module")
async def selling_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    async with running_app(new_database_url(), workshops_per_account=1000, **SELLING) as opened:
        yield opened


# Order


@pytest.mark.parametrize("number", [250, pytest.param(1000, marks=pytest.mark.prove)])
async def test_shuffled_and_repeated_events_give_the_result_of_ordered_ones(selling_app: App, number: int) -> None:
    chance = random.Random(20261121)
    anna = await selling_app.owner("Anna")
    workshops = [(await anna.post("/workshops", {"name": "Oak"})).json()["id"] for _ in range(40)]
    await selling_app.put_on_pro(workshops[0], until=later(now(), 40 * DAY))
    await selling_app.put_on_pro(workshops[1])
    await anna.post(f"/workshops/{workshops[2]}/billing/trial")
    events = list(_random_events(chance, workshops, number))
    assert len(events) == number
    await apply_events(selling_app, events)
    in_order = await _billing_of(selling_app, workshops)

    await _delete_billing(selling_app, workshops[3:])
    tripled = events * 3
    chance.shuffle(tripled)
    await apply_events(selling_app, tripled)
    assert await _billing_of(selling_app, workshops) == in_order
    # The events must vary enough: few workshops have the same result, and each kind of plan occurs.
    assert len(set(in_order)) >= 20
    assert {line.split()[-1] for line in in_order} >= {"grant", "subscription", "-"}


async def apply_events(app: App, events: list[Event]) -> None:
    """Applies signed events, fifty in a transaction: over HTTP this would take a minute."""
    payments = payments_of(app.backbench.settings)
    assert payments is not None
    for at in range(0, len(events), 50):
        some = [await payments.event(*signed(event)) for event in events[at : at + 50]]

        async def take(db: Write, some: list[BillingEvent] = some) -> None:
            for event in some:
                await billing.apply(db, event, now(), new_id)

        await app.db.write(take)


def _random_events(chance: random.Random, workshops: list[str], length: int) -> Iterator[Event]:
    """Events of customers that pay for two workshops, that move, and that come before their checkout."""
    at = now_seconds() - 2 * length
    # Few events per customer: with many, the last ones hide the effect of the order of the first.
    customers = [(new_customer(), chance.sample(workshops, 2)) for _ in range(length // 4)]
    for _ in range(length):
        # Sometimes several in the same second, as the provider sends them.
        at += chance.choice([0, 1, 1, 2])
        customer, (first, second) = chance.choice(customers)
        workshop = first if chance.random() < 0.8 else second
        match chance.randrange(24):
            case 0 | 1:
                yield refunded(customer, at - chance.choice([0, 60, 600]), at)
            case 2:
                yield customer_gone(customer, at) if chance.random() < 0.2 else checked_out(workshop, customer, at)
            case 3 | 4:
                yield checked_out(workshop, customer, at)
            case _:
                status = chance.choice(["active", "active", "trialing", "past_due", "canceled", "unpaid", "incomplete"])
                named = workshop if chance.random() < 0.9 else None
                yield bought(
                    named,
                    customer,
                    at,
                    status=status,
                    days=chance.choice([30, 60]),
                    cancels=chance.random() < 0.3,
                    number=chance.randrange(2),
                )


async def _billing_of(app: App, workshops: list[str]) -> list[str]:
    """The billing columns of the workshops, one line each."""
    sql = """
        SELECT coalesce(billing_customer_id, '-') || ' ' || coalesce(billing_subscription_id, '-') || ' ' ||
            billing_cancel_at_period_end || ' ' || plan || ' ' || coalesce(plan_expires_at, '-') || ' ' ||
            coalesce(plan_source, '-')
        FROM workshops WHERE id = :id
    """
    async with app.db.read() as db:
        return [str(await db.value(sql, id=workshop)) for workshop in workshops]


async def _delete_billing(app: App, workshops: list[str]) -> None:
    """Deletes every billing event and what it has changed."""

    async def delete(db: Any) -> None:
        for table in ("billing_events", "billing_subscriptions", "billing_customers"):
            await db.run(f"DELETE FROM {table}")
        for workshop in workshops:
            await db.run(
                """
                UPDATE workshops SET plan = 'free', plan_expires_at = NULL, plan_source = NULL,
                    billing_customer_id = NULL, billing_subscription_id = NULL, billing_cancel_at_period_end = 0
                WHERE id = :id
                """,
                id=workshop,
            )

    await app.db.write(delete)


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "reversed"])
async def test_a_customer_belongs_to_the_workshop_of_the_latest_checkout(selling_app: App, is_reversed: bool) -> None:
    anna, jan = await selling_app.owner("Anna"), await selling_app.owner("Jan")
    customer, at = new_customer(), now_seconds()
    checkouts = [checked_out(anna.workshop, customer, at - 2), checked_out(jan.workshop, customer, at - 1)]
    await send_events(selling_app, *(reversed(checkouts) if is_reversed else checkouts))
    assert (await entitlements(anna))["billing"]["hasAccount"] is False
    assert (await entitlements(jan))["billing"]["hasAccount"] is True


@pytest.mark.both_engines
async def test_two_checkouts_in_one_second_give_the_same_result_in_any_order(selling_app: App) -> None:
    results = []
    people = [await selling_app.owner("Anna"), await selling_app.owner("Jan")]
    for order in (people, people[::-1]):
        customer, at = new_customer(), now_seconds()
        await send_events(selling_app, *[checked_out(person.workshop, customer, at) for person in order])
        results.append(
            [customer in line for line in await _billing_of(selling_app, [person.workshop for person in people])]
        )
        await send_events(selling_app, customer_gone(customer, at))
    assert results[0] == results[1]
    assert sorted(results[0]) == [False, True]


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "reversed"])
async def test_a_subscription_moved_to_another_workshop_pays_only_for_that_one(
    selling_app: App, is_reversed: bool
) -> None:
    anna, jan = await selling_app.owner("Anna"), await selling_app.owner("Jan")
    customer, at = new_customer(), now_seconds()
    moves = [bought(anna.workshop, customer, at - 2), bought(jan.workshop, customer, at - 1)]
    await send_events(selling_app, *(reversed(moves) if is_reversed else moves))
    assert await plan_of(anna) == ("free", None)
    assert await plan_of(jan) == ("pro", "subscription")


async def test_two_workshops_of_one_customer_have_separate_subscriptions(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    second = (await anna.post("/workshops", {"name": "Second"})).json()["id"]
    customer, at = new_customer(), now_seconds()
    await send_events(selling_app, bought(anna.workshop, customer, at), bought(second, customer, at, number=2))
    await send_events(
        selling_app, checked_out(second, customer, at), bought(second, customer, at + 1, number=2, status="canceled")
    )
    assert await plan_of(anna) == ("pro", "subscription")
    assert (await anna.get(f"/workshops/{second}")).json()["plan"] == "free"


async def test_events_of_unknown_customers_and_workshops_change_nothing(selling_app: App) -> None:
    nowhere, customer, at = "01890000-0000-7000-8000-000000000000", new_customer(), now_seconds()
    before = await all_but_billing_tables(selling_app)
    await send_events(
        selling_app,
        bought(nowhere, customer, at),
        checked_out(nowhere, customer, at),
        refunded(new_customer(), at, at),
        customer_gone(new_customer(), at),
        bought(None, new_customer(), at),
    )
    assert await all_but_billing_tables(selling_app) == before


async def all_but_billing_tables(selling_app: App) -> dict[str, list[str]]:
    """All tables but those of billing: events, and the subscriptions and customers they name, are stored for later."""
    return {table: rows for table, rows in (await dump_of(selling_app.db)).items() if not table.startswith("billing_")}


# Repetition


async def test_a_repeated_event_is_not_applied_again(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    event = bought(anna.workshop, new_customer(), now_seconds())
    await send_events(selling_app, event)
    await selling_app.db.write(lambda db: set_plan(db, anna.workshop, FREE, now(), new_id))
    await send_events(selling_app, event)
    assert await plan_of(anna) == ("free", None)


@pytest.mark.both_engines
async def test_twenty_parallel_copies_of_an_event_are_applied_once(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    event = bought(anna.workshop, new_customer(), now_seconds())
    responses = await asyncio.gather(*[send_event(selling_app, event) for _ in range(20)])
    assert {response.status_code for response in responses} == {204}
    assert await plan_of(anna) == ("pro", "subscription")
    async with selling_app.db.read() as db:
        assert await db.value("SELECT count(*) FROM billing_events WHERE id = :id", id=event["id"]) == 1


# Trials and grants


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "reversed"])
async def test_a_grant_outlives_a_longer_subscription_that_ends_early(selling_app: App, is_reversed: bool) -> None:
    anna = await selling_app.owner("Anna")
    until = later(now(), 20 * DAY)
    await selling_app.put_on_pro(anna.workshop, until=until)
    customer, at = new_customer(), now_seconds()
    events = [bought(anna.workshop, customer, at - 2), bought(anna.workshop, customer, at - 1, status="canceled")]
    await send_events(selling_app, *(reversed(events) if is_reversed else events))
    state = await entitlements(anna)
    assert (state["plan"], state["planExpiresAt"], state["billing"]["planSource"]) == ("pro", until, "grant")


async def test_the_longest_of_grant_trial_and_subscription_applies(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert await plan_of(anna) == ("pro", "trial")
    customer, at = new_customer(), now_seconds()
    await send_events(selling_app, bought(anna.workshop, customer, at))
    assert await plan_of(anna) == ("pro", "subscription")
    await selling_app.put_on_pro(anna.workshop)
    await send_events(selling_app, bought(anna.workshop, customer, at + 1))
    assert await plan_of(anna) == ("pro", "grant")
    await selling_app.put_on_pro(anna.workshop, until=later(now(), DAY))
    await send_events(selling_app, bought(anna.workshop, customer, at + 2))
    assert await plan_of(anna) == ("pro", "subscription")
    await send_events(selling_app, bought(anna.workshop, customer, at + 3, status="canceled"))
    assert await plan_of(anna) == ("pro", "trial")


async def test_a_late_event_of_an_old_subscription_ends_no_trial(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, started = new_customer(), now_seconds() - 40 * DAY
    await send_events(selling_app, bought(anna.workshop, customer, started))
    assert (await anna.post(f"/workshops/{anna.workshop}/billing/trial")).status_code == 200
    await send_events(selling_app, bought(anna.workshop, customer, started + 60, start=started))
    assert await plan_of(anna) == ("pro", "trial")


@pytest.mark.both_engines
async def test_a_trial_started_during_a_subscription_event_does_not_replace_it(
    selling_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await selling_app.owner("Anna")
    save_trial = billing.save_trial

    has_started = asyncio.Event()

    async def slow_save(db: Write, *trial: Any) -> None:
        has_started.set()
        # SQLite has a single writer anyway.
        if selling_app.engine == "postgres":
            await db.value("SELECT 1 FROM (SELECT pg_sleep(0.5)) AS slept")
        await save_trial(db, *trial)

    monkeypatch.setattr(billing, "save_trial", slow_save)
    starting = asyncio.create_task(anna.post(f"/workshops/{anna.workshop}/billing/trial"))
    await has_started.wait()
    await send_events(selling_app, bought(anna.workshop, new_customer(), now_seconds()))
    assert (await starting).status_code == 200
    assert await plan_of(anna) == ("pro", "subscription")


# Refunds


async def test_the_refund_of_an_older_payment_keeps_the_current_period(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, at = new_customer(), now_seconds()
    await send_events(
        selling_app, bought(anna.workshop, customer, at - DAY), refunded(customer, paid_at=at - 31 * DAY, at=at)
    )
    assert await plan_of(anna) == ("pro", "subscription")
    await send_events(selling_app, refunded(customer, paid_at=at - DAY, at=at))
    assert await plan_of(anna) == ("free", None)


async def test_a_payment_after_a_refund_is_pro_again(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, at = new_customer(), now_seconds()
    last, this = at - 31 * DAY, at - DAY
    await send_events(selling_app, bought(anna.workshop, customer, this), refunded(customer, last, last + 60))
    assert await plan_of(anna) == ("pro", "subscription")


# Running subscriptions


def _running(anna: Person, customer: str) -> dict[str, list[Event]]:
    at = now_seconds()
    return {
        "refunded": [bought(anna.workshop, customer, at), refunded(customer, at, at + 1)],
        "unpaid": [bought(anna.workshop, customer, at, status="unpaid")],
        "past the grace period": [bought(anna.workshop, customer, at, start=at - 8 * DAY, status="past_due")],
        "ends with its period": [bought(anna.workshop, customer, at, cancels=True)],
        "just renewed": [bought(anna.workshop, customer, at - 31 * DAY)],
    }


@pytest.mark.parametrize(
    "case", ["refunded", "unpaid", "past the grace period", "ends with its period", "just renewed"]
)
async def test_a_workshop_with_a_subscription_cannot_be_deleted_or_bought_again(selling_app: App, case: str) -> None:
    anna = await selling_app.owner("Anna")
    customer = new_customer()
    await send_events(selling_app, *_running(anna, customer)[case])
    await _must_reject_deletion_and_checkout(anna)
    # A grant does not change what is charged.
    await selling_app.put_on_pro(anna.workshop)
    await _must_reject_deletion_and_checkout(anna)
    await send_events(selling_app, bought(anna.workshop, customer, now_seconds() + 5, status="canceled"))
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204


async def _must_reject_deletion_and_checkout(anna: Person) -> None:
    for response in (
        await anna.delete(f"/workshops/{anna.workshop}"),
        await anna.post(f"/workshops/{anna.workshop}/billing/checkout"),
    ):
        assert (response.status_code, response.json()["code"]) == (409, "subscription_running")


def _ended(anna: Person, customer: str) -> dict[str, list[Event]]:
    at = now_seconds()
    return {
        "canceled": [bought(anna.workshop, customer, at, status="canceled")],
        "never paid": [bought(anna.workshop, customer, at, status="incomplete_expired")],
        "customer deleted": [bought(anna.workshop, customer, at), customer_gone(customer, at)],
        "ended with its period": [bought(anna.workshop, customer, at - 31 * DAY, cancels=True)],
        "no event for weeks": [bought(anna.workshop, customer, at - 60 * DAY)],
    }


@pytest.mark.parametrize(
    "case", ["canceled", "never paid", "customer deleted", "ended with its period", "no event for weeks"]
)
async def test_a_workshop_without_a_running_subscription_can_be_deleted(selling_app: App, case: str) -> None:
    anna = await selling_app.owner("Anna")
    await send_events(selling_app, *_ended(anna, new_customer())[case])
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204


async def test_deleting_a_workshop_deletes_its_billing_rows(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, at = new_customer(), now_seconds()
    await send_events(
        selling_app, checked_out(anna.workshop, customer, at), bought(anna.workshop, customer, at, status="canceled")
    )
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    async with selling_app.db.read() as db:
        for table in ("billing_subscriptions", "billing_customers"):
            sql = f"SELECT count(*) FROM {table} WHERE workshop_id = :id"
            assert await db.value(sql, id=anna.workshop) == 0
    # The last event of the provider.
    deletion = event_of("customer.subscription.deleted", subscription(anna.workshop, customer, start=at), at + 1)
    await send_events(selling_app, deletion)


async def test_a_customer_remains_after_its_subscription_ends(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, at = new_customer(), now_seconds()
    await send_events(
        selling_app, bought(anna.workshop, customer, at), bought(anna.workshop, customer, at + 1, status="canceled")
    )
    assert (await entitlements(anna))["billing"]["hasAccount"] is True
    await send_events(selling_app, customer_gone(customer, at + 2))
    assert (await entitlements(anna))["billing"]["hasAccount"] is False


async def test_a_cancel_at_timestamp_is_a_cancellation(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    at = now_seconds()
    event = bought(anna.workshop, new_customer(), at)
    event["data"]["object"]["cancel_at"] = at + 30 * DAY
    await send_events(selling_app, event)
    assert (await entitlements(anna))["billing"]["cancelAtPeriodEnd"] is True


async def test_a_plan_set_by_the_host_replaces_a_trial(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    await selling_app.db.write(
        lambda db: set_plan(db, anna.workshop, Plan("pro", later(now(), -0.001), "trial"), now(), new_id)
    )
    assert await plan_of(anna) == ("free", None)
