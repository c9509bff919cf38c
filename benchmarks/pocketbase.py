"""PocketBase as a workshop could set it up for the same purpose: the peer that a small team would take otherwise.

Collections with the same members, the indexes that its queries ask for, the rule that only a member acts on a
workshop's orders, no request log. It acknowledges a write before the disk has it (`synchronous=NORMAL`, which it
does not let one change); Backbench waits for the disk.
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

from benchmarks.jobs import LISTED_ORDERS, READ_ORDERS, Job, Jobs, NewOrder, new_orders, shuffled, status_of
from benchmarks.load import ask_all, request
from benchmarks.servers import Server, free_port, running

_ADMIN = {"identity": "host@example.com", "password": "a plane and a saw"}
EMAIL, PASSWORD = "anna@example.com", "a plane and a saw"
_ORDERS = "/api/collections/orders/records"
# The back-relation `workshop.members_via_workshop.user` says the same and costs PocketBase a tenth more.
_MEMBERS_ONLY = (
    '@request.auth.id != "" && @collection.members.workshop ?= workshop && @collection.members.user ?= @request.auth.id'
)
_MOMENT = "2026-11-20 10:15:00.000Z"


def program() -> Path:
    """The program from its wheel, beside the interpreter."""
    beside = Path(sys.executable).parent / "pocketbase"
    found = beside if beside.exists() else shutil.which("pocketbase")
    if found is None:
        raise RuntimeError("PocketBase is not installed; `make setup` brings it")
    return Path(found)


@contextlib.contextmanager
def served(folder: Path) -> Iterator[Server]:
    """PocketBase on an empty database in `folder`, or on the one that is there."""
    places: list[str | Path] = [
        f"--dir={folder}/pb_data",
        f"--migrationsDir={folder}/pb_migrations",
        f"--publicDir={folder}",
    ]
    admin: list[str | Path] = [program(), "superuser", "upsert", *_ADMIN.values(), *places]
    subprocess.run(admin, check=True, capture_output=True, cwd=folder)
    port = free_port()
    command: list[str | Path] = [program(), "serve", "--http", f"127.0.0.1:{port}", "--automigrate=false", *places]
    with running(command, port, "/api/health", folder) as server:
        yield server


class Board(Struct, frozen=True):
    """A user's token, and the workshops that it works in."""

    token: str
    workshops: list[str]


def prepare(server: Server) -> dict[str, str]:
    """Settings, collections and rules; what the host's requests carry."""
    token = server.call("POST", "/api/collections/_superusers/auth-with-password", _ADMIN).json()["token"]
    admin = {"authorization": token}
    server.call("PATCH", "/api/settings", {"logs": {"maxDays": 0}}, admin)
    _add_collections(server, admin)
    return admin


def person(server: Server, admin: dict[str, str], email: str, workshops: int = 1) -> Board:
    """A user, signed in, and workshops that it is a member of."""
    record = {"email": email, "password": PASSWORD, "passwordConfirm": PASSWORD, "name": "Anna", "verified": True}
    uid = _add(server, admin, "users", record)
    ids = [_add(server, admin, "workshops", {"name": f"Workshop {number}"}) for number in range(workshops)]
    for workshop in ids:
        _add(server, admin, "members", {"workshop": workshop, "user": uid, "role": "owner"})
    credentials = {"identity": email, "password": PASSWORD}
    signed_in = server.call("POST", "/api/collections/users/auth-with-password", credentials).json()
    return Board(signed_in["token"], ids)


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


def jobs(server: Server, movers: int) -> Jobs:
    """The four jobs, each on orders of its own."""
    board = person(server, prepare(server), EMAIL, workshops=4)
    to_read, to_list, to_fill, to_move = board.workshops
    read = _opened(server, board, to_read, READ_ORDERS)
    listed = {order["id"]: order for order in _opened(server, board, to_list, LISTED_ORDERS)}
    moving = _opened(server, board, to_move, movers)
    known = {_reading(board, order["id"]): order for order in read}
    creating = {_creating(board, to_fill, new): new.title for new in new_orders(500)}
    wanted = quote(f"workshop='{to_list}'")
    page = f"?filter={wanted}&sort=-createdAt,-id&perPage={LISTED_ORDERS}&skipTotal=1"
    moves = {
        _moving(board, order["id"], status): (order["id"], status)
        for number, order in enumerate(moving)
        for status in (status_of(number),)
    }
    return Jobs(
        read=Job(shuffled(list(known)), 200, lambda asked, order: order == known[asked]),
        list_=Job(
            [_ask(board, "GET", _ORDERS + page)],
            200,
            lambda _, answer: {order["id"]: order for order in answer["items"]} == listed,
        ),
        create=Job(list(creating), 200, lambda asked, order: order["title"] == creating[asked]),
        move=Job(list(moves), 200, lambda asked, order: (order["id"], order["status"]) == moves[asked]),
    )


def reading(server: Server, board: Board, count: int = READ_ORDERS) -> list[bytes]:
    """Requests for single orders."""
    return [_reading(board, order["id"]) for order in _opened(server, board, board.workshops[0], count)]


def signing_in() -> bytes:
    body = msgspec.json.encode({"identity": EMAIL, "password": PASSWORD})
    return request("POST", "/api/collections/users/auth-with-password", body=body)


def _opened(server: Server, board: Board, workshop: str, count: int) -> list[dict[str, Any]]:
    asked = [_creating(board, workshop, new) for new in new_orders(count)]
    return [msgspec.json.decode(body) for body in ask_all(server.port, asked, 200)]


def _reading(board: Board, order_id: str) -> bytes:
    return _ask(board, "GET", f"{_ORDERS}/{order_id}")


def _creating(board: Board, workshop: str, new: NewOrder) -> bytes:
    record = {"workshop": workshop, "status": "todo", "lastActivityAt": _MOMENT, "statusHistory": _history("todo")}
    return _ask(board, "POST", _ORDERS, msgspec.to_builtins(new) | record)


def _moving(board: Board, order_id: str, status: str) -> bytes:
    """A client of PocketBase sends the history whole: a JSON field can't be appended to."""
    record = {"status": status, "lastActivityAt": _MOMENT, "statusHistory": _history("todo", status)}
    return _ask(board, "PATCH", f"{_ORDERS}/{order_id}", record)


def _history(*statuses: str) -> list[dict[str, str]]:
    return [{"status": status, "at": _MOMENT} for status in statuses]


def _ask(board: Board, method: str, path: str, body: Any = None) -> bytes:
    return request(method, path, {"authorization": board.token}, None if body is None else msgspec.json.encode(body))
