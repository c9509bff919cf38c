"""`GET /me` of one account while requests of another one run in a workshop with 20,000 orders and 20,000 customers.

Every read of a workshop, a customer, an order and an estimate that the table of operations has, several at a time; and
the writes that change many rows. None of them may keep the other account waiting.
"""

import asyncio
import contextlib
import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection as PipeConnection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.routes import OPERATIONS
from benchmarks import backbench_server
from benchmarks.backbench_server import Session
from benchmarks.closed_loop import percentile
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.postgres_server import running_postgres
from benchmarks.server_process import Server

SUITE = "neighbours"
_ROWS = 20_000
# Orders that one customer has.
_OF_CUSTOMER = 6_000
_OTHER = "bea@example.com"
_AT_ONCE = 12
_LONG_SECONDS = 0.03
_PER_SECOND = 100
_SECONDS = 1.5
_CALM_SECONDS = 4.0
_TIMEOUT_SECONDS = 180.0
_LIMIT_MS = 100
_PROCESSES = multiprocessing.get_context("spawn")
# Answers without end: a stream of events.
_STREAM = "text/event-stream"
_LINK = """
    UPDATE order_details SET customer_id = :customer_id
    WHERE order_id IN (SELECT id FROM orders WHERE workshop_id = :workshop_id ORDER BY id LIMIT :count)
"""


class Load(Struct, frozen=True):
    """Requests that are sent at the same time, each by a client of its own; those of a read again and again."""

    name: str
    requests: Sequence[tuple[str, str, Any]]
    is_repeated: bool = False


class Measured(Struct, frozen=True):
    """What the other account saw: latencies in seconds, and the statuses of the load."""

    load: str
    latencies: list[float]
    statuses: dict[int, int]

    @property
    def p99_ms(self) -> float:
        return percentile(self.latencies, 99) * 1000

    @property
    def text(self) -> str:
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        return f"`{self.load}` {self.p99_ms:,.0f} ms, longest {max(self.latencies) * 1000:,.0f} ({statuses})"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    del config
    own, database = folder / "sqlite", folder / "postgres"
    own.mkdir()
    database.mkdir()
    yield from _measured("SQLite", backbench_server.sqlite_url(own), own)
    with running_postgres(database) as postgres:
        yield from _measured("PostgreSQL", postgres.url, database)


def _measured(engine: str, url: str, folder: Path) -> Iterator[Result]:
    workshops = backbench_server.create_account(url)
    [large, *second] = backbench_server.create_account(url, workshops=2, email=_OTHER)
    for each in (large, *second):
        backbench_server.grant_pro(url, each)
    with backbench_server.running_server(url, folder) as server:
        session = backbench_server.sign_in(server, workshops)
        other = backbench_server.sign_in(server, [large, *second], _OTHER)
        with _probing(server, session) as latencies:
            time.sleep(_CALM_SECONDS)
        calm = Measured("calm", latencies, {})
        with _client(server.port, other) as client:
            loads = _Loads(client, url, large, second[0])
            seen = []
            for load in loads.all():
                seen.append(_during(server, session, other, load))
                print(f"{engine}: {seen[-1].text}", file=sys.stderr, flush=True)
    seen.sort(key=lambda each: -each.p99_ms)
    yield Note(SUITE, f"{engine}, worst first: " + ", ".join(each.text for each in seen[:12]))
    yield Figure(
        SUITE,
        f"{engine}: p99 of `GET /me` during the worst of {len(seen)} kinds of requests of a large workshop",
        f"{seen[0].p99_ms:.0f} ms, calm {calm.p99_ms:.1f} ms",
        value=seen[0].p99_ms,
        result=f"{seen[0].p99_ms:.0f} ms",
        bound=Bound(_LIMIT_MS, is_ceiling=True),
        numbers={each.load: each.p99_ms for each in (calm, *seen)},
    )


