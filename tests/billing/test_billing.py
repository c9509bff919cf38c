"""Plans and billing: trials, checkout, and the plan that follows from the events of the provider."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from backbench.billing.plans import FREE, MIB, Plan
from backbench.hosting.administration import set_plan
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.ids import new_id
from backbench.values.times import later, now
from tests.people import PASSWORD, App
from tests.support import image_files
from tests.support.databases import new_file, running_app
from tests.support.providers.stripe_events import (
    DAY,
    SELLING,
    entitlements,
    event_of,
    new_customer,
    send_event,
    subscription,
)
from tests.support.providers.stripe_server import SECRET_KEY, WEBHOOK_SECRET, provider
from tests.support.server import running_server
from tests.support.uploads import upload


@pytest.fixture(scope="module")
async def selling_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app in which pro can be bought."""
    async with running_app(new_database_url(), **SELLING) as opened:
        yield opened


async def test_a_trial_is_fourteen_days_of_pro_once(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    first = await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert first.status_code == 200
    assert (first.json()["plan"], first.json()["billing"]["planSource"]) == ("pro", "trial")
    assert later(now(), 14 * DAY - 60) < first.json()["planExpiresAt"] <= later(now(), 14 * DAY)
    again = await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert (again.status_code, again.json()["code"]) == (409, "trial_used")


async def test_an_account_starts_one_trial_for_all_its_workshops(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    first, second = [(await anna.post("/workshops", {"name": "Oak"})).json()["id"] for _ in range(2)]
    both = await asyncio.gather(*(anna.post(f"/workshops/{each}/billing/trial") for each in (first, second)))
    assert sorted(response.status_code for response in both) == [200, 409]
    for workshop in (first, second):
        await anna.delete(f"/workshops/{workshop}")
    again = await anna.post(f"/workshops/{anna.workshop}/billing/trial")
    assert (again.status_code, again.json()["code"]) == (409, "trial_used")


async def test_a_workshop_without_a_grant_has_the_default_plan(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), default_plan="pro") as app:
        anna = await app.owner("Anna")
        current = await entitlements(anna)
        assert (current["plan"], current["planExpiresAt"], current["billing"]["planSource"]) == ("pro", None, None)
        assert current["brandMark"]["canDisable"]
        workshop = (await anna.get(f"/workshops/{anna.workshop}")).json()
        assert (workshop["plan"], workshop["planExpiresAt"], workshop["planSource"]) == ("pro", None, None)
        trial = await anna.post(f"/workshops/{anna.workshop}/billing/trial")
        assert (trial.status_code, trial.json()["code"]) == (409, "already_pro")


async def test_with_the_default_plan_pro_an_expired_plan_is_pro(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), default_plan="pro") as app:
        anna = await app.owner("Anna")
        await app.put_on_pro(anna.workshop, until=later(now(), DAY))
        assert (await entitlements(anna))["billing"]["planSource"] == "grant"
        await app.put_on_pro(anna.workshop, until=later(now(), -1))
        current = await entitlements(anna)
        assert (current["plan"], current["planExpiresAt"], current["billing"]["planSource"]) == ("pro", None, None)


async def test_the_host_can_put_a_workshop_on_free_with_either_default_plan(
    new_database_url: Callable[[], str],
) -> None:
    for default in ("free", "pro"):
        async with running_app(new_database_url(), **{**SELLING, "default_plan": default}) as app:
            anna = await app.owner("Anna")
            await app.db.write(partial(set_plan, workshop_id=anna.workshop, plan=FREE, now=now(), new_id=new_id))
            # An event of the provider that grants nothing leaves it there.
            customer = new_customer()
            ended = subscription(anna.workshop, customer, start=int(time.time()), status="canceled")
            await send_event(app, event_of("customer.subscription.deleted", ended, int(time.time())))
            current = await entitlements(anna)
            assert (current["plan"], current["billing"]["planSource"]) == ("free", None)


