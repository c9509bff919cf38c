"""Examples of the API reference, recorded: what each operation was sent and what it returned.

`make docs` runs this; a test fails if it was not run. Each operation is called on one workshop with the sample of the
access tests (`tests/support/operation_samples.py`), so that an operation gets its example with its sample. Times, ids
and secrets are the same in every run.
"""

import asyncio
import base64
import contextlib
import itertools
import json
import random
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from tests import people
from tests.people import App, Person
from tests.support import operation_samples, uploads
from tests.support.databases import new_file, running_app
from tests.support.mailbox import token_for
from tests.support.photos.photo_files import jpeg
from tests.support.providers.ai_server import ai_server, ai_settings

from backbench.accounts import tokens
from backbench.accounts.tokens import StoredToken
from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.calls import Scope

FILE = Path(__file__).parents[1] / "src" / "backbench" / "reference" / "examples.json"
_BEGIN, _STEP = 1_795_507_924_318_000_000, 97_000_000_000  # 2026-11-24T08:12:04.318Z; between two requests
_MAX_ENTRIES, _MAX_TEXT = 6, 600
_OPERATIONS = {operation.name: operation for operation in OPERATIONS}


class _Source:
    """The clock, the ids and the random bytes of one recording."""

    def __init__(self) -> None:
        self.nanoseconds = _BEGIN
        self._ids = 0
        self.random = random.Random(41)  # noqa: S311 - an example

    def time_ns(self) -> int:
        return self.nanoseconds

    def uuid7(self) -> str:
        self._ids += 1
        moment = f"{self.nanoseconds // 1_000_000:012x}"
        return f"{moment[:8]}-{moment[8:]}-7a41-8b3e-{self._ids:012x}"

    def token_bytes(self, count: int | None = None) -> bytes:
        return self.random.randbytes(count or 32)

    def token_urlsafe(self, count: int | None = None) -> str:
        return base64.urlsafe_b64encode(self.token_bytes(count)).rstrip(b"=").decode()

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        key = ec.derive_private_key(41, ec.SECP256R1())
        with (
            mock.patch("time.time_ns", self.time_ns),
            mock.patch("uuid_utils.uuid7", self.uuid7),
            mock.patch.object(secrets, "token_bytes", self.token_bytes),
            mock.patch.object(secrets, "token_urlsafe", self.token_urlsafe),
            mock.patch.object(secrets, "choice", self.random.choice),
            mock.patch.object(ec, "generate_private_key", return_value=key),
            # Of the addresses: in a process of tests, others were made before.
            mock.patch.object(people, "_numbers", itertools.count(1)),
        ):
            yield


class _Recorder:
    """Calls operations for the owner of one workshop. `found` has its objects by the parameters of paths."""

    def __init__(self, app: App, source: _Source) -> None:
        self.app = app
        self._source = source
        self.recorded: dict[str, dict[str, Any]] = {}
        self.found: dict[str, str] = {}
        self.owner = self.client = self.customer = Person(app, "")

    async def call(self, name: str, body: Any = None, caller: Person | None = None, query: str = "", **ids: str) -> Any:
        """The response of an operation, recorded with its body. Without `body`, the sample is sent."""
        operation = _OPERATIONS[name]
        body = operation_samples.body_for(operation) if body is None else body
        path = operation_samples.fill_path(
            operation, {each: ids.get(each) or await self._id(each) for each in operation.path_names}
        )
        headers = {}
        if operation.form is not None and not isinstance(body, bytes):
            body = uploads.sample_form(operation.path, self.owner)
        if operation.form is not None:
            headers = {"content-type": uploads.FORM_TYPE}
        self._source.nanoseconds += _STEP
        response = await (caller or self._caller(operation)).send(operation.method, path + query, body, headers)
        if response.status_code != operation.status:
            raise RuntimeError(f"{name} returned {response.status_code}: {response.text}")
        if operation.form is None and body is not None:
            self.recorded.setdefault(name, {})["body"] = body
        if operation.response or operation.messages[1]:
            self.recorded.setdefault(name, {})["response"] = _shortened(msgspec.json.decode(response.content))
            return response.json()
        return None

    async def program(self, *scopes: Scope) -> Person:
        return await self.owner.integrator(*scopes or ("orders:read", "orders:write"))

    def linked(self, url: str) -> Person:
        """A client with the token of a link."""
        client = self.app.anonymous()
        client.bearer = url.partition("#")[2]
        return client

    async def _id(self, parameter: str) -> str:
        """That of the object of this workshop, or of a new one, as the access tests make it."""
        if parameter not in self.found:
            self.found[parameter] = await operation_samples.PATH_PARAMETERS[parameter](self.owner, self.found)
        return self.found[parameter]

    def _caller(self, operation: Operation) -> Person:
        if operation.access.of_order:
            return self.customer
        return self.client if operation.access.takes_link else self.owner

    async def token(self, purpose: tokens.Purpose, token: StoredToken) -> str:
        """A secret as the link of an email has it."""
        secret, until = secrets.token_urlsafe(32), times.later(times.now(), 86_400)
        await self.app.db.write(lambda db: tokens.add(db, secret, purpose, until, token))
        return secret


