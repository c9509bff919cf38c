"""Sample requests: how each operation is called in tests that cover the whole table of operations.

These tests fail for an operation that is missing here; add an entry for it.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from backbench.accounts import accounts, tokens
from backbench.accounts.sign_in import NewSession, start_session
from backbench.accounts.tokens import StoredToken
from backbench.engine.database import Write
from backbench.http.operations import Operation
from backbench.values import times
from backbench.values.calls import NOBODY, Call, Client, Scope
from backbench.values.ids import new_id
from backbench.values.limits import SessionLife
from backbench.workshops import members, team
from backbench.workshops.team import StoredInvitation
from tests.people import Person
from tests.support.secret_log_check import remember_secrets
from tests.support.uploads import icon, photo, proposal

# A valid body for each operation that has one.
BODIES: dict[str, dict[str, Any]] = {
    "POST /authenticate": {"email": "nobody@example.com", "password": "not the password"},
    "POST /accounts": {
        "name": "Łucja",
        "email": "lucja@example.com",
        "password": "a plane and a saw",
        "acceptTerms": True,
    },
    "POST /accounts/verify": {"token": "invalid", "password": "a plane and a saw"},
    "POST /accounts/verify/resend": {"email": "nobody@example.com"},
    "POST /password-resets": {"email": "nobody@example.com"},
    "POST /password-resets/confirm": {"token": "invalid", "password": "a plane and a saw"},
    "PUT /me/password": {"currentPassword": "not the password", "newPassword": "a plane and two saws"},
    "DELETE /me": {"password": "not the password"},
    "POST /feedback": {"kind": "support", "title": "A question", "message": "How do I print?"},
    "POST /workshops/{workshopId}/invitations": {"email": "zofia@example.com", "role": "member"},
    "POST /invitations/accept": {"token": "invalid"},
    "POST /invitations/preview": {"token": "invalid"},
    "POST /invitations/join": {
        "token": "invalid",
        "name": "Zofia",
        "password": "a chisel and glue",
        "acceptTerms": True,
    },
    "PATCH /workshops/{workshopId}/members/{userId}": {"role": "owner"},
    "PATCH /me": {"name": "Łucja"},
    "POST /me/api-keys": {"name": "Shop window", "scopes": ["orders:read"]},
    "POST /workshops": {"name": "Oak & Ash"},
    "PATCH /workshops/{workshopId}": {
        "tagline": "Made to last",
        "customBackground": {"kind": "gradient", "from": "#102030", "to": "#FFeedd", "angle": 45},
    },
    "POST /workshops/{workshopId}/webhooks": {"url": "https://n8n.example/orders", "events": ["order.moved"]},
    "PATCH /webhooks/{webhookId}": {"enabled": False},
    "PATCH /imports/{importId}": {"mapping": {"phone": None}},
    "POST /webhooks/{webhookId}/replay": {"since": "2026-11-20T08:00:00Z"},
    "POST /me/push-subscriptions": {
        "endpoint": "https://push.example/send/a-phone",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "kinds": ["question", "accepted"],
    },
    "POST /mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    "POST /workshops/{workshopId}/calendars": {"name": "Workshop", "show": "both", "names": "full"},
    "POST /workshops/{workshopId}/inbox/read": {"ids": ["unsent.an item that has gone"]},
    "PUT /workshops/{workshopId}/context": {"notes": "We only work in oak."},
    "POST /workshops/{workshopId}/orders": {"title": "Oak table", "customerName": "Łucja"},
    "PATCH /orders/{orderId}": {"notes": "Deliver on Friday"},
    "PATCH /orders/{orderId}/status": {"status": "in_progress"},
    "POST /workshops/{workshopId}/customers": {"name": "Łucja", "phones": [{"number": "600 100 200"}]},
    "PATCH /customers/{customerId}": {"notes": "Rings twice"},
    "POST /customers/{customerId}/merge": {"fromId": "another customer"},
    "POST /customers/{customerId}/unmerge": {"fromId": "another customer"},
    "PATCH /orders/{orderId}/details": {"item": {"description": "Ring"}, "dueOn": "2026-12-04", "phone": "600 100 200"},
    "POST /orders/{orderId}/collected": {"to": "Łucja"},
    "PUT /orders/{orderId}/signature": {"strokes": [[[1, 2.5], [3, 4]]], "name": "Łucja"},
    "POST /orders/{orderId}/questions": {"text": "Yes, by Friday."},
    "POST /client/order/questions": {"name": "Łucja", "text": "By Friday?"},
    "POST /orders/{orderId}/message-draft": {"kind": "ready", "locale": "pl", "tone": "friendly"},
    "POST /orders/{orderId}/payments": {"kind": "deposit", "amount": 120.5, "method": "blik", "note": "half now"},
    "POST /payments/{paymentId}/void": {"reason": "Typed twice"},
    "PUT /orders/{orderId}/agreed": {"amount": 241},
    "POST /orders/{orderId}/invoices": {
        "kind": "invoice",
        "lines": [{"label": "Oak table", "unit": "piece", "quantity": 1, "unitPrice": 120, "tax": 23}],
        "buyer": {"name": "Łucja", "country": "PL", "isConsumer": True},
    },
    "PATCH /invoices/{invoiceId}": {"notes": "Thank you"},
    "POST /invoices/{invoiceId}/issue": {"issueDate": "2025-11-20"},
    "POST /invoices/{invoiceId}/corrections": {"reason": "Two hours too many"},
    "POST /orders/{orderId}/notices": {"kind": "ready", "channel": "called"},
    "PUT /orders/{orderId}/photos/order": {"photoIds": []},
    "PATCH /photos/{photoId}": {"caption": "The loose leg", "shared": True},
    "POST /workshops/{workshopId}/estimates": {
        "name": "Kitchen",
        "lineItems": [{"label": "Oak", "unit": "sqm", "unitPrice": 120, "quantity": 2.5}],
    },
    "PATCH /estimates/{estimateId}": {"markupPercent": 12.5},
    "POST /estimates/{estimateId}/line-items": {"label": "Oil", "unit": "piece", "unitPrice": 40, "quantity": 2},
    "PATCH /estimates/{estimateId}/line-items/{lineId}": {"quantity": 3},
    "PUT /estimates/{estimateId}/document": {
        "recipientAddress": "ul. Młyńska 14\n33-300 Nowy Sącz",
        "lineTaxes": {"a line": 8},
        "depositPercent": 30,
    },
    "POST /estimates/{estimateId}/orders": {"title": "Kitchen for Łucja"},
    "POST /estimates/{estimateId}/message-draft": {"locale": "pl", "tone": "friendly", "preliminary": False},
    "POST /estimates/{estimateId}/pdf-exports": {"locale": "pl", "preliminary": False},
    "PUT /workshops/{workshopId}/document-settings": {"currency": "PLN", "taxPercent": 23},
    "POST /workshops/{workshopId}/grids": {
        "name": "Carpentry",
        "buttons": [{"emoji": "🪚", "label": "Sawing", "unit": "hour", "unitPrice": 80}],
    },
    "PUT /workshops/{workshopId}/grids/order": {"gridIds": []},
    "POST /grids/{gridId}/buttons": {"itemIds": ["fitted-wardrobe"], "locale": "pl"},
    "PATCH /grids/{gridId}": {"iconSize": "large"},
    "POST /estimates/{estimateId}/links": {"locale": "pl"},
    "PATCH /links/{linkId}": {"canDecide": False},
    "POST /links/{linkId}/mail": {"email": "lucja@example.com", "tone": "formal", "message": "See you on Friday."},
    "POST /links/{linkId}/comments": {"text": "Ash costs the same."},
    "POST /estimates/{estimateId}/decisions": {
        "revisionNumber": 1,
        "outcome": "accepted",
        "method": "phone",
        "name": "Łucja",
    },
    "POST /decisions/{decisionId}/void": {"reason": "A mistake"},
    "POST /client/estimate/accept": {
        "name": "Łucja",
        "documentHash": "0" * 64,
        "consentId": "accept-1",
        "agreed": True,
        "signature": {"kind": "drawn", "strokes": [[[1, 2.5], [3, 4]]]},
    },
    "POST /client/estimate/decline": {"reason": "Too late for us"},
    "POST /client/estimate/comments": {"name": "Łucja", "text": "In ash?"},
    "POST /estimates/{estimateId}/handoffs": {
        "kind": "message-copied",
        "locale": "pl",
        "preliminary": False,
        "tone": "formal",
        "aiDrafted": True,
    },
}

# The status of the response to the sample, if it is not the success status of the operation.
STATUSES: dict[str, int] = {
    "POST /authenticate": 401,
    # The estimate of the samples is not confirmed.
    "POST /estimates/{estimateId}/pdf-exports": 409,
    "POST /estimates/{estimateId}/links": 409,
    # It has no revision 1 either.
    "POST /estimates/{estimateId}/decisions": 400,
    # The samples have one customer.
    "POST /customers/{customerId}/merge": 400,
    "POST /customers/{customerId}/unmerge": 400,
    # No payment provider is set up in these tests.
    "POST /workshops/{workshopId}/billing/checkout": 503,
    "POST /workshops/{workshopId}/billing/portal": 503,
    "POST /webhooks/stripe": 503,
    # No language model is set up either.
    "POST /workshops/{workshopId}/context/synthesis": 503,
    # Tokens and passwords of the samples are invalid; no account is linked to Google.
    "POST /accounts": 403,
    "POST /accounts/verify": 400,
    "POST /password-resets/confirm": 400,
    "POST /invitations/accept": 400,
    "POST /invitations/preview": 400,
    "POST /invitations/join": 400,
    "PUT /me/password": 400,
    "DELETE /me": 400,
    "DELETE /me/sign-in-methods/google": 404,
    # The workshop of the samples has no bank account.
    "GET /orders/{orderId}/payment-code": 404,
    "GET /client/order/payment-code": 404,
    "GET /client/estimate/payment-code": 404,
    "GET /auth/google": 404,
    "GET /auth/google/callback": 404,
}

# Operations without authentication. Adding one is a deliberate decision.
PUBLIC = {
    "POST /invitations/preview",
    "GET /calendar-feeds/{fileName}",
    "POST /invitations/join",
    "POST /authenticate",
    "POST /accounts",
    "POST /accounts/verify",
    "POST /accounts/verify/resend",
    "POST /password-resets",
    "POST /password-resets/confirm",
    "GET /auth/google",
    "GET /auth/google/callback",
    "POST /webhooks/stripe",
}

# Operations that require the role owner; all others in a workshop require membership.
OWNERS_ONLY = {
    "GET /workshops/{workshopId}/webhooks",
    "POST /workshops/{workshopId}/webhooks",
    "GET /webhooks/{webhookId}",
    "PATCH /webhooks/{webhookId}",
    "DELETE /webhooks/{webhookId}",
    "POST /webhooks/{webhookId}/rotate",
    "POST /webhooks/{webhookId}/test",
    "POST /webhooks/{webhookId}/replay",
    "GET /webhooks/{webhookId}/deliveries",
    "POST /deliveries/{deliveryId}/resend",
    "DELETE /workshops/{workshopId}",
    "GET /workshops/{workshopId}/audit",
    "POST /workshops/{workshopId}/billing/trial",
    "POST /workshops/{workshopId}/billing/checkout",
    "POST /workshops/{workshopId}/billing/portal",
    "GET /workshops/{workshopId}/invitations",
    "POST /workshops/{workshopId}/invitations",
    "POST /invitations/{invitationId}/addresses",
    "DELETE /invitations/{invitationId}",
    "PATCH /workshops/{workshopId}/members/{userId}",
    "DELETE /workshops/{workshopId}/members/{userId}",
}

# Operations that no API key may call. An entry is removed only if the specification changes.
SESSION_ONLY = {
    "GET /workshops/{workshopId}/imports",
    "POST /workshops/{workshopId}/imports",
    "GET /imports/{importId}",
    "PATCH /imports/{importId}",
    "POST /imports/{importId}/run",
    "POST /imports/{importId}/undo",
    "GET /push/key",
    "GET /me/push-subscriptions",
    "POST /me/push-subscriptions",
    "DELETE /me/push-subscriptions/{subscriptionId}",
    "POST /me/push-subscriptions/{subscriptionId}/test",
    "GET /workshops/{workshopId}/calendars",
    "POST /workshops/{workshopId}/calendars",
    "DELETE /calendars/{calendarId}",
    "GET /workshops/{workshopId}/webhooks",
    "POST /workshops/{workshopId}/webhooks",
    "GET /webhooks/{webhookId}",
    "PATCH /webhooks/{webhookId}",
    "DELETE /webhooks/{webhookId}",
    "POST /webhooks/{webhookId}/rotate",
    "POST /webhooks/{webhookId}/test",
    "POST /webhooks/{webhookId}/replay",
    "GET /webhooks/{webhookId}/deliveries",
    "POST /deliveries/{deliveryId}/resend",
    "POST /logout",
    "GET /me",
    "PATCH /me",
    "DELETE /me",
    "GET /me/data-export",
    "PUT /me/password",
    "DELETE /me/sign-in-methods/google",
    "GET /me/sessions",
    "DELETE /me/sessions/{sessionId}",
    "GET /me/api-keys",
    "POST /me/api-keys",
    "DELETE /me/api-keys/{keyId}",
    "POST /feedback",
    "GET /workshops",
    "POST /workshops",
    "GET /workshops/{workshopId}",
    "PATCH /workshops/{workshopId}",
    "DELETE /workshops/{workshopId}",
    "PUT /workshops/{workshopId}/context",
    "POST /workshops/{workshopId}/context/synthesis",
    "GET /workshops/{workshopId}/entitlements",
    "PUT /workshops/{workshopId}/document-settings",
    "GET /workshops/{workshopId}/audit",
    "GET /workshops/{workshopId}/invitations",
    "POST /workshops/{workshopId}/invitations",
    "POST /invitations/{invitationId}/addresses",
    "DELETE /invitations/{invitationId}",
    "POST /invitations/accept",
    "POST /estimates/{estimateId}/decisions",
    "POST /decisions/{decisionId}/void",
    "PATCH /workshops/{workshopId}/members/{userId}",
    "DELETE /workshops/{workshopId}/members/{userId}",
    "POST /workshops/{workshopId}/billing/trial",
    "POST /workshops/{workshopId}/billing/checkout",
    "POST /workshops/{workshopId}/billing/portal",
    "PATCH /orders/{orderId}",
    "DELETE /orders/{orderId}",
    "DELETE /orders/{orderId}/signature",
    "POST /invoices/{invoiceId}/issue",
    "POST /invoices/{invoiceId}/corrections",
    "POST /orders/{orderId}/status-link/renew",
    "DELETE /photos/{photoId}",
    "POST /customers/{customerId}/erase",
    "POST /estimates/{estimateId}/handoffs",
}

Found = Mapping[str, str]


async def _workshop(person: Person, _: Found) -> str:
    return person.workshop


async def _order(person: Person, _: Found) -> str:
    """An order with a price, so that something is due."""
    order = await person.order()
    response = await person.put(f"/orders/{order['id']}/agreed", {"amount": 240})
    assert response.status_code == 200, response.text
    return str(order["id"])


async def _payment(person: Person, _: Found) -> str:
    path = f"/orders/{(await person.order())['id']}/payments"
    return str((await person.post(path, BODIES["POST /orders/{orderId}/payments"])).json()["id"])


async def _invoice(person: Person, found: Found) -> str:
    """A draft, of a workshop that says what files of invoices need."""
    path = f"/workshops/{person.workshop}/document-settings"
    stated = {"taxId": "7342938841", "country": "PL", "address": "Młyńska 14"}
    assert (await person.put(path, (await person.get(path)).json() | stated)).status_code == 200
    order_id = found.get("orderId") or await _order(person, found)
    response = await person.post(f"/orders/{order_id}/invoices", BODIES["POST /orders/{orderId}/invoices"])
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def _estimate(person: Person, _: Found) -> str:
    return str((await person.estimate())["id"])


async def _line(person: Person, found: Found) -> str:
    path = f"/estimates/{found['estimateId']}/line-items"
    response = await person.post(path, {**BODIES["POST /estimates/{estimateId}/line-items"], "id": str(new_id())})
    return str(response.json()["lineItems"][-1]["id"])


async def _revision(person: Person, found: Found) -> str:
    response = await person.post(f"/estimates/{found['estimateId']}/confirm")
    return str(response.json()["revision"]["revisionNumber"])


async def _customer(person: Person, _: Found) -> str:
    body = BODIES["POST /workshops/{workshopId}/customers"]
    return str((await person.post(f"/workshops/{person.workshop}/customers", body)).json()["id"])


async def _grid(person: Person, _: Found) -> str:
    response = await person.post(f"/workshops/{person.workshop}/grids", {"name": "Carpentry"})
    return str(response.json()["id"])


async def _pdf_export(person: Person, found: Found) -> str:
    path = f"/estimates/{found['estimateId']}"
    await person.post(f"{path}/confirm")
    response = await person.post(f"{path}/pdf-exports", BODIES["POST /estimates/{estimateId}/pdf-exports"])
    return str(response.json()["id"])


async def _link(person: Person, _: Found) -> str:
    estimate = await person.estimate()
    await person.post(f"/estimates/{estimate['id']}/confirm")
    response = await person.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})
    return str(response.json()["link"]["id"])


async def client_with_link(person: Person) -> Person:
    """A client with the token of a new link."""
    estimate = await person.estimate()
    await person.post(f"/estimates/{estimate['id']}/confirm")
    response = await person.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})
    client = person.app.anonymous()
    client.bearer = response.json()["url"].partition("#")[2]
    remember_secrets(client.bearer)
    return client


async def customer_with_code(person: Person) -> Person:
    """A customer with the token of a new order's status link."""
    order = await person.order()
    customer = person.app.anonymous()
    customer.bearer = (await person.get(f"/orders/{order['id']}/status-link")).json()["url"].partition("#")[2]
    remember_secrets(customer.bearer)
    return customer


