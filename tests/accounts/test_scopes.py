"""Scopes of API keys: no operation shows a key what the operation of that area refuses to it, or lets it write that."""

import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import httpx
import pypdf
import pytest
from tools import scope_table

import backbench
from backbench.commands.api_keys import ScopeName
from backbench.connections.tools import TOOLS
from backbench.http.operations import Operation
from backbench.reference import reference
from backbench.reference.scopes import area_of, scope_rows
from backbench.routes import OPERATIONS
from backbench.values.calls import Scope
from tests.people import App, Person
from tests.support import operation_samples
from tests.support.shared_links import client_of
from tests.support.uploads import FORM_TYPE, icon, photo, sample_form

BY_NAME = {operation.name: operation for operation in OPERATIONS}
# For keys, and about something of a workshop.
FOR_KEYS = [
    operation
    for operation in OPERATIONS
    if operation.access.keys and operation.access.takes_session and operation.name != "callTools"
]
SCOPES: tuple[Scope, ...] = get_args(Scope)
STROKES = [[[3141.59, 2653.58], [9793.23, 8462.64]]]
DECIDED = [[[2718.28, 1828.45], [9045.23, 5360.28]]]


class Fact(NamedTuple):
    """A text that is stored once, and the operations that it belongs to: a key may see it where it may call one."""

    text: str
    belongs_to: tuple[str, ...]

    def is_for(self, scopes: Iterable[Scope]) -> bool:
        return any(BY_NAME[name].access.allows(set(scopes)) for name in self.belongs_to)


# An invoice states what was agreed, to whom it is addressed and what was paid of it.
INVOICE = ("getInvoice", "createInvoice", "updateInvoice")
ORDER = ("getOrder", "moveOrder", "updateOrderDetails")
# A receipt says for what and by whom it was paid, and the books have the tax id of who paid.
PAID_ORDER = (*ORDER, "downloadReceipt", *INVOICE)
ESTIMATE = ("getEstimate", "updateEstimate")
DOCUMENT = ("getEstimateDocument", "replaceEstimateDocument")
CUSTOMER = ("getCustomer", "updateCustomer")
# An estimate for a customer is addressed to the customer.
RECIPIENT = (*CUSTOMER, "downloadPdfExport", *INVOICE)
MONEY = ("getBalance", "replaceAgreedPrice", *INVOICE)
FACTS = {
    "title of the order": Fact("Ordertitlex", PAID_ORDER),
    "customer of the order": Fact("Ordercustomerx", PAID_ORDER),
    "notes of the order": Fact("Ordernotesx", ORDER),
    "place": Fact("Shelfplacex", ORDER),
    "phone of the order": Fact("700111222", ORDER),
    "item": Fact("Itemtextx", ORDER),
    "condition of the item": Fact("Conditionx", ORDER),
    "caption of the photo": Fact("Photocaptionx", ("listPhotos", "updatePhoto")),
    "question": Fact("Questiontextx", ("listOrderQuestions", "answerOrderQuestion")),
    "signature of the order": Fact("[3141.59,2653.58]", ("getOrderSignature", "signOrder")),
    "note of the payment": Fact("Paymentnotex", ("listPayments", "recordPayment")),
    "amount of the payment": Fact("1348.51", ("listPayments", "recordPayment", *MONEY)),
    "what is due": Fact("86419.36", MONEY),
    "what was agreed": Fact("87767.87", (*MONEY, *ESTIMATE)),
    "name of the estimate": Fact("Estimatenamex", (*ESTIMATE, *INVOICE)),
    "line": Fact("Linelabelx", (*ESTIMATE, *INVOICE)),
    "introduction": Fact("Introductionx", DOCUMENT),
    "name of the signer": Fact("Signernamex", ("listDecisions", "downloadCertificate")),
    "signature of the decision": Fact("[2718.28,1828.45]", ("listDecisions", "downloadCertificate")),
    "comment": Fact("Commenttextx", ("listComments", "answerComment")),
    "tile": Fact("Tilelabelx", ("getGrid", "updateGrid")),
    "name of the customer": Fact("Customernamex", RECIPIENT),
    "address": Fact("Customerstreetx", RECIPIENT),
    "tax id": Fact("9988776655", (*RECIPIENT, "downloadReceipt")),
    "email": Fact("customeremailx", RECIPIENT),
    "phone of the customer": Fact("700333444", RECIPIENT),
    "notes of the invoice": Fact("Invoicenotesx", INVOICE),
    "notes of the customer": Fact("Customernotesx", CUSTOMER),
    "another customer": Fact("Othercustomerx", CUSTOMER),
}


