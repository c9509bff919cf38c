"""Emails about a link promise what its page then offers, in the state of the link at the moment of sending."""

import re
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any, get_args

from backbench.engine.database import Write
from backbench.jobs.email_renderer import EmailRenderer
from backbench.mail.details import CommentsDetails, LinkDetails
from backbench.mail.outbox import EmailKind, OutgoingEmail, QueuedEmail
from backbench.values import locales, times
from backbench.values.enums import MessageTone, UserLocale
from backbench.values.numbers import to_json_text
from tests.people import App
from tests.support.shared_links import SharedEstimate, share
from tests.support.violations import violations

ADDRESS = "Write to anna@example.com"
# The client can answer, or any reader of the link can.
ANSWER = {
    "en": r"answer (?:it|once more|for you)|accept it|open again",
    "pl": r"i od razu odpowiedzieć|od razu na stronie|odpowiedzieć jeszcze raz|odpowiedzieć w (?:Państwa|Twoim)",
}
VALID = {"en": "valid until", "pl": r"jest ważn[aey] do"}
# In an email to an owner.
SHOWN_TO_CLIENT = {"en": "on the client’s page", "pl": "na stronie klienta"}
PAST = "2026-01-01T00:00:00.000Z"


class Emails:
    """Renders emails about a link as if they were sent now."""

    def __init__(self, shared: SharedEstimate, ids: dict[str, str]) -> None:
        app = shared.owner.app
        self._db, settings = app.db, app.backbench.settings
        self._renderer = EmailRenderer(settings.public_url, settings.plan_rules)
        self._shared, self._ids = shared, ids

    def client_cases(self) -> list[tuple[EmailKind, LinkDetails]]:
        link, ids = self._shared.link["id"], self._ids
        return [
            *(("estimate_shared", LinkDetails(link, tone=tone)) for tone in get_args(MessageTone)),
            ("estimate_revised", LinkDetails(link)),
            ("comment_answered", LinkDetails(link, comment_id=ids["comment"])),
            ("decision_voided", LinkDetails(link, decision_id=ids["voided"])),
            ("decision_recorded", LinkDetails(link, decision_id=ids.get("standing", ids["voided"]))),
        ]

    async def text(self, kind: EmailKind, details: Any, locale: UserLocale) -> str | None:
        """Without the brand mark; None where there is no email."""
        uid = self._shared.owner.uid
        email = QueuedEmail("an email", kind, "jan@example.com", locale, uid, None, to_json_text(details), PAST, 1)

        async def render(db: Write) -> OutgoingEmail | None:
            return await self._renderer.render(db, email, times.now())

        rendered = await self._db.write(render)
        if rendered is None:
            return None
        text = re.sub(r"\n(?:sent with|wysłano z) Backbench.*", "", rendered.content.text)
        return " ".join(text.split())


async def recorded(shared: SharedEstimate) -> str:
    """The id of an acceptance of revision 1 that a member recorded."""
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    response = await shared.owner.post(f"{shared.path}/decisions", body)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def void(shared: SharedEstimate, decision_id: str) -> None:
    response = await shared.owner.post(f"/decisions/{decision_id}/void", {"reason": ADDRESS})
    assert response.status_code == 200, response.text


async def set_link(shared: SharedEstimate, **columns: Any) -> None:
    async def save(db: Write) -> None:
        for name, value in columns.items():
            await db.run(f"UPDATE links SET {name} = :value WHERE id = :id", value=value, id=shared.link["id"])

    await shared.owner.app.db.write(save)


async def emails_of(shared: SharedEstimate) -> tuple[Emails, dict[str, str]]:
    asked = (await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "In ash?"})).json()
    answer = (await shared.owner.post(f"/links/{shared.link['id']}/comments", {"text": ADDRESS})).json()
    ids = {"comment": answer["id"], "asked": asked["id"], "voided": await recorded(shared)}
    await void(shared, ids["voided"])
    return Emails(shared, ids), ids


