"""Backbench as it is measured: the command that a host runs, asked with the cookie that a browser keeps."""

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench.actions.operations import administration
from backbench.domain.billing.plans import Plan
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.integrations.passwords import Passwords
from backbench.storage.engine.database import Write
from backbench.storage.engine.urls import open_database
from benchmarks.jobs import LISTED_ORDERS, READ_ORDERS, Job, Jobs, NewOrder, new_orders, shuffled, status_of
from benchmarks.load import ask_all, request
from benchmarks.servers import Server, free_port, running

EMAIL, PASSWORD = "anna@example.com", "a plane and a saw"
_NO_LIMIT = "1000000000/900"


class Desk(Struct, frozen=True):
    """A signed-in person's cookie and token, and the workshops that they work in."""

    session: str
    csrf: str
    workshops: list[str]


def environment(database_url: str, folder: Path) -> dict[str, str]:
    return {
        "BACKBENCH_DATABASE_URL": database_url,
        "BACKBENCH_FILES_URL": f"file:{folder / 'files'}",
        "BACKBENCH_SIGN_IN_LIMIT": _NO_LIMIT,
        "BACKBENCH_SIGN_IN_CEILING": _NO_LIMIT,
    }


def file_in(folder: Path) -> str:
    """The URL of an SQLite database in `folder`."""
    return f"sqlite:///{folder / 'backbench.db'}"


@contextlib.contextmanager
def served(database_url: str, folder: Path) -> Iterator[Server]:
    """One worker on that database."""
    port = free_port()
    command = [sys.executable, "-m", "backbench", "serve", "--port", str(port), "--workers", "1"]
    with running(command, port, "/readyz", folder, environment(database_url, folder)) as server:
        yield server


def furnish(database_url: str, workshops: int = 1) -> list[str]:
    """An account that owns that many workshops; their ids. The server may run meanwhile."""

    async def add() -> list[str]:
        db = open_database(database_url)
        await db.migrate()
        passwords = Passwords()
        hashed = await passwords.hash(PASSWORD)
        passwords.close()

        async def open_all(write: Write) -> list[str]:
            now = times.now()
            added = await administration.add_account(write, EMAIL, "Anna", hashed, "en", now, new_id)
            others = [
                await administration.add_workshop(write, EMAIL, f"Workshop {number}", now, new_id)
                for number in range(1, workshops)
            ]
            return [added.workshop_id, *(other.workshop_id for other in others)]

        ids = await db.write(open_all)
        await db.close()
        return ids

    return asyncio.run(add())


def turn_pro(database_url: str, workshop: str) -> None:
    """No limit to revisions, and room for papers."""

    async def grant() -> None:
        db = open_database(database_url)
        await db.write(lambda write: administration.set_plan(write, workshop, Plan("pro", None, "grant")))
        await db.close()

    asyncio.run(grant())


def desk(server: Server, workshops: list[str]) -> Desk:
    """Signs in over HTTP."""
    cookies = server.call("POST", "/api/authenticate", {"email": EMAIL, "password": PASSWORD}).cookies
    return Desk(cookies["session"], cookies["csrf-token"], workshops)


def jobs(server: Server, database_url: str, movers: int) -> Jobs:
    """The four jobs, each on orders of its own."""
    anna = desk(server, furnish(database_url, workshops=4))
    to_read, to_list, to_fill, to_move = anna.workshops
    listed = {order["id"]: order for order in opened(server, anna, to_list, LISTED_ORDERS)}
    moves = {
        _moving(anna, order["id"], status_of(number)): (order["id"], status_of(number))
        for number, order in enumerate(opened(server, anna, to_move, movers))
    }
    return Jobs(
        read=reading(anna, opened(server, anna, to_read, READ_ORDERS)),
        list_=Job(
            [ask(anna, "GET", f"/workshops/{to_list}/orders")],
            200,
            lambda _, answer: {order["id"]: order for order in answer["orders"]} == listed,
        ),
        create=creating(anna, [to_fill], 500),
        move=Job(list(moves), 200, lambda asked, order: (order["id"], order["status"]) == moves[asked]),
    )


def reading(anna: Desk, orders: list[dict[str, Any]]) -> Job:
    """Single orders, in an order of chance."""
    known = {ask(anna, "GET", f"/orders/{order['id']}"): {"order": order} for order in orders}
    return Job(shuffled(list(known)), 200, lambda asked, answer: answer == known[asked])


def creating(anna: Desk, workshops: list[str], count: int) -> Job:
    """New orders, spread over the workshops."""
    titles = {
        _creating(anna, workshops[number % len(workshops)], new): new.title
        for number, new in enumerate(new_orders(count))
    }
    return Job(list(titles), 201, lambda asked, order: order["title"] == titles[asked])


def opened(server: Server, anna: Desk, workshop: str, count: int) -> list[dict[str, Any]]:
    """Opens orders over HTTP; the orders."""
    asked = [_creating(anna, workshop, new) for new in new_orders(count)]
    return [msgspec.json.decode(body) for body in ask_all(server.port, asked, 201)]


def signing_in() -> bytes:
    return request("POST", "/api/authenticate", body=msgspec.json.encode({"email": EMAIL, "password": PASSWORD}))


def _creating(anna: Desk, workshop: str, new: NewOrder) -> bytes:
    return ask(anna, "POST", f"/workshops/{workshop}/orders", msgspec.to_builtins(new))


def _moving(anna: Desk, order_id: str, status: str) -> bytes:
    return ask(anna, "PATCH", f"/orders/{order_id}/status", {"status": status})


def ask(anna: Desk, method: str, path: str, body: Any = None) -> bytes:
    """A request as that person's browser makes it."""
    headers = {"cookie": f"session={anna.session}"}
    if method != "GET":
        headers["x-csrf-token"] = anna.csrf
    return request(method, f"/api{path}", headers, None if body is None else msgspec.json.encode(body))
