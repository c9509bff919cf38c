"""Data export of an account: everything stored about it, in exactly the promised shapes."""

from typing import Any

import msgspec

from backbench.billing.plans import Plan
from backbench.engine.database import Write
from backbench.exports import exports
from backbench.exports.exports import AccountDataExport
from backbench.hosting import administration
from backbench.values import times
from backbench.values.calls import Call, Caller
from backbench.values.ids import new_id
from backbench.workshops import members
from tests.people import App, Person, ids

RECORD = {
    "id", "name", "tagline", "logo", "crafterName", "crafterAvatarSeed", "background", "customBackground",
    "titleFont", "accentColor", "plan", "planExpiresAt", "planSource", "isDefault", "createdAt",
}  # fmt: skip
BILLING = {
    "billingCustomerId", "billingSubscriptionId", "billingCancelAtPeriodEnd", "contextSynthesisAttempts",
    "messageDraftAttempts",
}  # fmt: skip
PROVIDER_IDS = ("billingCustomerId", "billingSubscriptionId")
OAK = {"label": "Oak", "unit": "sqm", "unitPrice": 120.5, "quantity": 2.25}


async def export(person: Person) -> dict[str, Any]:
    response = await person.get("/me/data-export")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    exported: dict[str, Any] = response.json()
    return exported


async def workshop_of(person: Person, workshop_id: str = "") -> dict[str, Any]:
    """The entry of the person's own workshop, or of another one."""
    entries = (await export(person))["workshops"]
    wanted = workshop_id or person.workshop
    return next(entry for entry in entries if entry["workshop"]["id"] == wanted)


async def run_sql(person: Person, sql: str, **values: Any) -> None:
    async def work(db: Write) -> None:
        await db.run(sql, **values)

    await person.app.db.write(work)


async def test_an_export_has_exactly_the_members_of_its_shape(app: App) -> None:
    exported = await export(await app.owner("Anna"))
    assert set(exported) == {"user", "workshops", "feedback", "authProviders", "apiTokens"}
    assert (exported["feedback"], exported["authProviders"], exported["apiTokens"]) == ([], [], [])
    (entry,) = exported["workshops"]
    assert set(entry) == {"workshop", "grids", "estimates", "orders"}
    assert (entry["grids"], entry["estimates"], entry["orders"]) == ([], [], [])


