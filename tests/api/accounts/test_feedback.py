"""Feedback: kept with the account, and mailed to those who run the service where they asked for it."""

from collections.abc import Callable

from tests.people import Shop, pointers
from tests.support.engines import opened_shop
from tests.support.postbox import last_mail_to, text_of

TOLD = {"kind": "feedback", "title": "Łatwo się liczy", "message": "Thank you.\nOne wish:\tdark mode."}


async def test_feedback_is_stored_as_sent_and_exported(shop: Shop) -> None:
    anna = await shop.person("Anna", locale="pl")
    answer = await anna.post("/feedback", {**TOLD, "path": "/orders?q=a"}, user_agent="Workbench/1.0")
    told = answer.json()
    assert answer.status_code == 201
    assert told == {
        **TOLD,
        "id": told["id"],
        "email": anna.email,
        "locale": "pl",
        "createdAt": told["createdAt"],
        "path": "/orders?q=a",
        "userAgent": "Workbench/1.0",
    }
    assert (await anna.get("/me/data-export")).json()["feedback"] == [told]


async def test_a_missing_path_is_absent(shop: Shop) -> None:
    anna = await shop.person("Anna")
    told = (await anna.post("/feedback", {**TOLD, "kind": "support"}, user_agent="")).json()
    assert "path" not in told


async def test_every_invalid_feedback_field_is_named(shop: Shop) -> None:
    anna = await shop.person("Anna")
    faulty = {"kind": "praise", "title": "a\nb", "message": "", "path": "\u0007", "email": "eve@example.com"}
    assert pointers(await anna.post("/feedback", faulty)) == ["/kind", "/title", "/message", "/path", "/email"]
    for title, message in (("", "x"), ("x" * 251, "x"), ("x", "x" * 5001)):
        assert (await anna.post("/feedback", {**TOLD, "title": title, "message": message})).status_code == 400
    assert (await anna.post("/feedback", {**TOLD, "title": "x" * 250, "message": "x" * 5000})).status_code == 201


async def test_feedback_is_emailed_to_support_with_reply_to(new_database_url: Callable[[], str]) -> None:
    async with opened_shop(new_database_url(), support_email="host@example.com") as shop:
        anna = await shop.person("Anna")
        assert (await anna.post("/feedback", {**TOLD, "title": "{sender} <b>"})).status_code == 201
        mail = await last_mail_to(shop, "host@example.com")
        assert (mail["Subject"], mail["Reply-To"]) == ("Feedback: {sender} <b>", anna.email)
        assert "Thank you.\nOne wish:" in text_of(mail)
        assert "Thank you.<br>One wish:" in text_of(mail, "html")