async def caller_for(operation: Operation, person: Person) -> Person:
    """The person, or a client with a link or a program with a key of the person, as the operation needs."""
    if operation.access.of_order:
        return await customer_with_code(person)
    if operation.access.takes_link:
        return await client_with_link(person)
    if not operation.access.takes_session:
        return await person.integrator(*operation.access.keys[0])
    return person


async def _decision(person: Person, _: Found) -> str:
    estimate = await person.estimate()
    await person.post(f"/estimates/{estimate['id']}/confirm")
    body = BODIES["POST /estimates/{estimateId}/decisions"]
    return str((await person.post(f"/estimates/{estimate['id']}/decisions", body)).json()["id"])


async def _page(_: Person, __: Found) -> str:
    return "1"


async def _file(person: Person, _: Found) -> str:
    return str((await icon(person))["id"])


async def _photo(person: Person, found: Found) -> str:
    order_id = found.get("orderId") or str((await person.order())["id"])
    return str((await photo(person, order_id, shared="true"))["id"])


async def _session(person: Person, _: Found) -> str:
    other = await signed_in_again(person)
    sessions = (await other.get("/me/sessions")).json()["sessions"]
    return str(next(session["id"] for session in sessions if session["current"]))


async def _key(person: Person, _: Found) -> str:
    return str((await person.post("/me/api-keys", BODIES["POST /me/api-keys"])).json()["apiKey"]["id"])


