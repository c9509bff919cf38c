"""PocketBase with equivalent collections, indexes and access rules: the peer of the comparison.

Only members of a workshop read and change its orders; the request log is off. PocketBase acknowledges a write before
it is on the disk (`synchronous=NORMAL`, which cannot be configured); Backbench waits for the disk.
"""

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

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

_ADMIN = {"identity": "host@example.com", "password": "a plane and a saw"}
EMAIL, PASSWORD = "anna@example.com", "a plane and a saw"
_ORDERS = "/api/collections/orders/records"
# Equivalent to the back-relation `workshop.members_via_workshop.user`, which is a tenth slower.
_MEMBERS_ONLY = (
    '@request.auth.id != "" && @collection.members.workshop ?= workshop && @collection.members.user ?= @request.auth.id'
)
_MOMENT = "2026-11-20 10:15:00.000Z"


def program() -> Path:
    """The executable of its wheel, next to the interpreter."""
    installed = Path(sys.executable).parent / "pocketbase"
    found = installed if installed.exists() else shutil.which("pocketbase")
    if found is None:
        raise RuntimeError("PocketBase is not installed; run `make setup`")
    return Path(found)


@contextlib.contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """PocketBase on the database in `folder`, which is created if it does not exist."""
    places: list[str | Path] = [
        f"--dir={folder}/pb_data",
        f"--migrationsDir={folder}/pb_migrations",
        f"--publicDir={folder}",
    ]
    admin: list[str | Path] = [program(), "superuser", "upsert", *_ADMIN.values(), *places]
    subprocess.run(admin, check=True, capture_output=True, cwd=folder)
    port = free_port()
    command: list[str | Path] = [program(), "serve", "--http", f"127.0.0.1:{port}", "--automigrate=false", *places]
    with running_process(command, port, "/api/health", folder) as server:
        yield server


class Session(Struct, frozen=True):
    """The token of a user, and the ids of its workshops."""

    token: str
    workshops: list[str]


def prepare(server: Server) -> dict[str, str]:
    """Applies settings, collections and rules; returns the headers of the superuser."""
    token = server.call("POST", "/api/collections/_superusers/auth-with-password", _ADMIN).json()["token"]
    admin = {"authorization": token}
    server.call("PATCH", "/api/settings", {"logs": {"maxDays": 0}}, admin)
    _add_collections(server, admin)
    return admin


def add_user(server: Server, admin: dict[str, str], email: str, workshops: int = 1) -> Session:
    """Creates and signs in a user that is a member of `workshops` new workshops."""
    record = {"email": email, "password": PASSWORD, "passwordConfirm": PASSWORD, "name": "Anna", "verified": True}
    uid = _add(server, admin, "users", record)
    ids = [_add(server, admin, "workshops", {"name": f"Workshop {number}"}) for number in range(workshops)]
    for workshop in ids:
        _add(server, admin, "members", {"workshop": workshop, "user": uid, "role": "owner"})
    credentials = {"identity": email, "password": PASSWORD}
    signed_in = server.call("POST", "/api/collections/users/auth-with-password", credentials).json()
    return Session(signed_in["token"], ids)


def _add(server: Server, admin: dict[str, str], collection: str, record: dict[str, Any]) -> str:
    added: str = server.call("POST", f"/api/collections/{collection}/records", record, admin).json()["id"]
    return added


def _add_collections(server: Server, admin: dict[str, str]) -> None:
    def add(name: str, fields: list[dict[str, Any]], indexes: list[str], rule: str | None = None) -> str:
        rules = dict.fromkeys(("listRule", "viewRule", "createRule", "updateRule"), rule)
        collection = {"name": name, "type": "base", "fields": fields, "indexes": indexes, **rules}
        added: str = server.call("POST", "/api/collections", collection, admin).json()["id"]
        return added

    users = server.call("GET", "/api/collections/users", headers=admin).json()["id"]
    workshops = add("workshops", [_field("name", "text", required=True), _created()], [])
    add(
        "members",
        [_relation("workshop", workshops), _relation("user", users), _select("role", ["owner", "member"]), _created()],
        [
            "CREATE UNIQUE INDEX members_workshop ON members (workshop, user)",
            "CREATE INDEX members_user ON members (user, workshop)",
        ],
    )
    add(
        "orders",
        [
            _relation("workshop", workshops),
            _field("title", "text", required=True, max=250),
            _field("customerName", "text", max=250),
            _field("notes", "text", max=5000),
            _select("status", ["todo", "in_progress", "done"]),
            _field("lastActivityAt", "date"),
            _field("statusHistory", "json"),
            _created(),
        ],
        ["CREATE INDEX orders_board ON orders (workshop, createdAt, id)"],
        _MEMBERS_ONLY,
    )