def _shortened(value: Any) -> Any:
    """The value with two entries of each long list, and the beginning of a long text."""
    if isinstance(value, dict):
        return {name: _shortened(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_shortened(each) for each in (value if len(value) <= _MAX_ENTRIES else value[:2])]
    return f"{value[:80]}…" if isinstance(value, str) and len(value) > _MAX_TEXT else value


# What stands for the responses of the payment provider, whose addresses differ with each request.
_WRITTEN = {
    "createCheckout": {"response": {"url": "https://checkout.stripe.com/c/pay/cs_live_a1Xn0Vd8"}},
    "createPortal": {"response": {"url": "https://billing.stripe.com/p/session/bps_1Qx7Rk2e"}},
}
_PASSWORD = "a plane and a saw"  # noqa: S105 - an example
_CLIENT, _ADDRESS = "Siobhán Gallagher", "siobhan@example.com"
_ITEM = {"description": "Dining table, to be sanded and oiled", "condition": "Two deep scratches", "pieces": 1}
_SIGNATURE = {"kind": "drawn", "strokes": [[[12.5, 40], [20, 18.2], [31, 44]]]}


async def record(app: App, source: _Source) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """An example of each parameter that has an id, and `body` and `response` of each operation that has them."""
    recorder = _Recorder(app, source)
    for part in (
        _account,
        _workshop,
        _orders,
        _customers,
        _estimates,
        _links,
        _connections,
        _tokens,
        _others,
        _imports,
    ):
        await part(recorder)
    return recorder.found, _WRITTEN | recorder.recorded


async def _account(it: _Recorder) -> None:
    await it.app.db.write(lambda db: db.run("UPDATE server_keys SET key_hex = :key", key="41" * 32))
    it.owner = await it.app.owner("Anna")
    await it.call("updateProfile", {"name": "Anna Kowalska"})
    it.found |= {"workshopId": it.owner.workshop, "userId": (await it.app.member(it.owner, "Jan")).uid}
    await it.call("signIn", {"email": it.owner.email, "password": _PASSWORD}, it.app.anonymous())
    it.found["sessionId"] = (await it.call("listSessions"))["sessions"][0]["id"]
    key = await it.call(
        "createApiKey",
        {"name": "Web shop", "scopes": ["orders:read", "orders:write"], "workshopId": it.owner.workshop},
    )
    it.found["keyId"] = key["apiKey"]["id"]
    await it.call("getApiKey", caller=await it.program())
    await it.call("callTools", caller=await it.program("customers:read"), body=_TOOL_CALL)


_TOOL_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_customers", "arguments": {"q": "Gall"}},
}