async def _invitation(person: Person, _: Found) -> str:
    return (await _invite(person, f"{new_id()}@example.com")).id


async def _invite(person: Person, email: str) -> StoredInvitation:
    """An invitation to the person's workshop, by an owner: others are not open."""
    now, db = times.now(), person.app.db
    async with db.read() as read:
        owners = await members.list_owner_ids(read, person.workshop)
    invitation = StoredInvitation(
        id=new_id(),
        workshop_id=person.workshop,
        email=email,
        role="member",
        created_at=now,
        expires_at=times.later(now, 600),
        invited_by_uid=owners[0],
    )
    await db.write(lambda db: team.add_row(db, invitation))
    return invitation


async def invitation_secret(owner: Person, invited: Person) -> str:
    """Invites the person to the workshop of the owner; the secret of the link, of which no email is sent."""
    invitation = await _invite(owner, invited.email)
    secret, until = f"secret of {invitation.id}", invitation.expires_at
    await owner.app.db.write(
        lambda db: tokens.add(db, secret, "invitation", until, StoredToken(invitation_id=invitation.id))
    )
    return secret


async def _inbox_item(person: Person, _: Found) -> str:
    """An estimate that was confirmed and not sent is in the inbox."""
    estimate = await person.estimate(lineItems=[{"label": "Oak", "unit": "sqm", "unitPrice": 1, "quantity": 1}])
    await person.post(f"/estimates/{estimate['id']}/confirm")
    items = (await person.get(f"/workshops/{person.workshop}/inbox")).json()["items"]
    return str(next(item["id"] for item in items if item.get("estimateId") == estimate["id"]))