# Keys of several scopes are sent the same.
@cache
def letters(text: str) -> str:
    """The letters and digits alone: amounts are written in several ways."""
    return re.sub(r"[\W_]+", "", text.casefold())


LETTERS = {name: letters(fact.text) for name, fact in FACTS.items()}


@cache
def letters_of_pdf(content: bytes) -> str:
    """Keys of several scopes are sent the same file."""
    return letters("".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages))


def shown(response: httpx.Response) -> str:
    if response.headers.get("content-type", "") == "application/pdf":
        return letters_of_pdf(response.content)
    return letters(response.text)


class Planted:
    """A workshop in which each fact is stored, with the ids of its objects."""

    def __init__(self, anna: Person) -> None:
        self.anna = anna
        self.ids: dict[str, list[str]] = {"workshopId": [anna.workshop], "revisionNumber": ["1"], "pageNumber": ["1"]}
        self.since = ""
        self.other_customer = ""

    async def plant(self) -> None:
        anna, base = self.anna, f"/workshops/{self.anna.workshop}"
        self.since = (await anna.get(f"{base}/changes")).json()["cursor"]
        customer = await self._customer(
            name="Customernamex", notes="Customernotesx", address="Customerstreetx 1", taxId="9988776655",
            phones=[{"number": "700 333 444"}], emails=["customeremailx@example.com"],
        )  # fmt: skip
        self.other_customer = await self._customer(name="Othercustomerx")
        estimate = await self._estimate(customer)
        order = await self._order(customer, estimate)
        grid = await self._made(f"{base}/grids", {
            "name": "Tiles", "buttons": [{"emoji": "🪚", "label": "Tilelabelx", "unit": "hour", "unitPrice": 1}],
        })  # fmt: skip
        self.ids |= {"orderId": [order], "estimateId": [estimate], "customerId": [customer], "gridId": [grid["id"]]}
        files = (await anna.get(f"{base}/files")).json()["files"]
        self.ids["fileId"] = [each["id"] for each in files] + [(await icon(anna))["id"]]

    async def _made(self, path: str, body: Any) -> dict[str, Any]:
        response = await self.anna.send("PUT" if path.endswith(("/document", "/signature", "/agreed")) else "POST",
                                        path, body)  # fmt: skip
        assert response.status_code in (200, 201), response.text
        made: dict[str, Any] = response.json()
        return made

    async def _customer(self, **fields: Any) -> str:
        return str((await self._made(f"/workshops/{self.anna.workshop}/customers", fields))["id"])

    async def _estimate(self, customer: str) -> str:
        lines = [{"label": "Linelabelx", "unit": "piece", "unitPrice": 87767.87, "quantity": 1}]
        estimate = (await self.anna.estimate(name="Estimatenamex", lineItems=lines))["id"]
        path = f"/estimates/{estimate}"
        await self._made(f"{path}/document", {"intro": "Introductionx", "customerId": customer})
        await self._made(f"{path}/confirm", None)
        pdf = await self._made(f"{path}/pdf-exports", {"locale": "en", "preliminary": False})
        shared = await self._made(f"{path}/links", {"locale": "en"})
        client = client_of(self.anna.app, shared["url"])
        comment = await client.post("/client/estimate/comments", {"name": "Ewa", "text": "Commenttextx"})
        page = (await client.get("/client/estimate")).json()
        accepted = await client.post("/client/estimate/accept", {
            "name": "Signernamex", "documentHash": page["documentHash"], "consentId": page["consent"]["id"],
            "agreed": True, "signature": {"kind": "drawn", "strokes": DECIDED},
        })  # fmt: skip
        assert (comment.status_code, accepted.status_code) == (201, 201), accepted.text
        lines_now = (await self.anna.get(path)).json()["lineItems"]
        self.ids |= {
            "pdfExportId": [pdf["id"]], "linkId": [shared["link"]["id"]], "decisionId": [accepted.json()["id"]],
            "lineId": [lines_now[0]["id"]],
        }  # fmt: skip
        return str(estimate)

    async def _order(self, customer: str, estimate: str) -> str:
        anna = self.anna
        order = (await anna.order(title="Ordertitlex", customerName="Ordercustomerx"))["id"]
        path = f"/orders/{order}"
        assert (await anna.patch(path, {"notes": "Ordernotesx"})).status_code == 200
        details = await anna.patch(f"{path}/details", {
            "place": "Shelfplacex", "phone": "700 111 222", "customerId": customer, "estimateId": estimate,
            "item": {"description": "Itemtextx", "condition": "Conditionx"}, "dueOn": "2000-01-01",
        })  # fmt: skip
        assert details.status_code == 200, details.text
        await self._made(f"{path}/signature", {"strokes": STROKES, "name": "Ewa"})
        await self._made(f"{path}/notices", {"kind": "ready", "channel": "called"})
        payment = {"kind": "deposit", "amount": 1348.51, "method": "cash", "note": "Paymentnotex"}
        self.ids["paymentId"] = [(await self._made(f"{path}/payments", payment))["id"]]
        for kind in ("final", "invoice"):
            made = await self._made(f"{path}/invoices", {"kind": kind, "notes": "Invoicenotesx"})
            self.ids.setdefault("invoiceId", []).append(made["id"])
        await self._made(f"/invoices/{made['id']}/issue", {})
        self.ids["photoId"] = [(await photo(anna, order, caption="Photocaptionx"))["id"]]
        customer_page = client_of(anna.app, (await anna.get(f"{path}/status-link")).json()["url"])
        asked = await customer_page.post("/client/order/questions", {"name": "Ewa", "text": "Questiontextx"})
        assert asked.status_code == 201, asked.text
        return str(order)

    def paths(self, operation: Operation) -> Iterator[str]:
        """With the ids of the objects: a path for each file, one for other operations."""
        for at in range(max((len(self.ids[name]) for name in operation.path_names), default=1)):
            found = {name: self.ids[name][at % len(self.ids[name])] for name in operation.path_names}
            query = f"?since={self.since}" if operation.name == "listChanges" else ""
            yield operation_samples.fill_path(operation, found) + query

    async def send(self, program: Person, operation: Operation, path: str) -> httpx.Response:
        if operation.form is not None:
            form = sample_form(operation.path, program)
            return await program.send(operation.method, path, form, {"content_type": FORM_TYPE})
        body = operation_samples.body_for(operation)
        if operation.name == "mergeCustomers":
            body = {"fromId": self.other_customer}
        return await program.send(operation.method, path, body)

    async def seen(self, scopes: Iterable[Scope], operations: Iterable[Operation]) -> set[tuple[str, str]]:
        """(operation, name of a fact) for each fact that a key of these scopes is shown, where it may call at all."""
        program = await self.anna.integrator(*scopes)
        found = set()
        # That it may not call the others, and what it gets there, is tested in tests/http/test_access.py.
        for operation in (each for each in operations if each.access.allows(set(scopes))):
            for path in self.paths(operation):
                text = shown(await self.send(program, operation, path))
                found |= {(operation.name, name) for name, sought in LETTERS.items() if sought in text}
        return found


