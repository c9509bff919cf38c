"""Every list of the table: whole unless a part is asked for, and the parts join to the whole."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from backbench.api.routes import OPERATIONS
from backbench.http.operations import Operation
from tests.people import Person, Shop, pointers
from tests.support import samples
from tests.support.uploads import icon

# Lists that are no part of what somebody has stored.
NOT_STORED = {"MostUsedLineItemsList"}
lists = [
    operation
    for operation in OPERATIONS
    if operation.is_representation
    and isinstance(operation.response, type)
    and (operation.response.__name__.endswith("List") or operation.is_paged)
    and operation.response.__name__ not in NOT_STORED
]
every_list = pytest.mark.parametrize("operation", lists, ids=samples.line)


async def another_session(person: Person, _: str) -> None:
    await samples.signed_in_again(person)


async def another_revision(person: Person, path: str) -> None:
    await person.post(path.replace("/revisions", "/confirm"))


async def another_file(person: Person, _: str) -> None:
    await icon(person)


async def another_invitation(person: Person, _: str) -> None:
    await samples.THINGS["invitationId"](person, {})


async def another_line(person: Person, _: str) -> None:
    await person.order()


# How one more entry comes into a list that is not posted to.
MADE: dict[str, Callable[[Person, str], Awaitable[None]]] = {
    "/me/sessions": another_session,
    "/workshops/{workshopId}/files": another_file,
    "/workshops/{workshopId}/invitations": another_invitation,
    "/workshops/{workshopId}/audit": another_line,
    "/estimates/{estimateId}/revisions": another_revision,
}


async def one_more(person: Person, operation: Operation, path: str) -> None:
    if operation.path in MADE:
        await MADE[operation.path](person, path)
    else:
        answer = await person.post(path, samples.BODIES[f"POST {operation.path}"])
        assert answer.status_code == 201, answer.text


async def filled(anna: Person, operation: Operation) -> str:
    """The address of a list of hers with at least three entries."""
    path = await samples.path_of(operation, anna)
    if "estimateId" in operation.path_names:
        await anna.post(path.rpartition("/")[0] + "/confirm")
    for _ in range(3):
        await one_more(anna, operation, path)
    return path


def entries(shown: dict[str, Any]) -> list[dict[str, Any]]:
    (found,) = shown.values()
    assert isinstance(found, list)
    return found


@every_list
async def test_the_pages_of_a_list_join_to_the_whole_list(shop: Shop, operation: Operation) -> None:
    anna = await shop.owner("Anna")
    path = await filled(anna, operation)
    first = await anna.get(path)
    whole = entries(first.json())
    assert len(whole) >= 3
    assert "link" not in first.headers
    for limit in (1, 2, len(whole), 500):
        found: list[dict[str, Any]] = []
        following: str | None = f"{path}?limit={limit}"
        while following is not None:
            answer = await anna.get(following)
            assert answer.status_code == 200
            assert len(entries(answer.json())) <= limit
            found += entries(answer.json())
            link = re.fullmatch(r'</api(.+)>; rel="next"', answer.headers.get("link", ""))
            following = link[1] if link else None
        assert found == whole, limit


@every_list
async def test_an_invalid_limit_or_cursor_is_rejected(shop: Shop, operation: Operation) -> None:
    anna = await shop.owner("Anna")
    path = await samples.path_of(operation, anna)
    for limit in ("0", "501", "-1", "x", "1.5", ""):
        assert pointers(await anna.get(f"{path}?limit={limit}")) == ["/limit"], limit
    for cursor in ("x", "eA", "%00", "a" * 201):
        assert pointers(await anna.get(f"{path}?cursor={cursor}")) == ["/cursor"], cursor
