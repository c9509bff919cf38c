"""The status page of an order over HTTP: its address, what it tells and what it never tells, questions and notices."""

import re
from random import Random
from typing import Any

import pytest

from backbench.orders import order_links
from backbench.orders.order_details import OrderDetailsEdit, OrderItem
from backbench.values import times
from tests.people import App, Person
from tests.support.mailbox import emails_to, text_of
from tests.support.secret_log_check import remember_secrets
from tests.support.violations import all_of

SECRETS = {
    "notes": "owes us from last year",
    "customerName": "Ewa Nowakowska",
    "phone": "601222333",
    "condition": "hallmark 585, claw bent",
    "serial": "SN-4711",
    "place": "drawer B3",
    "limit": "150.55",
}


async def address_of(person: Person, order: dict[str, Any]) -> str:
    url: str = (await person.get(f"/orders/{order['id']}/status-link")).json()["url"]
    return url


async def customer_of(person: Person, order: dict[str, Any]) -> Person:
    customer = person.app.anonymous()
    customer.bearer = (await address_of(person, order)).partition("#")[2]
    remember_secrets(customer.bearer)
    return customer


async def read(customer: Person) -> dict[str, Any]:
    response = await customer.get("/client/order")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_the_address_stays_until_it_is_renewed(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    customer = await customer_of(anna, order)
    assert await address_of(anna, order) == await address_of(anna, order)
    renewed = (await anna.post(f"/orders/{order['id']}/status-link/renew")).json()["url"]
    assert renewed == await address_of(anna, order)
    old = await customer.get("/client/order")
    assert (old.status_code, old.content) == (401, b"")
    customer.bearer = renewed.partition("#")[2]
    assert (await read(customer))["number"] == 1


async def test_a_token_has_the_form_of_all_tokens_and_tells_no_id(app: App) -> None:
    anna = await app.owner("Anna")
    one, other = await anna.order(), await anna.order()
    tokens = [(await address_of(anna, order)).partition("/o/#")[2] for order in (one, other)]
    for token in tokens:
        assert token.startswith("bbo_")
        assert len(token) == len("bbo_") + 49
        assert token.isascii()
    # Ids of one moment begin alike; nothing of that is in the tokens.
    assert tokens[0][4:12] != tokens[1][4:12]


async def test_tokens_that_no_order_has_are_the_same_401(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order, foreign = await anna.order(), await eve.order()
    token = (await address_of(anna, order)).partition("#")[2]
    async with app.db.read() as db:
        key = await order_links.key(db)
    guessed = order_links.token_of(b"another key of thirty-two bytes ", order["id"], 1)
    deleted = (await address_of(eve, foreign)).partition("#")[2]
    await eve.delete(f"/orders/{foreign['id']}")
    later = order_links.token_of(key, order["id"], 2)
    for wrong in (
        "",
        "bbo_",
        token[:-1],
        token[:-1] + "!",
        token.swapcase(),
        guessed,
        later,
        deleted,
        "bbo_" + "z" * 49,
    ):
        customer = app.anonymous("203.0.113.9")
        customer.bearer = wrong
        remember_secrets(wrong)
        response = await customer.get("/client/order")
        assert (response.status_code, response.content) == (401, b""), wrong


async def test_the_page_tells_stage_day_and_item_and_nothing_private(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="Ring", customerName=SECRETS["customerName"])
    other = await anna.order(title="Somebody else's clock")
    await anna.patch(f"/orders/{order['id']}", {"notes": SECRETS["notes"]})
    details = {
        "phone": SECRETS["phone"],
        "item": {
            "description": "Ring, garnet",
            "condition": SECRETS["condition"],
            "serial": SECRETS["serial"],
            "pieces": 2,
        },
        "dueOn": "2026-12-04",
        "dueTime": "16:00",
        "priceLimit": 150.55,
        "place": SECRETS["place"],
        "assignedTo": anna.uid,
        "waitingFor": "parts",
    }
    assert (await anna.patch(f"/orders/{order['id']}/details", details)).status_code == 200
    customer = await customer_of(anna, order)
    found = await read(customer)
    assert found["item"] == {"description": "Ring, garnet", "pieces": 2}
    assert (found["stage"], found["dueOn"], found["dueTime"]) == ("waiting", "2026-12-04", "16:00")
    assert found.keys() == {
        "workshop", "number", "title", "stage", "since", "item", "dueOn", "dueTime", "photos", "questions",
    }  # fmt: skip
    page = (await customer.browser.get("/o/")).text + (await customer.get("/client/order")).text
    private = [*SECRETS.values(), order["id"], other["id"], other["title"], anna.uid, anna.email, anna.workshop]
    assert [text for text in private if text in page] == []


# What the page may show of the details: every other member is private. A new member has to be decided.
SHOWN = {"due_on", "due_time", "item.description", "item.pieces"}
PRIVATE = {
    *("customer_id", "phone", "price_limit", "place", "assigned_to", "waiting_for", "waiting_until", "outcome"),
    *("estimate_id", "item.condition", "item.serial"),
}


def test_each_member_of_the_details_is_shown_or_private() -> None:
    members = {*OrderDetailsEdit.__struct_fields__} - {"item"}
    members |= {f"item.{name}" for name in OrderItem.__struct_fields__}
    assert (members, SHOWN & PRIVATE) == (SHOWN | PRIVATE, set())


@pytest.mark.parametrize("seed", range(6))
async def test_generated_private_texts_are_in_no_byte_of_the_page(app: App, seed: int) -> None:
    """Texts that occur nowhere else, in each private place, with every kind of stage."""
    anna = await app.owner("Anna")
    random = Random(seed)
    used: list[str] = []

    def text(longest: int) -> str:
        used.append("".join(random.choices("qxzjvkw", k=14)) + "".join(random.choices("ąłé ", k=random.randint(0, 9))))
        return used[-1][:longest].strip()

    def digits() -> str:
        used.append(f"7{random.randrange(10**8):08}")
        return used[-1]

    order = await anna.order(title="Ring", customerName=text(250))
    await anna.patch(f"/orders/{order['id']}", {"notes": text(5000)})
    estimate = await anna.estimate(name=text(250), recipientName=text(250))
    details = {
        "phone": digits(),
        "item": {"description": "Ring, garnet", "condition": text(2000), "serial": text(100), "pieces": 2},
        "priceLimit": int(digits()),
        "place": text(50),
        "assignedTo": anna.uid,
        "waitingFor": random.choice(["parts", "customer", "supplier", "other"]),
        "waitingUntil": "2031-07-19",
        "outcome": random.choice(["repaired", "not_repaired", "declined"]),
        "estimateId": estimate["id"],
    }
    assert (await anna.patch(f"/orders/{order['id']}/details", details)).status_code == 200
    await anna.put(f"/orders/{order['id']}/signature", {"strokes": [[[4711.25, 12]]], "name": text(100)})
    await anna.post(f"/orders/{order['id']}/notices", {"kind": "received", "channel": "called"})
    customer = await customer_of(anna, order)
    used += ["2031-07-19", "4711.25", "called", estimate["id"], order["id"], anna.uid, anna.email, anna.workshop]
    used += [details["outcome"], "priceLimit", "customerName", "notes", "supplier", "parts"]
    for status in ("todo", "in_progress", "done"):
        await anna.patch(f"/orders/{order['id']}/status", {"status": status})
        response = await customer.get("/client/order")
        sent = response.text + str(response.headers)
        assert [private for private in used if private.strip() in sent] == []
        assert "Ring, garnet" in sent


async def test_since_is_when_the_stage_began(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    customer = await customer_of(anna, order)
    assert (await read(customer))["since"] == order["createdAt"]
    moved = (await anna.patch(f"/orders/{order['id']}/status", {"status": "in_progress"})).json()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "in_progress"})
    assert (await read(customer))["since"] == moved["lastActivityAt"]
    await anna.patch(f"/orders/{order['id']}/details", {"waitingFor": "parts"})
    waiting = await read(customer)
    await anna.patch(f"/orders/{order['id']}/details", {"waitingFor": "parts", "place": "B3"})
    assert waiting["since"] > moved["lastActivityAt"]
    assert (await read(customer))["since"] == waiting["since"]
    done = (await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})).json()
    ready = await read(customer)
    assert (ready["stage"], ready["since"], ready["readyAt"]) == (
        "ready",
        done["lastActivityAt"],
        done["lastActivityAt"],
    )
    collected = (await anna.post(f"/orders/{order['id']}/collected", {})).json()
    found = await read(customer)
    assert (found["stage"], found["since"], found["collectedAt"]) == ("collected", *[collected["collectedAt"]] * 2)


