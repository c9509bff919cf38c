"""Plans and billing: trials, the provider's word, and reading it in any order."""

import hashlib
import hmac
import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import msgspec
import pytest

from backbench.actions.administration import set_plan
from backbench.domain.plans import Plan
from backbench.domain.times import later, now
from tests.engines import opened_shop
from tests.people import PASSWORD, Person, Shop
from tests.servers import served
from tests.stripe_server import SECRET_KEY, WEBHOOK_SECRET, provider

DAY = 86_400
_numbers = itertools.count(1)
_MANY = 1000 if os.environ.get("PROVE") else 250


@pytest.fixture(scope="module")
async def till(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop where pro can be bought. Nobody listens at the provider's address: reads must not miss it."""
    payments = {
        "stripe_secret_key": SECRET_KEY,
        "stripe_webhook_secret": WEBHOOK_SECRET,
        "stripe_price": "price_pro",
        "stripe_api_url": "http://127.0.0.1:9",
    }
    async with opened_shop(new_database_url(), **payments) as opened:
        yield opened


def signed(event: dict[str, Any], secret: str = WEBHOOK_SECRET, at: int | None = None) -> tuple[bytes, str]:
    """The event's bytes and the provider's signature over them."""
    payload = msgspec.json.encode(event)
    at = int(time.time()) if at is None else at
    mac = hmac.new(secret.encode(), b"%d.%s" % (at, payload), hashlib.sha256).hexdigest()
    return payload, f"t={at},v1={mac}"


async def tell(shop: Shop, event: dict[str, Any]) -> httpx.Response:
    payload, signature = signed(event)
    return await shop.visitor().post("/webhooks/stripe", payload, stripe_signature=signature)


def event_of(kind: str, subject: dict[str, Any], at: int) -> dict[str, Any]:
    return {"id": f"evt_{next(_numbers)}", "object": "event", "type": kind, "created": at, "data": {"object": subject}}


def subscription(
    workshop_id: str, customer: str, *, status: str = "active", start: int, days: int = 30, cancels: bool = False
) -> dict[str, Any]:
    return {
        "id": f"sub_{customer}",
        "object": "subscription",
        "customer": customer,
        "status": status,
        "cancel_at_period_end": cancels,
        "metadata": {"workshopId": workshop_id},
        "items": {"data": [{"current_period_start": start, "current_period_end": start + days * DAY}]},
    }


async def entitlements(person: Person) -> dict[str, Any]:
    answer = await person.get(f"/workshops/{person.workshop}/entitlements")
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


async def test_a_trial_is_fourteen_days_of_pro_once(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    first = await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert first.status_code == 200
    assert (first.json()["plan"], first.json()["billing"]["planSource"]) == ("pro", "trial")
    assert later(now(), 14 * DAY - 60) < first.json()["planExpiresAt"] <= later(now(), 14 * DAY)
    again = await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert (again.status_code, again.json()["code"]) == (409, "trial_used")


async def test_billing_is_the_owners(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    for page in ("trial", "checkout", "portal"):
        assert (await marek.post(f"/workshops/{anna.workshop}/billing/{page}")).status_code == 403


async def test_without_a_provider_nothing_can_be_bought(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    for page in ("checkout", "portal"):
        answer = await anna.post(f"/workshops/{anna.workshop}/billing/{page}")
        assert (answer.status_code, answer.json()["code"]) == (503, "payments_not_configured")
    assert (await entitlements(anna))["billing"]["checkoutAvailability"] == "payments_not_configured"


async def test_where_pro_is_not_sold_checkout_says_so(new_database_url: Callable[[], str]) -> None:
    async with opened_shop(new_database_url(), pro_purchase=False) as shop:
        anna = await shop.owner("Anna")
        answer = await anna.post(f"/workshops/{anna.workshop}/billing/checkout")
        assert (answer.status_code, answer.json()["code"]) == (409, "pro_purchase_disabled")
        assert (await entitlements(anna))["billing"]["checkoutAvailability"] == "pro_purchase_disabled"


async def test_a_provider_that_is_down_is_a_clear_refusal(till: Shop) -> None:
    anna = await till.owner("Anna")
    answer = await anna.post(f"/workshops/{anna.workshop}/billing/checkout")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert (await entitlements(anna))["plan"] == "free"


async def test_pro_follows_the_providers_word_and_ends_with_it(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, start = f"cus_{next(_numbers)}", int(time.time()) - 60
    paid = subscription(anna.workshop, customer, start=start)
    assert (await tell(till, event_of("customer.subscription.created", paid, start))).status_code == 204
    shown = await entitlements(anna)
    assert (shown["plan"], shown["billing"]["planSource"]) == ("pro", "subscription")
    assert shown["billing"]["cancelAtPeriodEnd"] is False

    leaving = subscription(anna.workshop, customer, start=start, cancels=True)
    await tell(till, event_of("customer.subscription.updated", leaving, start + 10))
    shown = await entitlements(anna)
    assert (shown["plan"], shown["billing"]["cancelAtPeriodEnd"]) == ("pro", True)

    gone = subscription(anna.workshop, customer, start=start, status="canceled")
    await tell(till, event_of("customer.subscription.deleted", gone, start + 20))
    shown = await entitlements(anna)
    assert (shown["plan"], shown["billing"]["planSource"]) == ("free", None)


async def test_a_failed_payment_leaves_a_week_of_grace(till: Shop) -> None:
    anna = await till.owner("Anna")
    start = int(time.time()) - 60
    failed = subscription(anna.workshop, f"cus_{next(_numbers)}", start=start, status="past_due")
    await tell(till, event_of("customer.subscription.updated", failed, start))
    shown = await entitlements(anna)
    assert shown["plan"] == "pro"
    assert shown["planExpiresAt"] < later(now(), 7 * DAY)


async def test_a_refund_ends_the_period_it_was_for(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, start = f"cus_{next(_numbers)}", int(time.time()) - 600
    paid = subscription(anna.workshop, customer, start=start)
    await tell(till, event_of("customer.subscription.created", paid, start))
    charge = {"id": "ch_1", "object": "charge", "customer": customer, "refunded": True}
    await tell(till, event_of("charge.refunded", charge, start + 300))
    assert (await entitlements(anna))["plan"] == "free"


async def test_a_deleted_customer_pays_no_more(till: Shop) -> None:
    anna = await till.owner("Anna")
    customer, start = f"cus_{next(_numbers)}", int(time.time()) - 600
    paid = subscription(anna.workshop, customer, start=start)
    await tell(till, event_of("customer.subscription.created", paid, start))
    await tell(till, event_of("customer.deleted", {"id": customer, "object": "customer"}, start + 5))
    assert (await entitlements(anna))["plan"] == "free"


async def test_a_grant_of_the_hosts_is_not_taken_away(till: Shop) -> None:
    anna = await till.owner("Anna")
    await till.put_on_pro(anna.workshop)
    start = int(time.time()) - 60
    gone = subscription(anna.workshop, f"cus_{next(_numbers)}", start=start, status="canceled")
    await tell(till, event_of("customer.subscription.deleted", gone, start))
    assert (await entitlements(anna))["plan"] == "pro"


async def test_an_expired_subscription_reads_free_without_anybody_saying_so(till: Shop) -> None:
    anna = await till.owner("Anna")
    start = int(time.time()) - 31 * DAY
    await tell(
        till, event_of("customer.subscription.created", subscription(anna.workshop, "cus_old", start=start), start)
    )
    shown = (await anna.get(f"/workshops/{anna.workshop}")).json()
    assert (shown["plan"], shown["planExpiresAt"], shown["planSource"]) == ("free", None, None)


async def test_falling_back_to_free_refuses_adding_and_loses_nothing(till: Shop) -> None:
    anna = await till.owner("Anna")
    await till.put_on_pro(anna.workshop)
    estimate = await anna.estimate()
    path = f"/estimates/{estimate['id']}"
    for _ in range(5):
        assert (await anna.post(f"{path}/confirm")).status_code == 201
    lapsed = Plan("pro", later(now(), -1), "grant")
    await till.db.write(lambda db: set_plan(db, anna.workshop, lapsed))
    refused = await anna.post(f"{path}/confirm")
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_limit")
    assert (refused.json()["limit"], refused.json()["current"]) == (3, 5)
    assert (await anna.get(path)).status_code == 200


@pytest.mark.parametrize("fault", ["unsigned", "another secret", "changed body", "an hour old"])
async def test_what_the_provider_did_not_sign_changes_nothing(till: Shop, fault: str) -> None:
    anna = await till.owner("Anna")
    start = int(time.time())
    event = event_of("customer.subscription.created", subscription(anna.workshop, "cus_x", start=start), start)
    payload, signature = signed(event)
    if fault == "unsigned":
        signature = ""
    elif fault == "another secret":
        payload, signature = signed(event, secret="whsec_guessed")
    elif fault == "changed body":
        payload = payload.replace(b"active", b"trialing")
    else:
        payload, signature = signed(event, at=start - 3600)
    answer = await till.visitor().post("/webhooks/stripe", payload, stripe_signature=signature)
    assert answer.status_code == 400
    assert (await entitlements(anna))["plan"] == "free"


async def test_an_event_of_a_kind_we_do_not_know_is_taken_and_changes_nothing(till: Shop) -> None:
    answer = await tell(till, event_of("radar.early_fraud_warning.created", {"id": "issfr_1"}, int(time.time())))
    assert answer.status_code == 204


async def test_events_in_any_order_and_thrice_end_where_the_ordered_run_ended(till: Shop) -> None:
    chance = random.Random(20261121)
    people = [await till.owner("Anna") for _ in range(4)]
    workshops = [person.workshop for person in people]
    story = list(_story(chance, workshops, _MANY))
    for event in story:
        assert (await tell(till, event)).status_code == 204
    in_order = await _billing_of(till, workshops)

    await _forget(till, workshops)
    tripled = story * 3
    chance.shuffle(tripled)
    for event in tripled:
        assert (await tell(till, event)).status_code == 204
    assert await _billing_of(till, workshops) == in_order
    # The story must be worth telling: not every workshop ends the same.
    assert len(set(in_order)) > 1


def _story(chance: random.Random, workshops: list[str], length: int) -> Any:
    at = int(time.time()) - length
    customers = [(f"cus_{next(_numbers)}", workshop) for workshop in workshops for _ in range(3)]
    for _ in range(length):
        # Several in the same second now and then, as the provider does.
        at += chance.choice([0, 1, 1, 2])
        customer, workshop = chance.choice(customers)
        match chance.randrange(12):
            case 0:
                yield (
                    event_of("customer.deleted", {"id": customer}, at)
                    if chance.random() < 0.1
                    else event_of("charge.refunded", {"id": "ch", "customer": customer, "refunded": True}, at)
                )
            case 1:
                page = {"id": "cs", "customer": customer, "client_reference_id": workshop}
                yield event_of("checkout.session.completed", page, at)
            case _:
                status = chance.choice(["active", "active", "trialing", "past_due", "canceled", "unpaid", "incomplete"])
                days = chance.choice([30, 60])
                told = subscription(
                    workshop, customer, status=status, start=at, days=days, cancels=chance.random() < 0.3
                )
                yield event_of("customer.subscription.updated", told, at)


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


def test_the_whole_way_with_a_provider_that_answers(new_database_url: Callable[[], str]) -> None:
    """Checkout, the hosted page, the webhook over a socket, the portal, cancellation: against localstripe."""
    with provider() as stripe:
        plan = stripe.plan()
        settings: dict[str, Any] = {
            "BACKBENCH_STRIPE_SECRET_KEY": SECRET_KEY,
            "BACKBENCH_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
            "BACKBENCH_STRIPE_PRICE": plan,
            "BACKBENCH_STRIPE_API_URL": stripe.url,
        }
        database_url = new_database_url()
        add_account(database_url)
        with served(database_url, port=0, workers=1, **settings) as service:
            stripe.tell(f"{service.url}/api/webhooks/stripe")
            with Owner(service.url) as anna:
                assert anna.post("billing/checkout").json()["url"].startswith("https://checkout.example/")
                customer = stripe.customer("anna@example.com")
                bought = stripe.subscribe(customer, plan, anna.workshop)
                anna.wait_until(lambda shown: shown["plan"] == "pro")
                assert anna.entitlements()["billing"]["hasAccount"] is True
                assert anna.post("billing/checkout").json()["code"] == "subscription_running"
                assert anna.post("billing/portal").json()["url"] == f"https://portal.example/{customer}"
                stripe.send("DELETE", f"/v1/subscriptions/{bought}")
                anna.wait_until(lambda shown: shown["plan"] == "free")


def add_account(database_url: str) -> None:
    command = ["accounts", "add", "anna@example.com", "--name", "Anna", "--password", PASSWORD]
    environment = dict(os.environ, BACKBENCH_DATABASE_URL=database_url)
    subprocess.run(
        [sys.executable, "-m", "backbench", *command], env=environment, check=True, stdout=subprocess.DEVNULL
    )


class Owner:
    """An owner at a served Backbench, over a socket."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=f"{url}/api", trust_env=False)

    def __enter__(self) -> "Owner":
        answer = self.http.post("/authenticate", json={"email": "anna@example.com", "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        self.http.headers["x-csrf-token"] = self.http.cookies["csrf-token"]
        self.workshop = self.http.get("/workshops").json()["workshops"][0]["id"]
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def post(self, page: str) -> httpx.Response:
        return self.http.post(f"/workshops/{self.workshop}/{page}")

    def entitlements(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.http.get(f"/workshops/{self.workshop}/entitlements").json()
        return shown

    def wait_until(self, holds: Callable[[dict[str, Any]], bool]) -> None:
        deadline = time.monotonic() + 15
        while not holds(self.entitlements()):
            assert time.monotonic() < deadline, self.entitlements()
            time.sleep(0.1)
