"""Many records of one workshop: import and undo 50,000 orders, the numbers of 100,000, a feed of 5,000."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from benchmarks import backbench_server
from benchmarks.backbench_server import Session, session_request
from benchmarks.closed_loop import percentile, send_all, send_sequentially
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Result
from benchmarks.server_process import Server

SUITE = "records"
_ROWS = 50_000
_IN_FEED = 2_000
_OPEN = 1_000
_READS = 20
_MONTHS = 12
_MINUTES = 600.0


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    with backbench_server.running_server(url, folder) as server:
        session = backbench_server.sign_in(server, backbench_server.create_account(url))
        backbench_server.grant_pro(url, session.workshops[0])
        with _client(server, session) as client:
            yield from _imports(client, session)
            _import(client, session, due_from=0)
            yield _feed(client, session)
            _import(client, session, due_from=_ROWS)
        _charge(server, session)
        request = session_request(session, "GET", f"/workshops/{session.workshops[0]}/numbers")
        send_sequentially(server.port, [request] * 3, 200)
        read = send_sequentially(server.port, [request] * _READS, 200)
        yield _figure(f"the numbers of {2 * _ROWS:,} orders", read.latencies, 0.1)


def _client(server: Server, session: Session) -> httpx.Client:
    cookies = {"session": session.cookie, "csrf-token": session.csrf}
    base = f"http://127.0.0.1:{server.port}"
    return httpx.Client(
        base_url=base, cookies=cookies, headers={"x-csrf-token": session.csrf}, timeout=_MINUTES, trust_env=False
    )


def _imports(client: httpx.Client, session: Session) -> Iterator[Figure]:
    uploaded, run, imported = _import(client, session, due_from=_ROWS)
    yield _figure(f"upload {_ROWS:,} orders as CSV, with the proposed mapping", [uploaded])
    yield _figure(f"import {_ROWS:,} orders", [run], 20)
    started = time.perf_counter()
    undone = _post(client, f"/api/imports/{imported}/undo")
    assert undone["removed"] == _ROWS, undone
    yield _figure(f"undo the import of {_ROWS:,} orders", [time.perf_counter() - started], 10)


def _import(client: httpx.Client, session: Session, due_from: int) -> tuple[float, float, str]:
    """Imports orders: the first _OPEN are open, the first _IN_FEED have a due date.

    Returns the seconds of both steps, and the import's id.
    """
    started = time.perf_counter()
    files = {"file": ("orders.csv", _csv(due_from), "text/csv")}
    proposal = _post(client, f"/api/workshops/{session.workshops[0]}/imports", data={"kind": "orders"}, files=files)
    uploaded = time.perf_counter()
    counted = _post(client, f"/api/imports/{proposal['id']}/run")
    assert counted["created"] == _ROWS, counted
    return uploaded - started, time.perf_counter() - uploaded, proposal["id"]


def _csv(due_from: int) -> bytes:
    today = datetime.now(UTC).date()
    rows = ["Title,Customer,Phone,Due,Not more than,Status"]
    for number in range(_ROWS):
        is_due = due_from + number < _IN_FEED
        status = "in progress" if due_from + number < _OPEN else "collected"
        due = (today + timedelta(number % 300)).isoformat() if is_due else ""
        limit = 100 + number % 900
        rows.append(f"Oak table {number},Customer {number % 9_000},+48 600 {number:06},{due},{limit},{status}")
    return "\n".join(rows).encode()


def _feed(client: httpx.Client, session: Session) -> Figure:
    path = f"/api/workshops/{session.workshops[0]}/calendars"
    made = _post(client, path, json={"name": "Due", "show": "due", "names": "full"})
    times = []
    for _ in range(_READS):
        started = time.perf_counter()
        feed = client.get(httpx.URL(made["url"]).path).raise_for_status()
        times.append(time.perf_counter() - started)
        assert feed.text.count("BEGIN:VEVENT") == _IN_FEED
    return _figure(f"a calendar feed of {_IN_FEED:,} orders", times, 0.1)


def _charge(server: Server, session: Session) -> None:
    """Gives each order a price, and each second one a payment."""
    workshop = session.workshops[0]
    ids: list[str] = []
    path: str | None = f"/api/workshops/{workshop}/orders?limit=200"
    with _client(server, session) as client:
        while path:
            page = client.get(path).raise_for_status()
            ids += [order["id"] for order in page.json()["orders"]]
            path = page.links["next"]["url"] if "next" in page.links else None
    today = datetime.now(UTC).date()
    agreed = [
        session_request(session, "PUT", f"/orders/{id_}/agreed", {"amount": 100 + number % 900})
        for number, id_ in enumerate(ids)
    ]
    send_all(server.port, agreed, 200)
    paid = [
        session_request(
            session,
            "POST",
            f"/orders/{id_}/payments",
            {
                "kind": "payment",
                "amount": 50 + number % 50,
                "method": "cash",
                "receivedOn": (today - timedelta(30 * (number % _MONTHS))).isoformat(),
            },
        )
        for number, id_ in enumerate(ids[::2])
    ]
    send_all(server.port, paid, 201)


def _post(client: httpx.Client, path: str, **content: Any) -> Any:
    response = client.post(path, **content)
    if response.is_error:
        raise RuntimeError(f"{path}: {response.status_code} {response.text[:500]}")
    return response.json()


def _figure(name: str, seconds: list[float], most: float | None = None) -> Figure:
    """The median; `most` in seconds is the goal."""
    p50 = percentile(seconds, 50)
    shown = f"{p50:.1f} s" if p50 >= 1 else f"{p50 * 1000:.0f} ms"
    bound = None if most is None else Bound(most, is_ceiling=True)
    return Figure(SUITE, name, shown, value=p50, result=shown, bound=bound)
