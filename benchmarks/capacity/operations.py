"""Operations of a representative mix, as requests to a server with data of several workshops."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks import backbench_server
from benchmarks.backbench_server import Session, session_request
from benchmarks.closed_loop import request, send_all
from benchmarks.server_process import Server

WORKSHOPS = 16
# Orders of one column of the board, and estimates of the list.
BOARD_ORDERS = 20
LINES = 12
# A link may be read 120 times a minute.
_READS_PER_LINK = 100


class Operation(Struct, frozen=True):
    """Requests of one kind, each of which is sent once."""

    name: str
    requests: list[bytes]
    status: int


class Mix:
    """The operations for a new account. Each is prepared when it is needed, from what those before it have stored."""

    def __init__(self, server: Server, session: Session, count: int) -> None:
        self._server = server
        self._session = session
        self._count = count
        self._board, *self._others = session.workshops
        self._keys = 0

    def operations(self) -> Iterator[Operation]:
        few, slow, slowest = self._count // 4, self._count // 8, self._count // 50
        yield Operation("create an order", self._new_orders(self._count), 201)
        backbench_server.add_orders(self._server, self._session, self._board, BOARD_ORDERS)
        orders = [
            each["id"]
            for workshop in self._others
            for each in backbench_server.add_orders(
                self._server, self._session, workshop, self._count // len(self._others) + 1
            )
        ]
        yield Operation("read an order", [self._get(f"/orders/{order}") for order in self._in_turn(orders)], 200)
        yield Operation("move an order", [self._move(number, order) for number, order in enumerate(orders)], 200)
        board = self._get(f"/workshops/{self._board}/orders?status=todo")
        yield Operation("read the board", [board] * self._count, 200)
        yield Operation("create an estimate", self._new_estimates(few), 201)
        estimates = self._add_estimates(few)
        summaries = self._get(f"/workshops/{self._board}/estimate-summaries?limit={BOARD_ORDERS}")
        self._add_estimates(BOARD_ORDERS, self._board)
        yield Operation("list estimates", [summaries] * self._count, 200)
        reads = [self._get(f"/estimates/{each['id']}") for each in self._in_turn(estimates)]
        yield Operation("read an estimate", reads, 200)
        yield Operation("change a line", list(self._line_changes(estimates)), 200)
        confirms = [self._post(f"/estimates/{each['id']}/confirm", None) for each in estimates]
        yield Operation("confirm an estimate", confirms, 201)
        pdf = {"locale": "pl", "preliminary": False}
        exports = [self._post(f"/estimates/{each['id']}/pdf-exports", pdf) for each in estimates[:slow]]
        yield Operation("export a PDF", exports, 201)
        yield Operation("ask for changes", [self._changes()] * self._count, 200)
        yield Operation("read the client page", list(self._client_reads(estimates)), 200)
        yield Operation("sign in", [backbench_server.sign_in_request()] * slowest, 200)

    def _in_turn(self, things: list[Any]) -> list[Any]:
        return [things[number % len(things)] for number in range(self._count)]

    def _get(self, path: str) -> bytes:
        return session_request(self._session, "GET", path)

    def _post(self, path: str, body: Any, method: str = "POST") -> bytes:
        """With an Idempotency-Key, as the web app sends it with what may be repeated."""
        self._keys += 1
        key = f"idempotency-key: 01a1fd07-b7b3-7496-9a28-{self._keys:012x}\r\n\r\n".encode()
        return session_request(self._session, method, path, body).replace(b"\r\n\r\n", b"\r\n" + key, 1)

    def _new_orders(self, count: int) -> list[bytes]:
        return [
            self._post(f"/workshops/{self._other(number)}/orders", {"title": f"Oak bench no. {number}"})
            for number in range(count)
        ]

    def _other(self, number: int) -> str:
        return self._others[number % len(self._others)]

    def _move(self, number: int, order: str) -> bytes:
        status = ("in_progress", "done")[number % 2]
        return self._post(f"/orders/{order}/status", {"status": status}, "PATCH")

    def _new_estimates(self, count: int, workshop: str | None = None) -> list[bytes]:
        return [
            self._post(f"/workshops/{workshop or self._other(number)}/estimates", _estimate(number))
            for number in range(count)
        ]

    def _add_estimates(self, count: int, workshop: str | None = None) -> list[dict[str, Any]]:
        bodies = send_all(self._server.port, self._new_estimates(count, workshop), 201)
        return [msgspec.json.decode(body) for body in bodies]

    def _line_changes(self, estimates: list[dict[str, Any]]) -> Iterator[bytes]:
        for number in range(self._count // 2):
            estimate = estimates[number % len(estimates)]
            line = estimate["lineItems"][number // len(estimates) % LINES]["id"]
            path = f"/estimates/{estimate['id']}/line-items/{line}"
            yield self._post(path, {"quantity": number % 50 + 0.25}, "PATCH")

    def _changes(self) -> bytes:
        """What a phone asks that has missed nothing."""
        cookie = {"cookie": f"session={self._session.cookie}"}
        path = f"/workshops/{self._board}/changes"
        cursor = self._server.call("GET", f"/api{path}", headers=cookie).json()["cursor"]
        return self._get(f"{path}?since={cursor}")

    def _client_reads(self, estimates: list[dict[str, Any]]) -> Iterator[bytes]:
        links = -(-self._count // _READS_PER_LINK)
        requests = [self._post(f"/estimates/{each['id']}/links", {"locale": "pl"}) for each in estimates[:links]]
        for body in send_all(self._server.port, requests, 201):
            token = msgspec.json.decode(body)["url"].partition("#")[2]
            read = request("GET", "/api/client/estimate", {"authorization": f"Bearer {token}"})
            yield from [read] * (self._count // links)


def _estimate(number: int) -> dict[str, Any]:
    lines = [
        {"label": f"Zabudowa kuchni {number % 40}-{line}", "unit": "piece", "unitPrice": 120.5 + line, "quantity": 2.5}
        for line in range(LINES)
    ]
    return {
        "name": f"Zabudowa kuchni {number}",
        "recipientName": "Anna Lewandowska",
        "markupPercent": 12.5,
        "discountPercent": 5,
        "lineItems": lines,
    }