def _field(name: str, type_: str, **options: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, **options}


def _relation(name: str, collection: str) -> dict[str, Any]:
    return _field(name, "relation", collectionId=collection, maxSelect=1, required=True, cascadeDelete=True)


def _select(name: str, values: list[str]) -> dict[str, Any]:
    return _field(name, "select", values=values, maxSelect=1, required=True)


def _created() -> dict[str, Any]:
    return _field("createdAt", "autodate", onCreate=True)


def workloads(server: Server, orders_to_move: int) -> Workloads:
    """The four workloads, each with orders of its own."""
    session = add_user(server, prepare(server), EMAIL, workshops=4)
    to_read, to_list, to_fill, to_move = session.workshops
    read = _add_orders(server, session, to_read, READ_ORDERS)
    listed = {order["id"]: order for order in _add_orders(server, session, to_list, LISTED_ORDERS)}
    moving = _add_orders(server, session, to_move, orders_to_move)
    expected = {_read_request(session, order["id"]): order for order in read}
    titles = {_create_request(session, to_fill, new): new.title for new in new_orders(500)}
    wanted = quote(f"workshop='{to_list}'")
    page = f"?filter={wanted}&sort=-createdAt,-id&perPage={LISTED_ORDERS}&skipTotal=1"
    moves = {
        _move_request(session, order["id"], status): (order["id"], status)
        for number, order in enumerate(moving)
        for status in (status_of(number),)
    }
    return Workloads(
        read=Workload(shuffled(list(expected)), 200, lambda request, order: order == expected[request]),
        list_=Workload(
            [_request(session, "GET", _ORDERS + page)],
            200,
            lambda _, body: {order["id"]: order for order in body["items"]} == listed,
        ),
        create=Workload(list(titles), 200, lambda request, order: order["title"] == titles[request]),
        move=Workload(list(moves), 200, lambda request, order: (order["id"], order["status"]) == moves[request]),
    )


def read_requests(server: Server, session: Session, count: int = READ_ORDERS) -> list[bytes]:
    """Requests for single orders."""
    return [_read_request(session, order["id"]) for order in _add_orders(server, session, session.workshops[0], count)]


def sign_in_request() -> bytes:
    body = msgspec.json.encode({"identity": EMAIL, "password": PASSWORD})
    return request("POST", "/api/collections/users/auth-with-password", body=body)


def _add_orders(server: Server, session: Session, workshop: str, count: int) -> list[dict[str, Any]]:
    requests = [_create_request(session, workshop, new) for new in new_orders(count)]
    return [msgspec.json.decode(body) for body in send_all(server.port, requests, 200)]


def _read_request(session: Session, order_id: str) -> bytes:
    return _request(session, "GET", f"{_ORDERS}/{order_id}")


def _create_request(session: Session, workshop: str, new: NewOrder) -> bytes:
    record = {"workshop": workshop, "status": "todo", "lastActivityAt": _MOMENT, "statusHistory": _history("todo")}
    return _request(session, "POST", _ORDERS, msgspec.to_builtins(new) | record)


def _move_request(session: Session, order_id: str, status: str) -> bytes:
    """Sends the complete status history: PocketBase cannot append to a JSON field."""
    record = {"status": status, "lastActivityAt": _MOMENT, "statusHistory": _history("todo", status)}
    return _request(session, "PATCH", f"{_ORDERS}/{order_id}", record)


def _history(*statuses: str) -> list[dict[str, str]]:
    return [{"status": status, "at": _MOMENT} for status in statuses]


def _request(session: Session, method: str, path: str, body: Any = None) -> bytes:
    return request(method, path, {"authorization": session.token}, None if body is None else msgspec.json.encode(body))
