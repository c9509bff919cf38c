"""Feedback: stored with the account, and emailed to the support address if one is set."""

from collections.abc import Callable

import pytest

from tests.people import App, pointers
from tests.support.databases import running_app
from tests.support.mailbox import last_email_to, text_of

FEEDBACK = {"kind": "feedback", "title": "Łatwo się liczy", "message": "Thank you.\nOne wish:\tdark mode."}


async def test_feedback_is_stored_as_sent_and_exported(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    response = await anna.post("/feedback", {**FEEDBACK, "path": "/orders?q=a"}, user_agent="Workbench/1.0")
    stored = response.json()
    assert response.status_code == 201
    assert stored == {
        **FEEDBACK,
        "id": stored["id"],
        "email": anna.email,
        "locale": "pl",
        "createdAt": stored["createdAt"],
        "path": "/orders?q=a",
        "userAgent": "Workbench/1.0",
    }
    assert (await anna.get("/me/data-export")).json()["feedback"] == [stored]


async def test_feedback_is_limited_per_account(app: App) -> None:
    anna, karol = await app.person("Anna"), await app.person("Karol")
    responses = [await anna.post("/feedback", FEEDBACK) for _ in range(11)]
    assert [response.status_code for response in responses] == [201] * 10 + [429]
    assert responses[9].headers["ratelimit"].startswith('"account";r=0;t=')
    assert responses[10].json()["code"] == "rate_limited"
    assert 3000 < int(responses[10].headers["retry-after"]) <= 3600
    assert len((await anna.get("/me/data-export")).json()["feedback"]) == 10
    assert (await karol.post("/feedback", FEEDBACK)).status_code == 201


async def test_a_missing_path_is_absent(app: App) -> None:
    anna = await app.person("Anna")
    stored = (await anna.post("/feedback", {**FEEDBACK, "kind": "support"}, user_agent="")).json()
    assert "path" not in stored


async def test_every_invalid_feedback_field_is_named(app: App) -> None:
    anna = await app.person("Anna")
    invalid = {"kind": "praise", "title": "a\nb", "message": "", "path": "\u0007", "email": "eve@example.com"}
    assert pointers(await anna.post("/feedback", invalid)) == ["/kind", "/title", "/message", "/path", "/email"]
    for title, message in (("", "x"), ("x" * 251, "x"), ("x", "x" * 5001)):
        assert (await anna.post("/feedback", {**FEEDBACK, "title": title, "message": message})).status_code == 400
    assert (await anna.post("/feedback", {**FEEDBACK, "title": "x" * 250, "message": "x" * 5000})).status_code == 201


@pytest.mark.both_engines
async def test_feedback_is_emailed_to_support_with_reply_to(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), support_email="host@example.com") as app:
        anna = await app.person("Anna")
        assert (await anna.post("/feedback", {**FEEDBACK, "title": "{sender} <b>"})).status_code == 201
        email = await last_email_to(app, "host@example.com")
        assert (email["Subject"], email["Reply-To"]) == ("Feedback: {sender} <b>", anna.email)
        assert "Thank you.\nOne wish:" in text_of(email)
        assert "Thank you.<br>One wish:" in text_of(email, "html")