async def test_the_user_is_exported_without_secrets(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    response = await anna.get("/me/data-export")
    user = response.json()["user"]
    assert set(user) == {"uid", "email", "name", "status", "emailVerifiedAt", "lastLoginAt", "locale"}
    assert (user["uid"], user["email"], user["name"]) == (anna.uid, anna.email, "Anna")
    assert (user["status"], user["locale"]) == ("active", "pl")
    assert "argon2" not in response.text
    assert anna.browser.cookies["session"] not in response.text


async def test_account_fields_are_exported_and_missing_ones_are_null_or_absent(app: App) -> None:
    anna = await app.owner("Anna")
    await run_sql(
        anna,
        """
        UPDATE accounts SET email_verified_at = NULL, last_login_at = NULL, terms_version = '2026-01',
            terms_accepted_at = '2026-11-20T10:15:00.000Z' WHERE id = :uid
        """,
        uid=anna.uid,
    )
    user = (await export(anna))["user"]
    assert user["emailVerifiedAt"] is None
    assert "lastLoginAt" not in user
    assert (user["termsVersion"], user["termsAcceptedAt"]) == ("2026-01", "2026-11-20T10:15:00.000Z")


async def test_a_workshop_is_exported_as_it_is_stored(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    edit = {"tagline": "x", "customBackground": {"kind": "solid", "color": "#102030"}, "accentColor": "#aBcDeF"}
    await anna.patch(f"/workshops/{anna.workshop}", edit)
    context = (await anna.put(f"/workshops/{anna.workshop}/context", {"notes": "oak"})).json()
    record = (await workshop_of(anna))["workshop"]
    workshop = (await anna.get(f"/workshops/{anna.workshop}")).json()
    assert set(record) - BILLING == {*RECORD, "context"}
    assert "members" not in record
    assert {name: record[name] for name in {*RECORD, "context"}} == {
        name: workshop[name] for name in {*RECORD, "context"}
    }
    assert record["context"] == context


async def test_billing_and_ai_attempts_are_exported(app: App) -> None:
    anna = await app.owner("Anna")
    await run_sql(
        anna,
        """
        UPDATE workshops SET billing_customer_id = 'cus_1', billing_subscription_id = 'sub_1',
            billing_cancel_at_period_end = 1 WHERE id = :id
        """,
        id=anna.workshop,
    )
    for number, kind in enumerate(("context_synthesis", "message_draft", "message_draft")):
        await run_sql(
            anna,
            "INSERT INTO ai_attempts (workshop_id, kind, at, id) VALUES (:workshop, :kind, :at, :id)",
            workshop=anna.workshop,
            kind=kind,
            at=f"2026-11-20T10:15:00.00{number}Z",
            id=str(number),
        )
    record = (await workshop_of(anna))["workshop"]
    assert {name: record[name] for name in BILLING} == {
        "billingCustomerId": "cus_1",
        "billingSubscriptionId": "sub_1",
        "billingCancelAtPeriodEnd": True,
        "contextSynthesisAttempts": ["2026-11-20T10:15:00.000Z"],
        "messageDraftAttempts": ["2026-11-20T10:15:00.001Z", "2026-11-20T10:15:00.002Z"],
    }


async def test_without_a_customer_there_is_no_customer_id(app: App) -> None:
    assert "billingCustomerId" not in (await workshop_of(await app.owner("Anna")))["workshop"]


async def test_ids_of_the_payment_provider_are_exported_to_owners_alone(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna, "Marek")
    sql = "UPDATE workshops SET billing_customer_id = 'cus_1', billing_subscription_id = 'sub_1' WHERE id = :id"
    await run_sql(anna, sql, id=anna.workshop)
    record = (await workshop_of(marek, anna.workshop))["workshop"]
    assert record.keys().isdisjoint(PROVIDER_IDS)


async def test_an_expired_plan_is_exported_as_the_free_one(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    until = times.later(times.now(), -60)
    await free_app.db.write(
        lambda db: administration.set_plan(db, anna.workshop, Plan("pro", until, "trial"), times.now(), new_id)
    )
    record = (await workshop_of(anna))["workshop"]
    workshop = (await anna.get(f"/workshops/{anna.workshop}")).json()
    plan = ("plan", "planExpiresAt", "planSource")
    assert record["plan"] == "free"
    assert [record[name] for name in plan] == [workshop[name] for name in plan]


async def test_workshops_of_a_member_are_exported_like_owned_ones(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna, "Marek")
    order = await marek.order()
    entries = {entry["workshop"]["id"]: entry for entry in (await export(marek))["workshops"]}
    assert len(entries) == 2
    assert entries[anna.workshop]["orders"] == [order]
    record = {name: value for name, value in (await workshop_of(anna))["workshop"].items() if name not in PROVIDER_IDS}
    assert entries[anna.workshop]["workshop"] == record


async def test_nothing_of_other_workshops_is_exported(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna, "Marek")
    await anna.order(title="Not for Marek")
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    response = await marek.get("/me/data-export")
    assert "Not for Marek" not in response.text
    assert len(response.json()["workshops"]) == 1


async def test_orders_are_exported_as_they_are_listed(app: App) -> None:
    anna = await app.owner("Anna")
    for title in ("Chair", 'Stół "dębowy" \\ 🪚'):
        order = await anna.order(title=title)
        await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    listed = (await anna.get(f"/workshops/{anna.workshop}/orders")).json()["orders"]
    assert (await workshop_of(anna))["orders"] == listed


async def test_estimates_are_exported_with_their_revisions_and_nothing_else(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate(recipientName="Ewa", markupPercent=12.5, lineItems=[OAK])
    path = f"/estimates/{estimate['id']}"
    revisions = [(await anna.post(f"{path}/confirm")).json()["revision"] for _ in range(2)]
    handoff = {"kind": "pdf-shared", "locale": "pl", "preliminary": True, "tone": "formal", "aiDrafted": False}
    assert (await anna.post(f"{path}/handoffs", handoff)).status_code == 201
    plain = await anna.estimate()
    exported = {entry["id"]: entry for entry in (await workshop_of(anna))["estimates"]}
    assert exported[estimate["id"]] == estimate | {"revisions": revisions[::-1]}
    assert exported[plain["id"]] == plain | {"revisions": []}


async def test_grids_are_exported_as_they_are_listed(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/grids"
    button = {"emoji": "🪚", "label": "Oak", "unit": "sqm", "unitPrice": 120.5, "backgroundColor": "#102030"}
    for name in ("Tables", "Chairs"):
        assert (await anna.post(path, {"name": name, "buttons": [button]})).status_code == 201
    listed = (await anna.get(path)).json()["grids"]
    assert len(listed) == 2
    assert (await workshop_of(anna))["grids"] == listed


async def test_linked_providers_are_exported(app: App) -> None:
    anna = await app.owner("Anna")
    await run_sql(
        anna,
        """
        INSERT INTO identities (issuer, subject, account_id, provider, linked_at)
        VALUES ('https://accounts.google.com', :subject, :uid, 'google', '2026-11-20T10:15:00.000Z')
        """,
        subject=f"subject of {anna.uid}",
        uid=anna.uid,
    )
    assert (await export(anna))["authProviders"] == [
        {"provider": "google", "subject": f"subject of {anna.uid}", "linkedAt": "2026-11-20T10:15:00.000Z"}
    ]


async def test_feedback_is_exported(app: App) -> None:
    anna = await app.owner("Anna")
    feedback = {"kind": "support", "title": "Help", "message": "The saw is loud", "path": "/orders"}
    record = (await anna.post("/feedback", feedback, user_agent="Firefox")).json()
    (exported,) = (await export(anna))["feedback"]
    assert exported == record
    assert set(exported) == {
        "id", "kind", "title", "message", "email", "locale", "createdAt", "path", "userAgent",
    }  # fmt: skip


async def test_api_keys_are_exported_with_revoked_ones(app: App) -> None:
    anna = await app.owner("Anna")
    created = [
        (await anna.post("/me/api-keys", {"name": name, "scopes": ["orders:read"]})).json() for name in ("a", "b")
    ]
    await anna.delete(f"/me/api-keys/{created[0]['apiKey']['id']}")
    exported = (await export(anna))["apiTokens"]
    assert exported == (await anna.get("/me/api-keys")).json()["apiKeys"]
    assert ids(exported) == [created[1]["apiKey"]["id"], created[0]["apiKey"]["id"]]


async def test_an_export_longer_than_a_read_page_is_complete(app: App) -> None:
    anna = await app.owner("Anna")
    order, estimate = await anna.order(), await anna.estimate()
    number = 203

    async def copy(db: Write) -> None:
        for index in range(1, number):
            await db.run(
                """
                INSERT INTO orders (workshop_id, created_at, id, title, customer_name, notes, status,
                    last_activity_at, status_history, title_folded, customer_folded)
                SELECT workshop_id, created_at, :id, title, customer_name, notes, status, last_activity_at,
                    status_history, title_folded, customer_folded FROM orders WHERE id = :original
                """,
                id=f"{order['id']}-{index}",
                original=order["id"],
            )
            await db.run(
                """
                INSERT INTO estimates (workshop_id, created_at, id, name, recipient_name, markup_percent,
                    discount_percent, line_items, updated_at)
                SELECT workshop_id, created_at, :id, name, recipient_name, markup_percent, discount_percent,
                    line_items, updated_at FROM estimates WHERE id = :original
                """,
                id=f"{estimate['id']}-{index}",
                original=estimate["id"],
            )

    await app.db.write(copy)
    entry = await workshop_of(anna)
    assert len(set(ids(entry["orders"]))) == len(entry["orders"]) == number
    assert len(set(ids(entry["estimates"]))) == len(entry["estimates"]) == number


async def test_an_export_is_a_snapshot(app: App) -> None:
    """A write during the export is in it completely or not at all."""
    anna = await app.owner("Anna")
    order = await anna.order()
    pieces = exports.data_export(app.db, Call(caller(anna), times.now()), app.backbench.settings.plan_rules)
    body = await anext(pieces)
    await anna.patch(f"/orders/{order['id']}", {"title": "Written meanwhile"})
    await anna.order(title="Opened meanwhile")
    body += b"".join([piece async for piece in pieces])
    (entry,) = msgspec.json.decode(body)["workshops"]
    assert entry["orders"] == [order]


async def test_an_export_matches_its_type(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.order()
    await anna.estimate(lineItems=[OAK])
    response = await anna.get("/me/data-export")
    exported = msgspec.convert(
        response.json(), AccountDataExport, strict=True, dec_hook=lambda type_, value: type_(str(value))
    )
    assert exported.user.uid == anna.uid


def caller(person: Person) -> Caller:
    return Caller(uid=person.uid)
