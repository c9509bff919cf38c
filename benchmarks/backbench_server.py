"""The measured Backbench: `backbench serve` with one worker, and requests with a session cookie."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench.billing.plans import Plan
from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.hosting import administration
from backbench.integrations.passwords import Passwords
from backbench.values import times
from backbench.values.ids import new_id
from benchmarks.closed_loop import request, send_all
from benchmarks.server_process import Server, free_port, running_process
from benchmarks.workload import (
    LISTED_ORDERS,
    READ_ORDERS,
    NewOrder,
    Workload,
    Workloads,
    new_orders,
    shuffled,
    status_of,
)

EMAIL, PASSWORD = "anna@example.com", "a plane and a saw"
_NO_LIMIT = "1000000000/900"


class Session(Struct, frozen=True):
    """The session cookie and CSRF token of a user, and the ids of its workshops."""

    cookie: str
    csrf: str
    workshops: list[str]


def environment(database_url: str, folder: Path) -> dict[str, str]:
    return {
        "BACKBENCH_DATABASE_URL": database_url,
        "BACKBENCH_FILES_URL": f"file:{folder / 'files'}",
        "BACKBENCH_SIGN_IN_LIMIT": _NO_LIMIT,
        "BACKBENCH_SIGN_IN_CEILING": _NO_LIMIT,
    }


def sqlite_url(folder: Path) -> str:
    """The URL of an SQLite database in `folder`."""
    return f"sqlite:///{folder / 'backbench.db'}"


def with_source(source: Path) -> dict[str, str]:
    """The environment in which the code of that folder is imported."""
    return {**os.environ, "PYTHONPATH": f"{source / 'src'}{os.pathsep}{source}"}


@contextlib.contextmanager
def running_server(
    database_url: str, folder: Path, source: Path | None = None, workers: int = 1, cores: str = ""
) -> Iterator[Server]:
    """A server on that database; of the code in `source`, where it is given, and on these cores of the machine alone,
    as `taskset` writes them."""
    port = free_port()
    pinned = ["taskset", "--cpu-list", cores] if cores else []
    command = [*pinned, sys.executable, "-m", "backbench", "serve", "--port", str(port), "--workers", str(workers)]
    settings = environment(database_url, folder)
    if source is not None:
        settings["PYTHONPATH"] = with_source(source)["PYTHONPATH"]
    with running_process(command, port, "/readyz", folder, settings) as server:
        yield server


def create_account(database_url: str, workshops: int = 1, email: str = EMAIL) -> list[str]:
    """Creates an account that owns `workshops` workshops; returns their ids. Works beside a running server."""

    async def create() -> list[str]:
        db = open_database(database_url)
        await db.migrate()
        passwords = Passwords()
        hashed = await passwords.hash(PASSWORD)
        passwords.close()

        async def add_all(write: Write) -> list[str]:
            now = times.now()
            added = await administration.add_account(write, email, "Anna", hashed, "en", now, new_id)
            others = [
                await administration.add_workshop(write, email, f"Workshop {number}", now, new_id)
                for number in range(1, workshops)
            ]
            return [added.workshop_id, *(other.workshop_id for other in others)]

        ids = await db.write(add_all)
        await db.close()
        return ids

    return asyncio.run(create())


def grant_pro(database_url: str, workshop: str) -> None:
    """Puts the workshop on pro: no limit of revisions, and storage for PDF exports."""

    async def grant() -> None:
        db = open_database(database_url)
        await db.write(
            lambda write: administration.set_plan(write, workshop, Plan("pro", None, "grant"), times.now(), new_id)
        )
        await db.close()

    asyncio.run(grant())


def sign_in(server: Server, workshops: list[str], email: str = EMAIL) -> Session:
    """Signs in over HTTP."""
    cookies = server.call("POST", "/api/authenticate", {"email": email, "password": PASSWORD}).cookies
    return Session(cookies["session"], cookies["csrf-token"], workshops)


def workloads(server: Server, database_url: str, orders_to_move: int) -> Workloads:
    """The four workloads, each with orders of its own, for a new account."""
    return workloads_of(server, sign_in(server, create_account(database_url, workshops=4)), orders_to_move)


def workloads_of(server: Server, session: Session, orders_to_move: int) -> Workloads:
    """The same for an account with four workshops."""
    to_read, to_list, to_fill, to_move = session.workshops
    listed = {order["id"]: order for order in add_orders(server, session, to_list, LISTED_ORDERS)}
    moves = {
        _move_request(session, order["id"], status_of(number)): (order["id"], status_of(number))
        for number, order in enumerate(add_orders(server, session, to_move, orders_to_move))
    }
    return Workloads(
        read=read_orders(session, add_orders(server, session, to_read, READ_ORDERS)),
        list_=Workload(
            [session_request(session, "GET", f"/workshops/{to_list}/orders")],
            200,
            lambda _, body: {order["id"]: order for order in body["orders"]} == listed,
        ),
        create=create_orders(session, [to_fill], 500),
        move=Workload(list(moves), 200, lambda request, order: (order["id"], order["status"]) == moves[request]),
    )


def read_orders(session: Session, orders: list[dict[str, Any]]) -> Workload:
    """Reads single orders in random sequence."""
    expected = {session_request(session, "GET", f"/orders/{order['id']}"): {"order": order} for order in orders}
    return Workload(shuffled(list(expected)), 200, lambda request, body: body == expected[request])


def create_orders(session: Session, workshops: list[str], count: int) -> Workload:
    """Creates orders, spread over the workshops."""
    titles = {
        _create_request(session, workshops[number % len(workshops)], new): new.title
        for number, new in enumerate(new_orders(count))
    }
    return Workload(list(titles), 201, lambda request, order: order["title"] == titles[request])


def add_orders(server: Server, session: Session, workshop: str, count: int) -> list[dict[str, Any]]:
    """Creates orders over HTTP and returns them."""
    requests = [_create_request(session, workshop, new) for new in new_orders(count)]
    return [msgspec.json.decode(body) for body in send_all(server.port, requests, 201)]


def add_order(server: Server, session: Session, title: str) -> None:
    """Creates one order in the first workshop, on a connection of its own."""
    headers = {"cookie": f"session={session.cookie}; csrf-token={session.csrf}", "x-csrf-token": session.csrf}
    server.call("POST", f"/api/workshops/{session.workshops[0]}/orders", {"title": title}, headers)


def sign_in_request(email: str = EMAIL) -> bytes:
    return request("POST", "/api/authenticate", body=msgspec.json.encode({"email": email, "password": PASSWORD}))


def _create_request(session: Session, workshop: str, new: NewOrder) -> bytes:
    return session_request(session, "POST", f"/workshops/{workshop}/orders", msgspec.to_builtins(new))


def _move_request(session: Session, order_id: str, status: str) -> bytes:
    return session_request(session, "PATCH", f"/orders/{order_id}/status", {"status": status})


def session_request(session: Session, method: str, path: str, body: Any = None) -> bytes:
    """A request with the headers of a signed-in browser."""
    headers = {"cookie": f"session={session.cookie}"}
    if method != "GET":
        headers["x-csrf-token"] = session.csrf
    return request(method, f"/api{path}", headers, None if body is None else msgspec.json.encode(body))