async def _import(person: Person, _: Found) -> str:
    return str((await proposal(person, "Name,Phone\nŁucja,600 100 200\n"))["id"])


async def _webhook(person: Person, _: Found) -> str:
    body = BODIES["POST /workshops/{workshopId}/webhooks"]
    added = await person.post(f"/workshops/{person.workshop}/webhooks", body)
    return str(added.json()["webhook"]["id"])


async def _delivery(person: Person, found: Found) -> str:
    webhook = await _webhook(person, found)
    await person.post(f"/webhooks/{webhook}/test")
    return str((await person.get(f"/webhooks/{webhook}/deliveries")).json()["deliveries"][0]["id"])


async def _calendar(person: Person, _: Found) -> str:
    return str((await _new_calendar(person))["calendar"]["id"])


async def _calendar_file(person: Person, _: Found) -> str:
    return str((await _new_calendar(person))["url"]).rpartition("/")[2]


async def _new_calendar(person: Person) -> dict[str, Any]:
    body = BODIES["POST /workshops/{workshopId}/calendars"]
    added: dict[str, Any] = (await person.post(f"/workshops/{person.workshop}/calendars", body)).json()
    return added


async def _subscription(person: Person, _: Found) -> str:
    body = BODIES["POST /me/push-subscriptions"] | {"endpoint": f"https://push.example/send/{new_id()}"}
    return str((await person.post("/me/push-subscriptions", body)).json()["id"])


