"""What the provider tells, in any order, together with trials and grants: the plan follows from all of it alike."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from backbench.actions.billing import billing
from backbench.actions.operations.administration import set_plan
from backbench.app import payments_of
from backbench.domain.billing.billing import BillingEvent
from backbench.domain.billing.plans import FREE, Plan
from backbench.domain.values.times import later, now
from backbench.storage.billing import billing as stored_billing
from backbench.storage.engine.database import Write
from tests.people import Person, Shop
from tests.support.engines import opened_shop
from tests.support.stored import everything_in
from tests.support.stripe_events import (
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
    signed,
    subscription,
    tell,
    told,
)

Event = dict[str, Any]


@pytest.fixture(scope="module")
async def till(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    async with opened_shop(new_database_url(), **SELLING) as opened:
        yield opened


# A thousand events


async def test_shuffled_and_repeated_events_give_the_result_of_ordered_ones(till: Shop) -> None:
    chance = random.Random(20261121)
    anna = await till.owner("Anna")
    workshops = [(await anna.post("/workshops", {"name": "Oak"})).json()["id"] for _ in range(40)]
    await till.put_on_pro(workshops[0], until=later(now(), 40 * DAY))
    await till.put_on_pro(workshops[1])
    await anna.post(f"/workshops/{workshops[2]}/billing/trial")
    story = list(_story(chance, workshops, 1000))
    assert len(story) == 1000
    await heard(till, story)
    in_order = await _billing_of(till, workshops)

    await _forget(till, workshops[3:])
    tripled = story * 3
    chance.shuffle(tripled)
    await heard(till, tripled)
    assert await _billing_of(till, workshops) == in_order
    # The story must be worth telling: few workshops end alike, and each kind of plan is among them.
    assert len(set(in_order)) >= 20
    assert {line.split()[-1] for line in in_order} >= {"grant", "subscription", "-"}


async def heard(shop: Shop, events: list[Event]) -> None:
    """Takes what the provider has signed, some fifty events a transaction: over HTTP it would take a minute."""
    payments = payments_of(shop.app.settings)
    assert payments is not None
    for at in range(0, len(events), 50):
        some = [await payments.event(*signed(event)) for event in events[at : at + 50]]

        async def take(db: Write, some: list[BillingEvent] = some) -> None:
            for event in some:
                await billing.apply(db, event)

        await shop.db.write(take)


def _story(chance: random.Random, workshops: list[str], length: int) -> Iterator[Event]:
    """Customers that pay for two workshops, that move, that are told of before they are known."""
    at = now_seconds() - 2 * length
    # Few events a customer: of many, the last would hide what the order of the first has done.
    customers = [(new_customer(), chance.sample(workshops, 2)) for _ in range(length // 4)]
    for _ in range(length):
        # Several in the same second now and then, as the provider does.
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


async def _billing_of(shop: Shop, workshops: list[str]) -> list[str]:
    """Everything that billing has left on the workshops."""
    sql = """
        SELECT coalesce(billing_customer_id, '-') || ' ' || coalesce(billing_subscription_id, '-') || ' ' ||
            billing_cancel_at_period_end || ' ' || plan || ' ' || coalesce(plan_expires_at, '-') || ' ' ||
            coalesce(plan_source, '-')
        FROM workshops WHERE id = :id
    """
    async with shop.db.read() as db:
        return [str(await db.value(sql, id=workshop)) for workshop in workshops]


async def _forget(shop: Shop, workshops: list[str]) -> None:
    """As if the provider had never told anything."""

    async def forget(db: Any) -> None:
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

    await shop.db.write(forget)


@pytest.mark.parametrize("is_turned", [False, True], ids=["in order", "the other way round"])
async def test_a_customer_belongs_to_the_workshop_of_the_latest_checkout(till: Shop, is_turned: bool) -> None:
    anna, jan = await till.owner("Anna"), await till.owner("Jan")
    customer, at = new_customer(), now_seconds()
    checkouts = [checked_out(anna.workshop, customer, at - 2), checked_out(jan.workshop, customer, at - 1)]
    await told(till, *(reversed(checkouts) if is_turned else checkouts))
    assert (await entitlements(anna))["billing"]["hasAccount"] is False
    assert (await entitlements(jan))["billing"]["hasAccount"] is True


async def test_two_checkouts_in_one_second_give_the_same_result_in_any_order(till: Shop) -> None:
    ends = []
    people = [await till.owner("Anna"), await till.owner("Jan")]
    for order in (people, people[::-1]):
        customer, at = new_customer(), now_seconds()
        await told(till, *[checked_out(person.workshop, customer, at) for person in order])
        ends.append([customer in line for line in await _billing_of(till, [person.workshop for person in people])])
        await told(till, customer_gone(customer, at))
    assert ends[0] == ends[1]
    assert sorted(ends[0]) == [False, True]


@pytest.mark.parametrize("is_turned", [False, True], ids=["in order", "the other way round"])
async def test_a_subscription_moved_to_another_workshop_pays_only_for_that_one(till: Shop, is_turned: bool) -> None:
    anna, jan = await till.owner("Anna"), await till.owner("Jan")
    customer, at = new_customer(), now_seconds()
    moves = [bought(anna.workshop, customer, at - 2), bought(jan.workshop, customer, at - 1)]
    await told(till, *(reversed(moves) if is_turned else moves))
    assert await plan_of(anna) == ("free", None)
    assert await plan_of(jan) == ("pro", "subscription")


async def test_two_workshops_of_one_customer_have_separate_subscriptions(till: Shop) -> None:
    anna = await till.owner("Anna")
    second = (await anna.post("/workshops", {"name": "Second"})).json()["id"]
    customer, at = new_customer(), now_seconds()
    await told(till, bought(anna.workshop, customer, at), bought(second, customer, at, number=2))
    await told(till, checked_out(second, customer, at), bought(second, customer, at + 1, number=2, status="canceled"))
    assert await plan_of(anna) == ("pro", "subscription")
    assert (await anna.get(f"/workshops/{second}")).json()["plan"] == "free"


async def test_events_of_unknown_customers_and_workshops_change_nothing(till: Shop) -> None:
    nowhere, customer, at = "01890000-0000-7000-8000-000000000000", new_customer(), now_seconds()
    before = await all_but_what_was_received(till)
    await told(
        till,
        bought(nowhere, customer, at),
        checked_out(nowhere, customer, at),
        refunded(new_customer(), at, at),
        customer_gone(new_customer(), at),
        bought(None, new_customer(), at),
    )
    assert await all_but_what_was_received(till) == before


async def all_but_what_was_received(till: Shop) -> dict[str, list[str]]:
    """Events, and the subscriptions and customers they name, are kept: what they belong to may be named later."""
    return {table: rows for table, rows in (await everything_in(till.db)).items() if not table.startswith("billing_")}


# Once


async def test_a_repeated_event_is_not_applied_again(till: Shop) -> None:
    anna = await till.owner("Anna")
    event = bought(anna.workshop, new_customer(), now_seconds())
    await told(till, event)
    await till.db.write(lambda db: set_plan(db, anna.workshop, FREE))
    await told(till, event)
    assert await plan_of(anna) == ("free", None)


async def test_twenty_parallel_copies_of_an_event_are_applied_once(till: Shop) -> None:
    anna = await till.owner("Anna")
    event = bought(anna.workshop, new_customer(), now_seconds())
    answers = await asyncio.gather(*[tell(till, event) for _ in range(20)])
    assert {answer.status_code for answer in answers} == {204}
    assert await plan_of(anna) == ("pro", "subscription")
    async with till.db.read() as db:
        assert await db.value("SELECT count(*) FROM billing_events WHERE id = :id", id=event["id"]) == 1


# Beside trials and grants


@pytest.mark.parametrize("is_turned", [False, True], ids=["in order", "the other way round"])
async def test_a_grant_outlives_a_longer_subscription_that_ends_early(till: Shop, is_turned: bool) -> None:
    anna = await till.owner("Anna")
    until = later(now(), 20 * DAY)
    await till.put_on_pro(anna.workshop, until=until)
    customer, at = new_customer(), now_seconds()
    events = [bought(anna.workshop, customer, at - 2), bought(anna.workshop, customer, at - 1, status="canceled")]
    await told(till, *(reversed(events) if is_turned else events))
    shown = await entitlements(anna)
    assert (shown["plan"], shown["planExpiresAt"], shown["billing"]["planSource"]) == ("pro", until, "grant")


async def test_the_longest_of_grant_trial_and_subscription_applies(till: Shop) -> None:
    anna = await till.owner("Anna")
    await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert await plan_of(anna) == ("pro", "trial")
    customer, at = new_customer(), now_seconds()
    await told(till, bought(anna.workshop, customer, at))
    assert await plan_of(anna) == ("pro", "subscription")
    await till.put_on_pro(anna.workshop)
    await told(till, bought(anna.workshop, customer, at + 1))
    assert await plan_of(anna) == ("pro", "grant")
    await till.put_on_pro(anna.workshop, until=later(now(), DAY))
    await told(till, bought(anna.workshop, customer, at + 2))
    assert await plan_of(anna) == ("pro", "subscription")
    await told(till, bought(anna.workshop, customer, at + 3, status="canceled"))
    assert await plan_of(anna) == ("pro", "trial")


async def test_a_late_event_of_an_old_subscription_ends_no_trial(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, begun = new_customer(), now_seconds() - 40 * DAY
    await told(till, bought(anna.workshop, customer, begun))
    assert (await anna.post(f"/workshops/{anna.workshop}/billing/trial")).status_code == 200
    await told(till, bought(anna.workshop, customer, begun + 60, start=begun))
    assert await plan_of(anna) == ("pro", "trial")


async def test_a_trial_started_during_a_subscription_event_does_not_replace_it(
    till: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await till.owner("Anna")
    save_trial = stored_billing.save_trial

    has_begun = asyncio.Event()

    async def slowly(db: Write, *trial: Any) -> None:
        has_begun.set()
        # On SQLite there is one writer anyway.
        if till.engine == "postgres":
            await db.value("SELECT 1 FROM (SELECT pg_sleep(0.5)) AS slept")
        await save_trial(db, *trial)

    monkeypatch.setattr(stored_billing, "save_trial", slowly)
    beginning = asyncio.create_task(anna.post(f"/workshops/{anna.workshop}/billing/trial"))
    await has_begun.wait()
    await told(till, bought(anna.workshop, new_customer(), now_seconds()))
    assert (await beginning).status_code == 200
    assert await plan_of(anna) == ("pro", "subscription")


# Refunds


async def test_the_refund_of_an_older_payment_keeps_the_current_period(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, at = new_customer(), now_seconds()
    await told(till, bought(anna.workshop, customer, at - DAY), refunded(customer, paid_at=at - 31 * DAY, at=at))
    assert await plan_of(anna) == ("pro", "subscription")
    await told(till, refunded(customer, paid_at=at - DAY, at=at))
    assert await plan_of(anna) == ("free", None)


async def test_a_payment_after_a_refund_is_pro_again(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, at = new_customer(), now_seconds()
    last, this = at - 31 * DAY, at - DAY
    await told(till, bought(anna.workshop, customer, this), refunded(customer, last, last + 60))
    assert await plan_of(anna) == ("pro", "subscription")


# While somebody pays


def _running(anna: Person, customer: str) -> dict[str, list[Event]]:
    at = now_seconds()
    return {
        "refunded": [bought(anna.workshop, customer, at), refunded(customer, at, at + 1)],
        "unpaid": [bought(anna.workshop, customer, at, status="unpaid")],
        "past its grace": [bought(anna.workshop, customer, at, start=at - 8 * DAY, status="past_due")],
        "ends with its period": [bought(anna.workshop, customer, at, cancels=True)],
        "just renewed": [bought(anna.workshop, customer, at - 31 * DAY)],
    }


@pytest.mark.parametrize("case", ["refunded", "unpaid", "past its grace", "ends with its period", "just renewed"])
async def test_a_workshop_with_a_subscription_cannot_be_deleted_or_bought_again(till: Shop, case: str) -> None:
    anna = await till.owner("Anna")
    customer = new_customer()
    await told(till, *_running(anna, customer)[case])
    await _refuse(anna)
    # A grant beside it changes nothing of what is charged.
    await till.put_on_pro(anna.workshop)
    await _refuse(anna)
    await told(till, bought(anna.workshop, customer, now_seconds() + 5, status="canceled"))
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204


async def _refuse(anna: Person) -> None:
    for answer in (
        await anna.delete(f"/workshops/{anna.workshop}"),
        await anna.post(f"/workshops/{anna.workshop}/billing/checkout"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "subscription_running")


def _over(anna: Person, customer: str) -> dict[str, list[Event]]:
    at = now_seconds()
    return {
        "canceled": [bought(anna.workshop, customer, at, status="canceled")],
        "never paid": [bought(anna.workshop, customer, at, status="incomplete_expired")],
        "customer deleted": [bought(anna.workshop, customer, at), customer_gone(customer, at)],
        "ended with its period": [bought(anna.workshop, customer, at - 31 * DAY, cancels=True)],
        "silent for weeks": [bought(anna.workshop, customer, at - 60 * DAY)],
    }


@pytest.mark.parametrize(
    "case", ["canceled", "never paid", "customer deleted", "ended with its period", "silent for weeks"]
)
async def test_a_workshop_without_a_running_subscription_can_be_deleted(till: Shop, case: str) -> None:
    anna = await till.owner("Anna")
    await told(till, *_over(anna, new_customer())[case])
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204


async def test_deleting_a_workshop_deletes_its_billing_rows(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, at = new_customer(), now_seconds()
    await told(till, checked_out(anna.workshop, customer, at), bought(anna.workshop, customer, at, status="canceled"))
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    async with till.db.read() as db:
        for table in ("billing_subscriptions", "billing_customers"):
            sql = f"SELECT count(*) FROM {table} WHERE workshop_id = :id"
            assert await db.value(sql, id=anna.workshop) == 0
    # The provider's last words.
    gone = event_of("customer.subscription.deleted", subscription(anna.workshop, customer, start=at), at + 1)
    await told(till, gone)


async def test_a_customer_remains_after_its_subscription_ends(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, at = new_customer(), now_seconds()
    await told(till, bought(anna.workshop, customer, at), bought(anna.workshop, customer, at + 1, status="canceled"))
    assert (await entitlements(anna))["billing"]["hasAccount"] is True
    await told(till, customer_gone(customer, at + 2))
    assert (await entitlements(anna))["billing"]["hasAccount"] is False


async def test_a_cancel_at_timestamp_is_a_cancellation(till: Shop) -> None:
    anna = await till.owner("Anna")
    at = now_seconds()
    event = bought(anna.workshop, new_customer(), at)
    event["data"]["object"]["cancel_at"] = at + 30 * DAY
    await told(till, event)
    assert (await entitlements(anna))["billing"]["cancelAtPeriodEnd"] is True


async def test_a_plan_set_by_the_host_replaces_a_trial(till: Shop) -> None:
    anna = await till.owner("Anna")
    await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    await till.db.write(lambda db: set_plan(db, anna.workshop, Plan("pro", later(now(), -0.001), "trial")))
    assert await plan_of(anna) == ("free", None)