class _Loads:
    """The large workshop, and what is asked of it: reads first, then what takes something away."""

    def __init__(self, client: httpx.Client, url: str, large: str, second: str) -> None:
        self._client, self._url, self._large, self._second = client, url, large, second
        self._imports: dict[str, str] = {}

    def all(self) -> Iterator[Load]:
        settings = f"/workshops/{self._large}/document-settings"
        self._client.put(f"/api{settings}", json={**self._get(settings), "country": "PL"}).raise_for_status()
        for kind in ("customers", "orders"):
            proposal = self._propose(kind, self._large)
            self._imports[kind] = proposal
            yield Load(f"run the import of {kind}", [("POST", f"/imports/{proposal}/run", None)])
        objects = self._objects()
        for operation in OPERATIONS:
            if not operation.is_safe or operation.content_type == _STREAM or not operation.path_names:
                continue
            if all(name in objects for name in operation.path_names):
                path = operation.path
                for name in operation.path_names:
                    path = path.replace(f"{{{name}}}", objects[name])
                yield self._read(operation.path, path)
        yield from self._writes(objects["customerId"])

    def _read(self, name: str, path: str) -> Load:
        """What takes long is sent several times at once."""
        started = time.monotonic()
        self._client.get(f"/api{path}")
        count = _AT_ONCE if time.monotonic() - started > _LONG_SECONDS else 1
        return Load(f"GET {name}", [("GET", path, None)] * count, is_repeated=True)

    def _writes(self, customer: str) -> Iterator[Load]:
        settings = f"/workshops/{self._large}/document-settings"
        now = self._get(settings)
        yield Load("PUT another country", [("PUT", settings, {**now, "country": "DE"})])
        same = self._customer("Jan Kowalski")
        yield Load("merge", [("POST", f"/customers/{same}/merge", {"fromId": customer})])
        yield Load("unmerge", [("POST", f"/customers/{same}/unmerge", {"fromId": customer})])
        # Each waits for the one before.
        yield Load("erase", [("POST", f"/customers/{customer}/erase", None)] * _AT_ONCE)
        orders = f"/workshops/{self._large}/orders"
        proposal = self._propose("orders", self._large)
        waiting = [("POST", orders, {"title": "Shelf"})] * 2 * _AT_ONCE
        yield Load("run an import, and create orders meanwhile", [("POST", f"/imports/{proposal}/run", None), *waiting])
        yield Load("undo the import of orders", [("POST", f"/imports/{self._imports['orders']}/undo", None)])
        imports = [self._propose("customers", self._second) for _ in range(3)]
        yield Load("run three imports at once", [("POST", f"/imports/{each}/run", None) for each in imports])
        yield Load("delete a workshop", [("DELETE", f"/workshops/{self._second}", None)])

    def _objects(self) -> dict[str, str]:
        """The large workshop and objects of it: the customer with thousands of orders, an order, an estimate."""
        customer = self._customer("Ewa Nowak")
        asyncio.run(_link(self._url, self._large, customer))
        lines = [{"label": f"Part {number}", "unit": "piece", "unitPrice": 10, "quantity": 1} for number in range(500)]
        for number, each in enumerate(lines):
            each["id"] = f"line-{number}"
        body = {"name": "Kitchen", "lineItems": lines}
        return {
            "workshopId": self._large,
            "customerId": customer,
            "orderId": self._get(f"/workshops/{self._large}/orders?limit=1")["orders"][0]["id"],
            "estimateId": self._post(f"/workshops/{self._large}/estimates", json=body)["id"],
        }

    def _customer(self, name: str) -> str:
        return str(self._post(f"/workshops/{self._large}/customers", json={"name": name})["id"])

    def _propose(self, kind: str, workshop: str) -> str:
        first = "Title,Customer,Phone,Due" if kind == "orders" else "Name,Phone,Email"
        rows = [first, *(_row(kind, number) for number in range(_ROWS))]
        files = {"file": (f"{kind}.csv", "\n".join(rows).encode(), "text/csv")}
        return str(self._post(f"/workshops/{workshop}/imports", data={"kind": kind}, files=files)["id"])

    def _get(self, path: str) -> Any:
        return self._client.get(f"/api{path}").raise_for_status().json()

    def _post(self, path: str, **content: Any) -> Any:
        return self._client.post(f"/api{path}", **content).raise_for_status().json()


def _row(kind: str, number: int) -> str:
    if kind == "orders":
        return f"Oak table {number},Customer {number},600 {number:06},2027-03-{1 + number % 28:02}"
    return f"Customer {number},600 {number:06},c{number}@example.com"


async def _link(url: str, workshop: str, customer: str) -> None:
    async def work(db: Write) -> int:
        return await db.run(_LINK, workshop_id=workshop, customer_id=customer, count=_OF_CUSTOMER)

    db = open_database(url)
    await db.write(work, is_long=True)
    await db.close()


def _during(server: Server, session: Session, other: Session, load: Load) -> Measured:
    """Probes while the load runs: until each request was answered, and for a while where it is repeated."""
    statuses: list[int] = []

    def send(method: str, path: str, body: Any) -> None:
        until = time.monotonic() + _SECONDS
        with _client(server.port, other) as client:
            while True:
                statuses.append(client.request(method, f"/api{path}", json=body).status_code)
                if not load.is_repeated or time.monotonic() >= until:
                    return

    threads = [threading.Thread(target=send, args=each) for each in load.requests]
    with _probing(server, session) as latencies:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return Measured(load.name, latencies, {status: statuses.count(status) for status in set(statuses)})


@contextlib.contextmanager
def _probing(server: Server, session: Session) -> Iterator[list[float]]:
    """Probes until the end of the block, in a process of its own; the latencies are there after it."""
    ended = _PROCESSES.Event()
    receive, send = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_probe, args=(server.port, session, ended, send))
    latencies: list[float] = []
    process.start()
    # The process has begun.
    receive.recv()
    yield latencies
    ended.set()
    latencies += receive.recv()
    process.join()


def _probe(port: int, session: Session, ended: Event, connection: PipeConnection) -> None:
    """Sends latencies of `GET /me`, at a constant rate: what waits for a late response counts as late, too."""
    latencies: list[float] = []
    with _client(port, session) as client:
        client.get("/api/me").raise_for_status()
        connection.send(None)
        started = time.perf_counter()
        while not ended.is_set():
            due = started + len(latencies) / _PER_SECOND
            time.sleep(max(0.0, due - time.perf_counter()))
            client.get("/api/me").raise_for_status()
            latencies.append(time.perf_counter() - due)
    connection.send(latencies)


def _client(port: int, session: Session) -> httpx.Client:
    cookies = {"session": session.cookie, "csrf-token": session.csrf}
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}",
        cookies=cookies,
        headers={"x-csrf-token": session.csrf},
        timeout=_TIMEOUT_SECONDS,
        trust_env=False,
    )