async def _user(person: Person, _: Found) -> str:
    """Another member of the workshop."""
    return (await person.app.member(person, "Karol")).uid


# For each path parameter, a function that adds such an object of the person and returns its id. Its second argument
# has the values of the preceding parameters.
PATH_PARAMETERS: dict[str, Callable[[Person, Found], Awaitable[str]]] = {
    "workshopId": _workshop,
    "orderId": _order,
    "paymentId": _payment,
    "invoiceId": _invoice,
    "estimateId": _estimate,
    "lineId": _line,
    "revisionNumber": _revision,
    "customerId": _customer,
    "gridId": _grid,
    "fileId": _file,
    "photoId": _photo,
    "pdfExportId": _pdf_export,
    "pageNumber": _page,
    "linkId": _link,
    "decisionId": _decision,
    "invitationId": _invitation,
    "itemId": _inbox_item,
    "calendarId": _calendar,
    "webhookId": _webhook,
    "importId": _import,
    "deliveryId": _delivery,
    "fileName": _calendar_file,
    "subscriptionId": _subscription,
    "userId": _user,
    "sessionId": _session,
    "keyId": _key,
}

# Objects of an account, not of a workshop: for others they are not found.
PERSONAL = {"sessionId", "keyId", "calendarId", "subscriptionId"}


