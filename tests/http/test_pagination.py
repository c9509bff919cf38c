"""Pagination of every list: complete without a limit, and its pages join to the complete list."""

import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from backbench.values.ids import new_id
from backbench.values.pagination import PagedList
from tests.people import App, Person, pointers
from tests.support import operation_samples
from tests.support.uploads import icon
from tests.support.violations import all_of

# Lists that are computed, not stored.
NOT_STORED = {"MostUsedLineItemsList", "RecipientsList"}
# At most fifty of each side, oldest first and always whole.
CONVERSATIONS = {"OrderQuestionsList"}
# At most twenty of an account, ten of a workshop, the latest hundred of a webhook, forty of an order, and the latest
# hundred imports.
BOUNDED = {"CalendarsList", "WebhooksList", "DeliveriesList", "PhotosList", "PushSubscriptionsList", "ImportsList"}
lists = [
    operation
    for operation in OPERATIONS
    if operation.is_representation
    and isinstance(operation.response, type)
    and (operation.response.__name__.endswith("List") or operation.is_paged)
    and operation.response.__name__ not in NOT_STORED | CONVERSATIONS | BOUNDED
]
every_list = all_of("operation", lists, ids=operation_samples.line)


async def another_session(person: Person, _: str) -> None:
    await operation_samples.signed_in_again(person)


async def another_revision(person: Person, path: str) -> None:
    await person.post(path.replace("/revisions", "/confirm"))


async def another_file(person: Person, _: str) -> None:
    await icon(person)


async def another_invitation(person: Person, _: str) -> None:
    await operation_samples.PATH_PARAMETERS["invitationId"](person, {})


async def another_order(person: Person, _: str) -> None:
    await person.order()


async def another_estimate(person: Person, _: str) -> None:
    await person.estimate(recipientName=new_id())


async def another_comment(person: Person, path: str) -> None:
    """An answer on a new link."""
    created = await person.post(path.replace("/comments", "/links"), {"locale": "en"})
    response = await person.post(f"/links/{created.json()['link']['id']}/comments", {"text": "Hello"})
    assert response.status_code == 201, response.text


async def another_decision(person: Person, path: str) -> None:
    """A decision that no longer stands, so that there can be another one."""
    response = await person.post(path, operation_samples.BODIES["POST /estimates/{estimateId}/decisions"])
    assert response.status_code == 201, response.text
    await person.post(f"/decisions/{response.json()['id']}/void", {"reason": "A mistake"})


async def another_order_of_the_customer(person: Person, path: str) -> None:
    order = await person.order()
    await person.patch(f"/orders/{order['id']}/details", {"customerId": path.split("/")[2]})


async def another_payment(person: Person, _: str) -> None:
    order = await person.order()
    path = f"/orders/{order['id']}/payments"
    await person.post(path, operation_samples.BODIES["POST /orders/{orderId}/payments"])


async def another_agreed_price(person: Person, _: str) -> None:
    await person.put(f"/orders/{(await person.order())['id']}/agreed", {"amount": 241})


async def another_invoice(person: Person, _: str) -> None:
    path = f"/orders/{(await person.order())['id']}/invoices"
    response = await person.post(path, operation_samples.BODIES["POST /orders/{orderId}/invoices"])
    assert response.status_code == 201, response.text


# How to add an entry to a list that has no POST, or whose POST needs more than one request.
ADDERS: dict[str, Callable[[Person, str], Awaitable[None]]] = {
    "/me/sessions": another_session,
    "/workshops/{workshopId}/files": another_file,
    "/workshops/{workshopId}/invitations": another_invitation,
    "/workshops/{workshopId}/audit": another_order,
    "/workshops/{workshopId}/order-summaries": another_order,
    "/workshops/{workshopId}/payments": another_payment,
    "/workshops/{workshopId}/agreed": another_agreed_price,
    "/workshops/{workshopId}/invoices": another_invoice,
    "/customers/{customerId}/history": another_order_of_the_customer,
    "/estimates/{estimateId}/revisions": another_revision,
    "/estimates/{estimateId}/comments": another_comment,
    "/estimates/{estimateId}/decisions": another_decision,
    "/workshops/{workshopId}/estimate-summaries": another_estimate,
}


async def add_entry(person: Person, operation: Operation, path: str) -> None:
    if operation.path in ADDERS:
        await ADDERS[operation.path](person, path)
    else:
        response = await person.post(path, operation_samples.BODIES[f"POST {operation.path}"])
        assert response.status_code == 201, response.text


async def filled(person: Person, operation: Operation) -> str:
    """The path of a list of the person's with at least three entries."""
    path = await operation_samples.create_path_for(operation, person)
    if "estimateId" in operation.path_names:
        await person.post(path.rpartition("/")[0] + "/confirm")
    for _ in range(3):
        await add_entry(person, operation, path)
    return path


def entries(body: dict[str, Any]) -> list[dict[str, Any]]:
    (found,) = [value for name, value in body.items() if name != "nextCursor"]
    assert isinstance(found, list)
    return found


def next_cursor(operation: Operation, response: httpx.Response) -> str | None:
    """Of the Link header, which every list has; lists that the specification does not close name it as well."""
    link = re.fullmatch(r'</api(.+)>; rel="next"', response.headers.get("link", ""))
    cursor = parse_qs(urlsplit(link[1]).query)["cursor"][0] if link else None
    has_member = isinstance(operation.response, type) and issubclass(operation.response, PagedList)
    assert response.json().get("nextCursor") == (cursor if has_member else None)
    return cursor


@pytest.mark.both_engines
@every_list
async def test_the_pages_of_a_list_join_to_the_whole_list(app: App, operation: Operation) -> None:
    anna = await app.owner("Anna")
    path = await filled(anna, operation)
    first = await anna.get(path)
    whole = entries(first.json())
    assert len(whole) >= 3
    assert "link" not in first.headers
    for limit in (1, 2, len(whole), 500):
        found: list[dict[str, Any]] = []
        cursor: str | None = ""
        while cursor is not None:
            response = await anna.get(f"{path}?limit={limit}" + (f"&cursor={cursor}" if cursor else ""))
            assert response.status_code == 200
            assert len(entries(response.json())) <= limit
            found += entries(response.json())
            cursor = next_cursor(operation, response)
        assert found == whole, limit


@pytest.fixture(scope="module")
async def objects(app: App) -> operation_samples.SharedObjects:
    """Objects of one person for requests that change none of them."""
    return operation_samples.SharedObjects(await app.owner("Anna"))


@every_list
async def test_an_invalid_limit_or_cursor_is_rejected(
    objects: operation_samples.SharedObjects, operation: Operation
) -> None:
    anna, path = await objects.caller_for(operation), await objects.path_for(operation)
    for limit in ("0", "501", "-1", "x", "1.5", ""):
        assert pointers(await anna.get(f"{path}?limit={limit}")) == ["/limit"], limit
    for cursor in ("x", "eA", "%00", "a" * 201):
        assert pointers(await anna.get(f"{path}?cursor={cursor}")) == ["/cursor"], cursor