async def test_the_price_is_what_the_newest_link_shows(app: App) -> None:
    anna = await app.owner("Anna")
    line = {"label": "Claw", "unit": "piece", "unitPrice": 100, "quantity": 1}
    estimate = await anna.estimate(lineItems=[line], markupPercent=0, discountPercent=0)
    order = (await anna.post(f"/estimates/{estimate['id']}/orders", {})).json()
    customer = await customer_of(anna, order)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    assert "estimate" not in await read(customer)
    link = (await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})).json()
    shown = (await read(customer))["estimate"]
    assert (shown["total"], shown["currency"], shown["state"]) == (100, "EUR", "open")
    await anna.delete(f"/links/{link['link']['id']}")
    assert "estimate" not in await read(customer)


async def test_the_workshop_is_shown_with_its_opening_hours(app: App) -> None:
    anna = await app.owner("Anna")
    customer = await customer_of(anna, await anna.order())
    path = f"/workshops/{anna.workshop}/document-settings"
    settings = (await anna.get(path)).json()
    changed = {**settings, "phone": "600 100 200", "openingHours": "Mo–Fr 9–17\nSa 10–14"}
    assert (await anna.put(path, changed)).json()["openingHours"] == changed["openingHours"]
    shown = (await read(customer))["workshop"]
    assert (shown["phone"], shown["openingHours"]) == (changed["phone"], changed["openingHours"])
    assert (await anna.put(path, {**settings, "openingHours": "x" * 501})).status_code == 400