def line(operation: Operation) -> str:
    """Method and path of the operation, the key of the tables above."""
    return f"{operation.method} {operation.path}"


def body_for(operation: Operation) -> dict[str, Any] | None:
    # A message of an agent has a body that its operation reads itself.
    if operation.body is None and operation.name != "callTools":
        return None
    assert line(operation) in BODIES, f"tests/support/operation_samples.py has no body for {line(operation)}"
    return BODIES[line(operation)]


def is_personal(operation: Operation) -> bool:
    return any(name in PERSONAL for name in operation.path_names)


async def create_path_for(operation: Operation, person: Person) -> str:
    """The path of the operation with the ids of new objects of the person."""
    found: dict[str, str] = {}
    for name in operation.path_names:
        assert name in PATH_PARAMETERS, f"tests/support/operation_samples.py has nothing for {{{name}}}"
        found[name] = await PATH_PARAMETERS[name](person, found)
    if operation.name == "undoImport":
        await person.post(f"/imports/{found['importId']}/run")
    if operation.name in OF_ISSUED:
        await person.post(f"/invoices/{found['invoiceId']}/issue", {})
    if operation.name == "collectOrder":
        await person.patch(f"/orders/{found['orderId']}/status", {"status": "done"})
    return fill_path(operation, found)


# Of a draft they are refused.
OF_ISSUED = ("correctInvoice", "downloadInvoiceXml")