async def test_only_owners_may_use_billing(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    for page in ("trial", "checkout", "portal"):
        assert (await marek.post(f"/workshops/{anna.workshop}/billing/{page}")).status_code == 403


async def test_checkout_and_portal_are_503_without_a_provider(app: App) -> None:
    anna = await app.owner("Anna")
    for page in ("checkout", "portal"):
        response = await anna.post(f"/workshops/{anna.workshop}/billing/{page}")
        assert (response.status_code, response.json()["code"]) == (503, "payments_not_configured")
    assert (await entitlements(anna))["billing"]["checkoutAvailability"] == "payments_not_configured"


async def test_checkout_is_409_where_pro_is_not_sold(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), pro_purchase=False) as app:
        anna = await app.owner("Anna")
        response = await anna.post(f"/workshops/{anna.workshop}/billing/checkout")
        assert (response.status_code, response.json()["code"]) == (409, "pro_purchase_disabled")
        assert (await entitlements(anna))["billing"]["checkoutAvailability"] == "pro_purchase_disabled"


@pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")
async def test_checkout_is_503_if_the_provider_is_unavailable(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    response = await anna.post(f"/workshops/{anna.workshop}/billing/checkout")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert (await entitlements(anna))["plan"] == "free"


async def test_no_read_calls_the_provider(new_database_url: Callable[[], str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as provider_that_hangs:
        address = f"http://127.0.0.1:{provider_that_hangs.getsockname()[1]}"
        async with running_app(new_database_url(), **{**SELLING, "stripe_api_url": address}) as app:
            anna = await app.owner("Anna")
            start = int(time.time())
            paid = subscription(anna.workshop, new_customer(), start=start)
            assert (await send_event(app, event_of("customer.subscription.created", paid, start))).status_code == 204
            estimate = (await anna.estimate())["id"]
            read = 0
            for operation in OPERATIONS:
                path = operation.path.replace("{workshopId}", anna.workshop).replace("{estimateId}", estimate)
                if operation.method == "GET" and "{" not in path and not path.startswith(("/auth", "/client")):
                    reader = anna if operation.access.takes_session else await anna.integrator()
                    assert (await reader.get(path)).status_code == 200, path
                    read += 1
            assert read > 15
        provider_that_hangs.setblocking(False)
        with pytest.raises(BlockingIOError):
            provider_that_hangs.accept()


async def test_the_plan_follows_the_subscription_events(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, start = new_customer(), int(time.time()) - 60
    paid = subscription(anna.workshop, customer, start=start)
    assert (await send_event(selling_app, event_of("customer.subscription.created", paid, start))).status_code == 204
    state = await entitlements(anna)
    assert (state["plan"], state["billing"]["planSource"]) == ("pro", "subscription")
    assert state["billing"]["cancelAtPeriodEnd"] is False

    cancelling = subscription(anna.workshop, customer, start=start, cancels=True)
    await send_event(selling_app, event_of("customer.subscription.updated", cancelling, start + 10))
    state = await entitlements(anna)
    assert (state["plan"], state["billing"]["cancelAtPeriodEnd"]) == ("pro", True)

    ended = subscription(anna.workshop, customer, start=start, status="canceled")
    await send_event(selling_app, event_of("customer.subscription.deleted", ended, start + 20))
    state = await entitlements(anna)
    assert (state["plan"], state["billing"]["planSource"]) == ("free", None)


async def test_a_failed_payment_leaves_a_week_of_grace(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    start = int(time.time()) - 60
    failed = subscription(anna.workshop, new_customer(), start=start, status="past_due")
    await send_event(selling_app, event_of("customer.subscription.updated", failed, start))
    state = await entitlements(anna)
    assert state["plan"] == "pro"
    assert state["planExpiresAt"] < later(now(), 7 * DAY)


async def test_a_refund_ends_the_period_it_was_for(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, start = new_customer(), int(time.time()) - 600
    paid = subscription(anna.workshop, customer, start=start)
    await send_event(selling_app, event_of("customer.subscription.created", paid, start))
    charge = {"id": "ch_1", "object": "charge", "customer": customer, "refunded": True}
    await send_event(selling_app, event_of("charge.refunded", charge, start + 300))
    assert (await entitlements(anna))["plan"] == "free"


async def test_a_deleted_customer_ends_pro(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    customer, start = new_customer(), int(time.time()) - 600
    paid = subscription(anna.workshop, customer, start=start)
    await send_event(selling_app, event_of("customer.subscription.created", paid, start))
    await send_event(selling_app, event_of("customer.deleted", {"id": customer, "object": "customer"}, start + 5))
    assert (await entitlements(anna))["plan"] == "free"


async def test_a_grant_survives_the_end_of_a_subscription(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    await selling_app.put_on_pro(anna.workshop)
    start = int(time.time()) - 60
    ended = subscription(anna.workshop, new_customer(), start=start, status="canceled")
    await send_event(selling_app, event_of("customer.subscription.deleted", ended, start))
    assert (await entitlements(anna))["plan"] == "pro"


async def test_an_expired_subscription_is_free_without_an_event(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    start = int(time.time()) - 31 * DAY
    await send_event(
        selling_app,
        event_of("customer.subscription.created", subscription(anna.workshop, "cus_old", start=start), start),
    )
    state = (await anna.get(f"/workshops/{anna.workshop}")).json()
    assert (state["plan"], state["planExpiresAt"], state["planSource"]) == ("free", None, None)


async def test_falling_back_to_free_deletes_nothing_and_rejects_additions(selling_app: App) -> None:
    anna = await selling_app.owner("Anna")
    await selling_app.put_on_pro(anna.workshop)
    path = f"/estimates/{(await anna.estimate())['id']}"
    for _ in range(5):
        assert (await anna.post(f"{path}/confirm")).status_code == 201
    pdf = {"locale": "en", "preliminary": False, "toggles": {"showBrandMark": False}}
    unmarked = (await anna.post(f"{path}/pdf-exports", pdf)).json()
    assert unmarked["toggles"]["showBrandMark"] is False
    icon = (await upload(anna, image_files.png())).json()
    # The storage quota of pro.
    await selling_app.db.write(lambda db: used(db, anna.workshop, 4 * 1024 * MIB))

    lapsed = Plan("pro", later(now(), -0.001), "grant")
    await selling_app.db.write(lambda db: set_plan(db, anna.workshop, lapsed, now(), new_id))
    for response, limit, current in (
        (await anna.post(f"{path}/confirm"), 3, 5),
        (await upload(anna, image_files.png()), 50 * MIB, 4 * 1024 * MIB),
        (await anna.post(f"{path}/pdf-exports", pdf), 50 * MIB, 4 * 1024 * MIB),
    ):
        assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
        assert (response.json()["limit"], response.json()["current"]) == (limit, current)

    assert len((await anna.get(f"{path}/revisions")).json()["revisions"]) == 5
    for stored in (path, f"{path}/revisions/5", f"{path}/pdf-exports/{unmarked['id']}", f"/files/{icon['id']}"):
        assert (await anna.get(stored)).status_code == 200
    assert (await entitlements(anna))["fileStorage"] == {"usedBytes": 4 * 1024 * MIB, "limitBytes": 50 * MIB}


async def used(db: Any, workshop_id: str, size: int) -> None:
    await db.run("UPDATE workshops SET storage_used_bytes = :size WHERE id = :id", id=workshop_id, size=size)


async def test_an_expired_plan_changes_the_etag(selling_app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await selling_app.owner("Anna")
    await selling_app.put_on_pro(anna.workshop, until=later(now(), 3600))
    paths = [f"/workshops/{anna.workshop}", "/workshops", f"/workshops/{anna.workshop}/entitlements"]
    tags = [(await anna.get(path)).headers["etag"] for path in paths]
    monkeypatch.setattr(times, "now", lambda: later(now(), 7200))
    for path, tag in zip(paths, tags, strict=True):
        response = await anna.get(path, if_none_match=tag)
        assert response.status_code == 200
        assert '"pro"' not in response.text


async def test_an_event_of_unknown_type_is_accepted(selling_app: App) -> None:
    response = await send_event(
        selling_app, event_of("radar.early_fraud_warning.created", {"id": "issfr_1"}, int(time.time()))
    )
    assert response.status_code == 204


def test_checkout_to_cancellation_with_a_running_provider(tmp_path: Path) -> None:
    """Checkout, the hosted page, the webhook over a socket, the portal and cancellation, against localstripe.

    On SQLite only: the tests above apply the events on both engines.
    """
    with provider() as stripe:
        plan = stripe.plan()
        settings: dict[str, Any] = {
            "BACKBENCH_STRIPE_SECRET_KEY": SECRET_KEY,
            "BACKBENCH_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
            "BACKBENCH_STRIPE_PRICE": plan,
            "BACKBENCH_STRIPE_API_URL": stripe.url,
        }
        database_url = new_file(tmp_path)
        add_account(database_url)
        with running_server(database_url, port=0, workers=1, **settings) as service:
            stripe.register_webhook(f"{service.url}/api/webhooks/stripe")
            with Owner(service.url) as anna:
                assert anna.post("billing/checkout").json()["url"].startswith("https://checkout.example/")
                customer = stripe.customer("anna@example.com")
                bought = stripe.subscribe(customer, plan, anna.workshop)
                anna.wait_until(lambda state: state["plan"] == "pro")
                assert anna.entitlements()["billing"]["hasAccount"] is True
                assert anna.post("billing/checkout").json()["code"] == "subscription_running"
                assert anna.post("billing/portal").json()["url"] == f"https://portal.example/{customer}"
                assert anna.http.delete(f"/workshops/{anna.workshop}").json()["code"] == "subscription_running"
                stripe.send("DELETE", f"/v1/subscriptions/{bought}")
                anna.wait_until(lambda state: state["plan"] == "free")
                stripe.subscribe(customer, plan, anna.workshop)
                anna.wait_until(lambda state: state["plan"] == "pro")
                stripe.send("DELETE", f"/v1/customers/{customer}")
                anna.wait_until(lambda state: state["plan"] == "free")
                assert anna.entitlements()["billing"]["hasAccount"] is False
                assert anna.http.delete(f"/workshops/{anna.workshop}").status_code == 204


def add_account(database_url: str) -> None:
    command = ["accounts", "add", "anna@example.com", "--name", "Anna", "--password", PASSWORD, "--create"]
    environment = dict(os.environ, BACKBENCH_DATABASE_URL=database_url)
    subprocess.run(
        [sys.executable, "-m", "backbench", *command], env=environment, check=True, stdout=subprocess.DEVNULL
    )


class Owner:
    """An owner who is signed in to a running server, over a socket."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=f"{url}/api", timeout=60, trust_env=False, verify=False)

    def __enter__(self) -> "Owner":
        response = self.http.post("/authenticate", json={"email": "anna@example.com", "password": PASSWORD})
        assert response.status_code == 200, response.text
        self.http.headers["x-csrf-token"] = self.http.cookies["csrf-token"]
        self.workshop = self.http.get("/workshops").json()["workshops"][0]["id"]
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def post(self, page: str) -> httpx.Response:
        return self.http.post(f"/workshops/{self.workshop}/{page}")

    def entitlements(self) -> dict[str, Any]:
        state: dict[str, Any] = self.http.get(f"/workshops/{self.workshop}/entitlements").json()
        return state

    def wait_until(self, is_reached: Callable[[dict[str, Any]], bool]) -> None:
        deadline = time.monotonic() + 60
        while not is_reached(self.entitlements()):
            assert time.monotonic() < deadline, self.entitlements()
            time.sleep(0.1)