async def _workshop(it: _Recorder) -> None:
    edit = {"name": "Stolarnia Kowalska", "tagline": "Tables that stay in the family", "accentColor": "#8A4B21"}
    await it.call("updateWorkshop", edit)
    it.found["since"] = (await it.call("listChanges"))["cursor"]
    it.found["fileId"] = (await it.call("uploadFile"))["id"]
    await it.call(
        "replaceDocumentSettings",
        {
            "currency": "EUR",
            "address": "7 Oak Lane\nDublin 8",
            "phone": "+353 1 555 0101",
            "email": "office@kowalska.example",
            "taxPercent": 23,
            "taxLabel": "VAT",
            "validDays": 30,
            "iban": "IE29 AIBK 9311 5212 3456 78",
            "taxId": "IE6388047V",
            "country": "IE",
            "openingHours": "Mon–Fri 9–17",
            "terms": {"en": "The rest is due on delivery.", "pl": "Pozostała kwota jest płatna przy odbiorze."},
        },
    )
    grid = await it.call(
        "createGrid",
        {
            "name": "Tables",
            "buttons": [
                {"emoji": "🪵", "label": "Oak boards, 40 mm", "unit": "sqm", "unitPrice": 320},
                {"emoji": "🪚", "label": "Joinery work", "unit": "hour", "unitPrice": 110},
            ],
        },
    )
    it.found["gridId"] = grid["id"]
    await it.call("reorderGrids", {"gridIds": [grid["id"]]})
    await it.call("replaceContext", {"notes": "Solid oak and ash furniture, made to order. Six weeks lead time."})
    await it.call("synthesizeContext")


async def _orders(it: _Recorder) -> None:
    customer = await it.call(
        "createCustomer",
        {
            "name": _CLIENT,
            "phones": [{"number": "085 123 4567", "label": "mobile"}],
            "emails": [_ADDRESS],
            "notes": "Rings the bell twice",
            "address": "14 Orchard Lane\nDublin 6",
        },
    )
    it.found["customerId"] = customer["id"]
    await it.call("callTools", _TOOL_CALL, await it.program("customers:read"))
    order = (await it.call("createOrder", {"title": "Dining table, sanded and oiled", "customerName": _CLIENT}))["id"]
    it.found["orderId"] = order
    await it.call(
        "updateOrderDetails",
        {
            "customerId": customer["id"],
            "phone": "+353 85 123 4567",
            "item": _ITEM,
            "dueOn": "2026-12-04",
            "dueTime": "16:00",
            "priceLimit": 1800,
            "place": "bay 2",
            "assignedTo": it.found["userId"],
        },
    )
    await it.call("moveOrder")
    await it.call("replaceAgreedPrice", {"amount": 240})
    it.found["paymentId"] = (await it.call("recordPayment", {"kind": "deposit", "amount": 80, "method": "card"}))["id"]
    lines = [{"label": "Dining table, sanded and oiled", "unit": "job", "quantity": 1, "unitPrice": 195, "tax": 23}]
    invoice = await it.call("createInvoice", {"kind": "invoice", "lines": lines})
    it.found["invoiceId"] = invoice["id"]
    await it.call(
        "updateInvoice", {"buyer": {"name": _CLIENT, "isConsumer": True}, "notes": "Thank you for your order."}
    )
    await it.call("issueInvoice", {})
    for name in ("listInvoices", "getInvoice", "listWorkshopInvoices", "downloadInvoice", "downloadInvoiceXml"):
        await it.call(name)
    await it.call("correctInvoice", {"reason": "The oil was not billed"})
    photo = await it.call("uploadPhoto", uploads.form(("kind", "before"), ("file", ("leg.jpg", jpeg()))))
    it.found["photoId"] = photo["id"]
    await it.call("updatePhoto")
    await it.call("reorderPhotos", {"photoIds": [photo["id"]]})
    it.customer = it.linked((await it.call("getStatusLink"))["url"])
    await it.call("askAboutOrder", {"name": "Siobhán", "text": "Will it be dry by Friday?"})
    await it.call("answerOrderQuestion", {"text": "Yes, the oil needs two days."})
    await it.call("draftOrderMessage", {"kind": "ready", "locale": "en", "tone": "friendly"})
    await it.call("signOrder", {"strokes": _SIGNATURE["strokes"], "name": _CLIENT})
    for name in ("listOrderSummaries", "getOrderDetails", "getClientOrder"):
        await it.call(name)
    # On its way out: the slip is signed, and the item collected.
    await it.owner.patch(f"/orders/{order}/status", {"status": "done"})
    await it.call("collectOrder", {"to": "Aoife Gallagher"})