async def planted(app: App) -> Planted:
    objects = Planted(await app.owner())
    await objects.plant()
    return objects


def combinations() -> set[tuple[Scope, ...]]:
    """Each scope alone, those that an operation needs together, and all but those of an area."""
    together = {keys for operation in FOR_KEYS for keys in operation.access.keys}
    areas = {scope.partition(":")[0] for scope in SCOPES}
    without = {tuple(each for each in SCOPES if not each.startswith((area, "drafts"))) for area in areas}
    return {(scope,) for scope in SCOPES} | together | without


READS = [operation for operation in FOR_KEYS if operation.is_safe]
# Deleting ends what the others are about.
WRITES = [operation for operation in FOR_KEYS if not operation.is_safe and operation.method != "DELETE"]


async def test_each_fact_is_shown_to_a_key_of_every_scope(app: App) -> None:
    found = await (await planted(app)).seen(SCOPES, READS)
    assert {name for _, name in found} == set(FACTS)


async def test_no_operation_shows_a_key_what_another_refuses_it(app: App) -> None:
    objects = await planted(app)
    wrong = [
        f"{' '.join(scopes)} by {operation}: {name}"
        for scopes in sorted(combinations())
        for operation, name in sorted(await objects.seen(scopes, READS))
        if not FACTS[name].is_for(scopes)
    ]
    assert wrong == []