async def test_emails_promise_what_the_page_offers_in_each_state_of_the_link(app: App) -> None:
    shared = await share(await app.owner())
    emails, ids = await emails_of(shared)
    link = f"/links/{shared.link['id']}"

    async def superseded() -> None:
        await shared.owner.patch(shared.path, {"discountPercent": 5})
        await shared.confirm()

    async def accepted() -> None:
        await set_link(shared, expires_at="2999-01-01T00:00:00.000Z")
        ids["standing"] = (await shared.accept()).json()["id"]

    async def declined() -> None:
        await void(shared, ids["standing"])
        ids["standing"] = (await shared.client.post("/client/estimate/decline", {})).json()["id"]

    async def decided_elsewhere() -> None:
        await void(shared, ids["standing"])
        ids["standing"] = await recorded(shared)

    # Each from the one before. The second half is about revision 2.
    states: list[tuple[str, Callable[[], Awaitable[Any]]]] = [
        ("open", lambda: shared.owner.patch(link, {"canDecide": True})),
        ("superseded", superseded),
        ("revised", lambda: shared.owner.patch(link, {"revisionNumber": 2})),
        ("only read", lambda: shared.owner.patch(link, {"canDecide": False})),
        ("expired with its validity", lambda: set_link(shared, can_decide=1, expires_at=PAST)),
        ("expired by an end of its own", lambda: set_link(shared, own_expiry=1)),
        ("accepted", accepted),
        ("declined", declined),
        ("accepted in another revision", decided_elsewhere),
        ("revoked", lambda: shared.owner.delete(link)),
    ]
    found: set[tuple[str, bool]] = set()
    with violations() as case:
        for name, enter in states:
            await enter()
            shown = await shared.client.get("/client/estimate")
            page: dict[str, Any] = {"state": "revoked", "canDecide": False}
            if shown.status_code == 200:
                page = shown.json()
            found.add((page["state"], page["canDecide"]))
            for locale in get_args(UserLocale):
                for kind, details in emails.client_cases():
                    with case(f"{name}, {locale}: {kind} {details.tone}"):
                        check_client_email(kind, await emails.text(kind, details, locale), page, locale)
                with case(f"{name}, {locale}: estimate_commented"):
                    commented = CommentsDetails(comment_id=ids["asked"])
                    text = await emails.text("estimate_commented", commented, locale)
                    is_shown = re.search(SHOWN_TO_CLIENT[locale], text or "") is not None
                    assert is_shown == (page["state"] != "revoked"), text
    assert found == {
        ("open", True),
        ("open", False),
        ("expired", False),
        ("accepted", False),
        ("declined", False),
        ("superseded", False),
        ("revoked", False),
    }


def check_client_email(kind: EmailKind, text: str | None, page: dict[str, Any], locale: UserLocale) -> None:
    state = page["state"]
    if state == "revoked" or (kind == "estimate_revised" and state == "superseded"):
        assert text is None
        return
    if text is None:
        assert kind == "decision_recorded"
        assert "decision" not in page
        return
    promises = re.search(ANSWER[locale], text) is not None
    assert promises == (page["canDecide"] and kind in ("estimate_shared", "decision_voided")), text
    names_end = re.search(VALID[locale], text) is not None
    is_undecided = state == "open" and "decision" not in page
    assert names_end == (is_undecided and kind in ("estimate_shared", "estimate_revised")), text
    assert "Backbench" not in text


async def test_an_email_names_the_end_at_which_the_client_can_no_longer_answer(app: App) -> None:
    anna = await app.owner()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN", "timeZone": "Europe/Warsaw"})
    shared = await share(anna)
    emails, _ = await emails_of(shared)
    page = (await shared.client.get("/client/estimate")).json()
    validity: dict[UserLocale, str] = {
        locale: locales.day(date.fromisoformat(page["validUntil"]), locale) for locale in get_args(UserLocale)
    }
    own: dict[UserLocale, str] = {
        "en": "2 January 2999, 18:30 (Europe/Warsaw)",
        "pl": "2 stycznia 2999, 18:30 (Europe/Warsaw)",
    }
    with violations() as case:
        for ends, sent in (
            (validity, None),
            # Earlier or later than the validity: it is the one that counts.
            (own, "2999-01-02T17:30:00Z"),
            (validity, page["expiresAt"]),
        ):
            await anna.patch(f"/links/{shared.link['id']}", {"expiresAt": sent})
            for locale, end in ends.items():
                with case(f"{sent}, {locale}"):
                    text = await emails.text("estimate_shared", LinkDetails(shared.link["id"]), locale)
                    assert re.search(f"(?:{VALID[locale]}) {re.escape(end)}\\.", text or ""), text