async def _customers(it: _Recorder) -> None:
    other = (await it.owner.post(f"/workshops/{it.owner.workshop}/customers", {"name": "S. Gallagher"})).json()["id"]
    for name in ("mergeCustomers", "unmergeCustomers"):
        await it.call(name, {"fromId": other})
    await it.call("getCustomer")
    await it.call("eraseCustomer", customerId=other)


async def _estimates(it: _Recorder) -> None:
    estimate = await it.call(
        "createEstimate",
        {
            "name": "Oak dining table, 220 × 95 cm",
            "recipientName": _CLIENT,
            "markupPercent": 10,
            "lineItems": [
                {"label": "Oak boards, 40 mm", "unit": "sqm", "unitPrice": 320, "quantity": 2.6},
                {"label": "Joinery work", "unit": "hour", "unitPrice": 110, "quantity": 14},
            ],
        },
    )
    it.found |= {"estimateId": estimate["id"], "lineId": estimate["lineItems"][0]["id"]}
    await it.call("updateLineItem", {"quantity": 2.5})
    await it.call("createLineItem", {"label": "Oil finish", "unit": "job", "unitPrice": 240, "quantity": 1})
    await it.call("updateEstimate", {"markupPercent": 10, "discountPercent": 5})
    await it.call(
        "replaceEstimateDocument",
        {
            "recipientAddress": "14 Orchard Lane\nDublin 6",
            "recipientEmail": _ADDRESS,
            "intro": "Thank you for your enquiry.",
            "leadTime": "Five weeks after the order",
            "lineTaxes": {it.found["lineId"]: 13.5},
            "depositPercent": 30,
            "validDays": 14,
        },
    )
    confirmed = await it.call("confirmEstimate")
    it.found["revisionNumber"] = str(confirmed["revision"]["revisionNumber"])
    pdf = await it.call("createPdfExport", {"locale": "en", "preliminary": False})
    it.found |= {"pdfExportId": pdf["id"], "pageNumber": "1"}
    await it.call("createHandoff")
    it.found["itemId"] = (await it.call("getInbox"))["items"][0]["id"]
    await it.call("createOrderFromEstimate", {"title": estimate["name"], "customerName": _CLIENT})