async def test_no_response_of_a_write_shows_a_key_what_another_operation_refuses_it(app: App) -> None:
    objects = await planted(app)
    wrong = [
        f"{' '.join(scopes)} by {operation}: {name}"
        for scopes in sorted(combinations())
        for operation, name in sorted(await objects.seen(scopes, WRITES))
        if not FACTS[name].is_for(scopes)
    ]
    assert wrong == []


# The table of scopes


def test_the_scopes_of_the_documentation_and_of_the_app_are_those_of_the_operations() -> None:
    """`make docs` writes both files."""
    rows = scope_rows(OPERATIONS)
    page = scope_table.PAGE.read_text("utf-8")
    assert page == scope_table.page(page, rows)
    assert scope_table.DATA.read_text("utf-8") == scope_table.data(rows)


def test_the_table_of_scopes_names_the_area_of_every_operation() -> None:
    rows = {row.scopes: row for row in scope_rows(OPERATIONS)}
    assert set(SCOPES) <= {scope for scopes in rows for scope in scopes}
    for operation in FOR_KEYS:
        for scopes in operation.access.keys:
            assert area_of(operation) in rows[scopes].areas
            assert operation.name in rows[scopes].operations


def test_a_resource_without_an_area_stops_the_table() -> None:
    quotes = Operation("listQuotes", "GET", "/orders/{orderId}/quotes", BY_NAME["getOrder"].access, lambda: None)
    with pytest.raises(KeyError, match="quotes"):
        scope_rows([*OPERATIONS, quotes])


async def test_the_document_names_every_area_of_a_scope(app: App) -> None:
    document = (await app.anonymous().get("/openapi.json")).json()
    described = document["components"]["securitySchemes"]["apiKey"]["description"]
    for row in scope_rows(OPERATIONS):
        assert f"`{row.scopes[-1]}`: {', '.join(row.areas)}." in described
    # The scopes that an operation needs are stated once, by its security.
    texts = " ".join(text.description for text in reference().texts.operations.values())
    assert re.findall(r"an API key\s+needs(?! `\S+` as well)", texts) == []


def test_the_command_line_knows_every_scope() -> None:
    assert {scope.value for scope in ScopeName} == set(SCOPES)


# What keys must not touch


def scopes_of_agents() -> list[Scope]:
    """Every scope that the app gives to the key of an agent."""
    dialog = Path(backbench.__file__).parent / "web/app/screens/settings/agents.js"
    named = re.findall(r'"(\w+:\w+)"', dialog.read_text("utf-8"))
    return [scope for scope in SCOPES if scope in named]


# Money, evidence, and what gives other people access or has been sent to them.
KEPT = (
    "getBalance", "listPayments", "listDecisions", "listRevisions", "getRevisionTotals", "listLinks", "getStatusLink",
    "getOrderSignature", "listPhotos", "listPdfExports", "listHandoffs", "listNotices", "listOrderQuestions",
    "listComments", "getDocumentSettings", "listFiles", "getInvoice",
)  # fmt: skip


async def kept(objects: Planted) -> dict[str, Any]:
    """What a session reads of these."""
    return {name: (await objects.anna.get(next(objects.paths(BY_NAME[name])))).json() for name in KEPT}