class SharedObjects:
    """One object of each kind of a person, and callers, created on first use: for requests that change none of them."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._found: dict[str, str] = {}
        self._client: Person | None = None
        self._customer: Person | None = None
        self._programs: dict[frozenset[Scope], Person] = {}

    async def path_for(self, operation: Operation) -> str:
        """The path of the operation with the ids of these objects."""
        for name in operation.path_names:
            if name not in self._found:
                self._found[name] = await PATH_PARAMETERS[name](self._person, self._found)
                if name == "invoiceId":
                    await self._person.post(f"/invoices/{self._found[name]}/issue", {})
        return fill_path(operation, {name: self._found[name] for name in operation.path_names})

    async def client(self) -> Person:
        """A client with the token of a link: a link draws a PDF."""
        self._client = self._client or await client_with_link(self._person)
        return self._client

    async def customer(self) -> Person:
        """A customer with the token of a status link."""
        self._customer = self._customer or await customer_with_code(self._person)
        return self._customer

    async def program(self, *scopes: Scope) -> Person:
        """A program with a key of these scopes, in the person's workshop."""
        key = frozenset(scopes)
        if key not in self._programs:
            self._programs[key] = await self._person.integrator(*scopes)
        return self._programs[key]

    async def caller_for(self, operation: Operation) -> Person:
        """The person, or a client or a program as the operation needs."""
        if operation.access.of_order:
            return await self.customer()
        if operation.access.takes_link:
            return await self.client()
        if not operation.access.takes_session:
            return await self.program(*operation.access.keys[0])
        return self._person


def fill_path(operation: Operation, found: Found) -> str:
    path = operation.path
    for name, value in found.items():
        path = path.replace(f"{{{name}}}", value)
    return path


async def signed_in_again(person: Person) -> Person:
    """The same account in another browser, without the cost of verifying a password."""
    client = Client(address="127.0.0.1", user_agent="another browser", session=None)

    async def start(db: Write) -> NewSession:
        account = await accounts.find(db, person.uid)
        return await start_session(db, Call(NOBODY, times.now(), find_client=lambda: client), account, SessionLife())

    session = await person.app.db.write(start)
    again = Person(person.app, person.email)
    again.uid, again.workshop = person.uid, person.workshop
    again.browser.cookies.set("session", session.secret)
    again.browser.cookies.set("csrf-token", session.csrf)
    return again