async def _links(it: _Recorder) -> None:
    link = await it.call("createLink", {"locale": "en", "canDecide": True})
    it.found["linkId"] = link["link"]["id"]
    it.client = it.linked(link["url"])
    await it.call("updateLink", {"canDecide": True})
    shown = await it.call("getClientEstimate")
    await it.call("addClientComment", {"name": _CLIENT, "text": "Could it be ready by Easter?"})
    await it.call("answerComment", {"text": "Yes, in the week before."})
    await it.call(
        "acceptEstimate",
        {
            "name": _CLIENT,
            "documentHash": shown["documentHash"],
            "consentId": "accept-2",
            "agreed": True,
            "signature": _SIGNATURE,
        },
    )
    it.found["decisionId"] = (await it.call("listDecisions"))["decisions"][0]["id"]
    for name in ("listLinks", "getClientEstimate"):
        await it.call(name)
    await it.call("voidDecision", {"reason": "The client telephoned: she pressed the wrong button."})
    await it.call("declineEstimate", {"name": _CLIENT, "reason": "We have decided to wait a year."})
    await it.owner.post(
        f"/decisions/{(await it.call('listDecisions'))['decisions'][0]['id']}/void", {"reason": "Again"}
    )
    await it.call("recordDecision", {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": _CLIENT})


async def _connections(it: _Recorder) -> None:
    it.found["webhookId"] = (await it.call("createWebhook"))["webhook"]["id"]
    await it.call("testWebhook")
    it.found["deliveryId"] = (await it.call("listDeliveries"))["deliveries"][0]["id"]
    added = await it.call("createCalendar")
    it.found |= {"calendarId": added["calendar"]["id"], "fileName": added["url"].rpartition("/")[2]}
    it.found["subscriptionId"] = (await it.call("createPushSubscription"))["id"]


async def _tokens(it: _Recorder) -> None:
    """The operations that a token in an email is for."""
    await it.call("createInvitation", {"email": "zofia@example.com", "role": "member"})
    invitation = (await it.call("listInvitations"))["invitations"][0]
    it.found["invitationId"] = invitation["id"]
    secret = await it.token("invitation", StoredToken(invitation_id=invitation["id"]))
    await it.call("previewInvitation", {"token": secret}, it.app.anonymous())
    join = {"token": secret, "name": "Zofia Nowak", "password": _PASSWORD, "acceptTerms": True, "locale": "pl"}
    await it.call("joinWorkshop", join, it.app.anonymous())
    marek = await it.app.person("Marek")
    secret = await operation_samples.invitation_secret(it.owner, marek)
    await it.call("acceptInvitation", {"token": secret}, marek)
    again = await it.owner.post(
        f"/workshops/{it.owner.workshop}/invitations", {"email": "ewa@example.com", "role": "member"}
    )
    it.found["invitationId"] = again.json()["id"]
    await it.call("signUp", {"name": "Jan", "email": "jan@example.com", "acceptTerms": True, "password": _PASSWORD})
    token = await token_for(it.app, "jan@example.com")
    await it.call("verifyAccount", {"token": token, "password": _PASSWORD}, it.app.anonymous())


async def _others(it: _Recorder) -> None:
    """All that is left, with the samples: what reads first, what deletes last."""
    left = sorted(OPERATIONS, key=lambda each: ("GET", "PUT", "PATCH", "POST", "DELETE").index(each.method))
    await it.call("listChanges", query=f"?since={it.found['since']}&limit=5")
    it.found |= {"assignedTo": it.found["userId"], "ids": it.found["orderId"]}
    for operation in left:
        if operation.name in {*it.recorded, *_WRITTEN} or operation.name in _OF_IMPORTS:
            continue
        if operation.response or operation.messages[1]:
            await it.call(operation.name)
        elif operation.body is not None:
            it.recorded[operation.name] = {"body": operation_samples.body_for(operation)}


_OF_IMPORTS = ("listImports", "createImport", "getImport", "updateImport", "runImport", "undoImport")


async def _imports(it: _Recorder) -> None:
    """Last, since a process of its own makes the ids of what is imported."""
    rows = "Name,Phone\nAoife Byrne,085 765 4321\n"
    made = await it.call(
        "createImport", uploads.form(("kind", "customers"), ("file", ("customers.csv", rows.encode())))
    )
    it.found["importId"] = made["id"]
    for name in ("getImport", "listImports", "updateImport", "runImport", "undoImport"):
        await it.call(name)


async def _recorded() -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    source = _Source()
    with source.used(), ai_server() as model, tempfile.TemporaryDirectory() as folder:
        others = ai_settings(model, sign_up="open", default_plan="free", public_url="https://backbench.example")
        async with running_app(new_file(Path(folder)), **others) as app:
            return await record(app, source)


def written() -> str:
    """The file: operations in the order of the table."""
    parameters, found = asyncio.run(_recorded())
    operations = {operation.name: found[operation.name] for operation in OPERATIONS if operation.name in found}
    return json.dumps({"parameters": parameters, "operations": operations}, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
