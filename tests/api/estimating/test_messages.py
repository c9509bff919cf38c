"""Message drafts over HTTP: the words with which an estimate goes out."""

from collections.abc import Sequence
from typing import Any

import pytest

from backbench.actions.estimating import messages
from backbench.domain.accounts.sessions import Caller
from backbench.domain.ai import AiLimits
from backbench.domain.estimating.estimates import LineItem
from backbench.domain.estimating.message_drafts import NewMessageDraft
from backbench.domain.estimating.messages import MessageDraft, MessageFacts
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from tests.people import Person, Shop, pointers

OAK: dict[str, Any] = {"label": "Oak", "unit": "sqm", "unitPrice": 1000, "quantity": 2.5}


async def drafted(person: Person, estimate_id: str, **wanted: Any) -> dict[str, Any]:
    body = {"locale": "en", "tone": "formal", "preliminary": False, **wanted}
    answer = await person.post(f"/estimates/{estimate_id}/message-draft", body)
    assert answer.status_code == 200, answer.text
    message: dict[str, Any] = answer.json()
    return message


async def set_money(person: Person, **settings: Any) -> None:
    await person.put(f"/workshops/{person.workshop}/document-settings", {"currency": "EUR", **settings})


@pytest.mark.parametrize("locale", ["pl", "en"])
@pytest.mark.parametrize("tone", ["formal", "friendly"])
@pytest.mark.parametrize("preliminary", [True, False])
async def test_a_template_words_it_where_no_model_is_set_up(
    shop: Shop, locale: str, tone: str, preliminary: bool
) -> None:
    anna = await shop.owner()
    await set_money(anna, currency="PLN", phone="22 123 45 67")
    estimate = await anna.estimate(name="Kuchnia dębowa", recipientName="Łucja", lineItems=[OAK])
    message = await drafted(anna, estimate["id"], locale=locale, tone=tone, preliminary=preliminary)
    assert set(message) == {"subject", "body", "aiDrafted"}
    assert message["aiDrafted"] is False
    total = "2\u00a0500,00\u00a0zł" if locale == "pl" else "PLN\u00a02,500.00"
    for told in ("Kuchnia dębowa", "Łucja", total, "22 123 45 67"):
        assert told in message["body"]
    assert "Kuchnia dębowa" in message["subject"]


async def test_a_message_tells_of_what_was_confirmed(shop: Shop) -> None:
    anna = await shop.owner()
    await set_money(anna, currency="GBP", taxPercent=20)
    estimate = await anna.estimate(recipientName="Łucja", lineItems=[OAK])
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    await anna.patch(f"/estimates/{estimate['id']}", {"name": "Attic", "recipientName": None, "lineItems": []})
    await set_money(anna, currency="PLN")
    message = await drafted(anna, estimate["id"])
    for told in ("Kitchen", "Łucja", "£3,000.00", "£500.00"):
        assert told in message["body"]


async def test_a_message_about_what_is_not_confirmed_tells_of_it_as_it_stands(shop: Shop) -> None:
    anna = await shop.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    await anna.patch(f"/estimates/{estimate['id']}", {"name": "Attic"})
    message = await drafted(anna, estimate["id"], preliminary=True)
    assert "Attic" in message["body"]
    assert "€2,500.00" in message["body"]


async def test_a_message_says_until_when_it_holds_unless_the_workshop_says_nothing(shop: Shop) -> None:
    anna = await shop.owner()
    estimate = await anna.estimate()
    assert "valid until" in (await drafted(anna, estimate["id"]))["body"]
    await set_money(anna, validDays=0)
    assert "valid until" not in (await drafted(anna, estimate["id"]))["body"]


async def test_every_fault_is_named(shop: Shop) -> None:
    anna = await shop.owner()
    estimate = await anna.estimate()
    path = f"/estimates/{estimate['id']}/message-draft"
    assert pointers(await anna.post(path, {})) == ["/locale", "/tone", "/preliminary"]
    wrong = {"locale": "de", "tone": "rude", "preliminary": "no", "length": 3}
    assert pointers(await anna.post(path, wrong)) == ["/locale", "/tone", "/preliminary", "/length"]


class Model:
    """Words messages, or has nothing to say."""

    def __init__(self, *, is_silent: bool = False) -> None:
        self.is_silent = is_silent
        self.told: MessageFacts | None = None
        self.work: Sequence[LineItem] = ()

    async def draft(self, facts: MessageFacts, work: Sequence[LineItem], *_: object) -> MessageDraft | None:
        self.told, self.work = facts, work
        return None if self.is_silent else MessageDraft("From a model", "Its words")


async def asked(shop: Shop, person: Person, model: Model) -> dict[str, Any]:
    estimate = await person.estimate(lineItems=[OAK])
    body = NewMessageDraft("en", "formal", preliminary=False)
    message = await messages.draft(
        shop.db, Caller(person.uid), estimate["id"], body, model, AiLimits(), times.now(), new_id
    )
    return {"subject": message.subject, "is_ai": message.ai_drafted}


async def test_a_models_words_are_marked_as_such(shop: Shop) -> None:
    anna = await shop.owner()
    model = Model()
    assert await asked(shop, anna, model) == {"subject": "From a model", "is_ai": True}
    assert model.told is not None
    assert model.told.estimate_name == "Kitchen"
    assert model.told.total == 2500
    assert [line.label for line in model.work] == ["Oak"]


async def test_a_template_steps_in_for_a_model_that_has_nothing_to_say(shop: Shop) -> None:
    anna = await shop.owner()
    assert await asked(shop, anna, Model(is_silent=True)) == {"subject": "Estimate: Kitchen", "is_ai": False}