async def test_a_question_and_its_answer_are_seen_by_both_sides(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    customer = await customer_of(anna, order)
    asked = await customer.post("/client/order/questions", {"name": "Ewa", "text": "By Friday?"})
    assert asked.status_code == 201
    answered = (await anna.post(f"/orders/{order['id']}/questions", {"text": "Yes."})).json()
    workshop = (await anna.get(f"/workshops/{anna.workshop}")).json()["name"]
    assert (answered["by"], answered["name"]) == ("member", workshop)
    both = [asked.json(), answered]
    assert (await read(customer))["questions"] == both
    assert (await anna.get(f"/orders/{order['id']}/questions")).json() == {"questions": both}
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert [(entry["action"], entry["actorKind"]) for entry in entries][:2] == [
        ("order.answered", "account"),
        ("order.asked", "client"),
    ]


@pytest.mark.parametrize("body", [{}, {"name": "Ewa"}, {"name": " ", "text": "x"}, {"name": "Ewa", "text": "x" * 2001}])
async def test_a_question_against_the_schema_is_rejected(app: App, body: dict[str, Any]) -> None:
    anna = await app.owner("Anna")
    customer = await customer_of(anna, await anna.order())
    assert (await customer.post("/client/order/questions", body)).status_code == 400


@pytest.mark.both_engines
async def test_owners_get_questions_by_email_at_once_and_the_next_ones_together(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner("Anna")
    member = await app.member(anna)
    order = await anna.order(title="Ring, two claws", customerName="Ewa Nowak")
    customer = await customer_of(anna, order)
    for number in range(4):
        body = {"name": "Ewa", "text": f"Question {number}"}
        assert (await customer.post("/client/order/questions", body)).status_code == 201
    [first] = await emails_to(app, anna.email)
    assert str(first["Subject"]) == "Question about order 1 “Ring, two claws”, Ewa Nowak"
    assert "Ewa:\n“Question 0”" in text_of(first)
    assert f"/orders/{order['id']}\n" in text_of(first)
    in_ten_minutes = times.later(times.now(), 601)
    monkeypatch.setattr("backbench.values.times.now", lambda: in_ten_minutes)
    monkeypatch.setattr(app.backbench.outbox_worker, "_clock", lambda: in_ten_minutes)
    _, second = await emails_to(app, anna.email)
    assert re.findall(r"Question \d", text_of(second)) == ["Question 1", "Question 2", "Question 3"]
    assert await emails_to(app, member.email) == []


async def test_renewing_the_link_does_not_reset_the_twenty_questions_of_an_hour(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    customer = await customer_of(anna, order)
    question = {"name": "Ewa", "text": "By Friday?"}
    for _ in range(20):
        assert (await customer.post("/client/order/questions", question)).status_code == 201
    await anna.post(f"/orders/{order['id']}/status-link/renew")
    customer = await customer_of(anna, order)
    response = await customer.post("/client/order/questions", question)
    assert (response.status_code, response.json()["code"]) == (429, "rate_limited")
    assert len((await read(customer))["questions"]) == 20


async def test_an_order_has_at_most_fifty_questions(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backbench.orders.order_questions.MAX_QUESTIONS", 2)
    anna = await app.owner("Anna")
    order = await anna.order()
    customer = await customer_of(anna, order)
    question = {"name": "Ewa", "text": "By Friday?"}
    statuses = [(await customer.post("/client/order/questions", question)).status_code for _ in range(3)]
    assert statuses == [201, 201, 409]
    path = f"/orders/{order['id']}/questions"
    assert [(await anna.post(path, {"text": "Yes."})).status_code for _ in range(3)] == [201, 201, 409]


async def test_notices_are_listed_newest_first(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}/notices"
    first = (await anna.post(path, {"kind": "received", "channel": "message-copied"})).json()
    second = (await anna.post(path, {"kind": "ready", "channel": "called"})).json()
    assert second["byUid"] == anna.uid
    assert (await anna.get(path)).json() == {"notices": [second, first]}
    assert (await anna.post(path, {"kind": "ready", "channel": "pigeon"})).status_code == 400


@all_of("kind", ["received", "waiting", "delayed", "ready", "reminder"])
@all_of("tone", ["formal", "friendly"])
@all_of("locale", ["en", "pl"])
async def test_a_message_names_the_order_and_has_the_address_of_the_page(
    app: App, kind: str, tone: str, locale: str
) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="Ring")
    await anna.patch(f"/orders/{order['id']}/details", {"dueOn": "2026-12-04", "priceLimit": 150})
    body = {"kind": kind, "locale": locale, "tone": tone}
    drafted = (await anna.post(f"/orders/{order['id']}/message-draft", body)).json()
    assert drafted.keys() == {"subject", "body", "aiDrafted"}
    assert drafted["aiDrafted"] is False
    assert "(1)" in drafted["subject"]
    assert "Ring" in drafted["body"]
    assert await address_of(anna, order) in drafted["body"]
    months = {"en": "4 December 2026", "pl": "4 grudnia 2026"}
    assert (months[locale] in drafted["body"]) is (kind in ("received", "waiting", "delayed"))


async def test_only_a_signed_in_member_learns_the_order_of_a_code(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order = await anna.order()
    token = (await address_of(anna, order)).partition("#")[2]
    for person, expected in ((anna, order["id"]), (eve, None), (app.anonymous(), None)):
        response = await person.get("/client/order", authorization=f"Bearer {token}")
        assert (response.status_code, response.headers.get("backbench-order")) == (200, expected)


async def test_the_page_is_strict_about_what_it_loads_and_is_not_indexed(app: App) -> None:
    response = await app.anonymous().browser.get("/o/")
    assert (response.status_code, response.headers["x-robots-tag"]) == (200, "noindex, nofollow, noarchive")
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "form-action 'none'" in response.headers["content-security-policy"]
