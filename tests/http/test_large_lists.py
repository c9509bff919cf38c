"""Lists that are too large to be sent at once: the same bytes and headers as a small one, sent in pieces."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from typing import Any

import pytest

from backbench.engine import lists
from backbench.http import streaming
from tests.people import App, Person
from tests.support.asgi_requests import AsgiRequest
from tests.support.held_pieces import responses_while_held

pytestmark = pytest.mark.both_engines

LINES = [{"label": f"Oak {number}", "unit": "piece", "unitPrice": 1.25, "quantity": 2} for number in range(5)]
HANDOFF = {"kind": "pdf-shared", "locale": "pl", "preliminary": True, "tone": "formal", "aiDrafted": False}


@pytest.fixture
async def anna(app: App) -> Person:
    """Has seven of everything."""
    anna = await app.owner("Anna")
    for number in range(7):
        await anna.order(title=f"Chair {number}")
        estimate = await anna.estimate(name=f"Kitchen {number}", lineItems=LINES)
    for _ in range(7):
        await anna.post(f"/estimates/{estimate['id']}/handoffs", HANDOFF)
    anna.estimate_id = estimate["id"]  # type: ignore[attr-defined]
    return anna


def paths(anna: Any) -> list[str]:
    workshop = f"/workshops/{anna.workshop}"
    return [
        f"{workshop}/orders",
        f"{workshop}/orders?q=chair",
        f"{workshop}/orders?status=todo&limit=5",
        f"{workshop}/estimates",
        f"{workshop}/estimates?limit=5",
        f"{workshop}/estimates?limit=7",
        f"{workshop}/audit",
        f"/estimates/{anna.estimate_id}/handoffs",
        "/me/sessions",
    ]


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function after which lists of more than three rows or a kilobyte are large, and have pieces of two rows."""

    def lower() -> None:
        monkeypatch.setattr(lists, "ROWS_AT_ONCE", 3)
        monkeypatch.setattr(lists, "BYTES_AT_ONCE", 1000)
        monkeypatch.setattr(lists, "_PIECE_ROWS", 2)

    return lower


async def test_a_large_list_has_the_bytes_and_the_headers_of_a_small_one(
    anna: Person, everything_is_large: Any
) -> None:
    small = {path: await anna.get(path, accept_encoding="identity") for path in paths(anna)}
    everything_is_large()
    in_pieces = 0
    for path, expected in small.items():
        response = await anna.get(path, accept_encoding="identity")
        assert (response.status_code, response.content) == (200, expected.content), path
        for name in ("etag", "link", "content-type", "cache-control", "x-content-type-options"):
            assert response.headers.get(name) == expected.headers.get(name), (path, name)
        in_pieces += "content-length" not in response.headers
    assert in_pieces >= 6


async def test_a_large_list_that_is_known_is_304(anna: Person, everything_is_large: Any) -> None:
    everything_is_large()
    path = f"/workshops/{anna.workshop}/estimates"
    for encoding in ("identity", "gzip", "zstd"):
        first = await anna.get(path, accept_encoding=encoding)
        again = await anna.get(path, accept_encoding=encoding, if_none_match=first.headers["etag"])
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    await anna.estimate()
    assert (await anna.get(path, if_none_match=first.headers["etag"])).status_code == 200


async def test_a_large_list_is_compressed_in_pieces(anna: Person, everything_is_large: Any) -> None:
    path = f"/workshops/{anna.workshop}/estimates"
    small = await anna.get(path, accept_encoding="gzip")
    everything_is_large()
    request = AsgiRequest(anna, f"/api{path}", accept_encoding="gzip")
    await request.run()
    headers = dict(request.messages[0]["headers"])
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"etag"] == small.headers["etag"].encode()
    assert gzip.decompress(request.body) == small.content


async def test_a_large_list_ends_when_its_client_disconnects(
    anna: Person, everything_is_large: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything_is_large()
    begun = asyncio.Event()

    async def endless(*_: Any) -> AsyncIterator[bytes]:
        begun.set()
        await asyncio.Event().wait()
        yield b""

    monkeypatch.setattr(streaming, "json_pieces", endless)
    request = AsgiRequest(anna, f"/api/workshops/{anna.workshop}/estimates")
    running = asyncio.create_task(request.run())
    await asyncio.wait_for(begun.wait(), 60)
    request.disconnect.set()
    await running
    assert request.status == 400


async def test_no_piece_of_a_large_list_holds_many_bytes(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates are read one at a time where two of them are more than a piece."""
    monkeypatch.setattr(lists, "BYTES_AT_ONCE", 1000)
    monkeypatch.setattr(lists, "_PIECE_BYTES", 1000)
    numbers = []
    read = lists.NewestFirst.read

    async def counted(*values: Any) -> Any:
        items = await read(*values)
        numbers.append(len(items))
        return items

    monkeypatch.setattr(lists.NewestFirst, "read", counted)
    response = await anna.get(f"/workshops/{anna.workshop}/estimates")
    assert len(response.json()["estimates"]) == 7
    assert numbers == [1] * 7


async def test_of_large_lists_one_at_a_time_is_sent_to_an_account(anna: Person, everything_is_large: Any) -> None:
    everything_is_large()
    requests = [anna.get(f"/workshops/{anna.workshop}/estimates") for _ in range(8)]
    responses = await responses_while_held([(streaming, "json_pieces")], requests, answered=4)
    # One is sent and three wait.
    assert sorted(response.status_code for response in responses) == [200] * 4 + [503] * 4