def test_the_key_of_an_agent_may_write_what_its_tools_write_and_nothing_else() -> None:
    scopes = scopes_of_agents()
    assert "drafts:write" in scopes
    tools = {tool.operation for tool in TOOLS}
    assert {operation.name for operation in WRITES if operation.access.allows(scopes)} <= tools
    assert {name for name in tools if not BY_NAME[name].access.allows(scopes)} == set()


async def test_the_key_of_an_agent_changes_neither_money_nor_evidence_nor_access(app: App) -> None:
    objects = await planted(app)
    anna, order = objects.anna, objects.ids["orderId"][0]
    agent = await anna.integrator(*scopes_of_agents())
    other = await anna.estimate(lineItems=[{"label": "Ash", "unit": "piece", "unitPrice": 7, "quantity": 1}])
    assert (await anna.post(f"/estimates/{other['id']}/confirm")).status_code == 201
    before = await kept(objects)
    for operation in OPERATIONS:
        if (
            operation.is_safe
            or operation.access.takes_link
            or any(name not in objects.ids for name in operation.path_names)
        ):
            continue
        for path in objects.paths(operation):
            await objects.send(agent, operation, path)
    for estimate_id in (other["id"], None):
        response = await agent.patch(f"/orders/{order}/details", {"estimateId": estimate_id})
        assert (response.status_code, response.content) == (403, b"")
    assert await kept(objects) == before


@pytest.mark.parametrize("scopes", [("orders:write",), ("drafts:write",)])
async def test_a_key_links_an_estimate_with_an_order_while_nothing_is_agreed_by_it(
    app: App, scopes: tuple[Scope, ...]
) -> None:
    anna = await app.owner()
    program = await anna.integrator(*scopes)
    path = f"/orders/{(await anna.order())['id']}/details"
    draft = (await anna.estimate(lineItems=[{"label": "Ash", "unit": "piece", "unitPrice": 7, "quantity": 1}]))["id"]
    assert (await program.patch(path, {"estimateId": draft})).json()["estimateId"] == draft
    await anna.post(f"/estimates/{draft}/confirm")
    refused = await program.patch(path, {"estimateId": None, "place": "Shelf"})
    assert (refused.status_code, refused.content) == (403, b"")
    assert 'scope="payments:write"' in refused.headers["www-authenticate"]
    assert "place" not in (await anna.get(path)).json()
    both = await anna.integrator(*scopes, "payments:write")
    assert "estimateId" not in (await both.patch(path, {"estimateId": None})).json()


async def test_a_key_puts_a_signature_only_where_there_is_none(app: App) -> None:
    anna = await app.owner()
    program = await anna.integrator("orders:write")
    path = f"/orders/{(await anna.order())['id']}/signature"
    first = await program.put(path, {"strokes": STROKES})
    assert first.status_code == 200
    assert (await program.put(path, {"strokes": STROKES})).status_code == 200
    refused = await program.put(path, {"strokes": DECIDED})
    assert (refused.status_code, refused.json()["code"]) == (409, "signed")
    assert (await program.delete(path)).status_code == 401
    assert (await anna.get(path)).json()["strokes"] == STROKES
    assert (await anna.put(path, {"strokes": DECIDED})).json()["strokes"] == DECIDED


async def test_a_key_addresses_an_estimate_to_a_customer_that_it_may_read(app: App) -> None:
    """The preview and the PDF state the customer's address and tax id."""
    anna = await app.owner()
    customer = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Ewa", "taxId": "9988776655"})).json()
    path = f"/estimates/{(await anna.estimate())['id']}/document"
    program = await anna.integrator("estimates:read", "estimates:write")
    refused = await program.put(path, {"customerId": customer["id"]})
    assert (refused.status_code, refused.content) == (403, b"")
    assert 'scope="customers:read"' in refused.headers["www-authenticate"]
    reader = await anna.integrator("estimates:read", "estimates:write", "customers:read")
    assert (await reader.put(path, {"customerId": customer["id"]})).status_code == 200
    assert (await program.put(path, {"customerId": customer["id"], "intro": "As agreed"})).status_code == 200
