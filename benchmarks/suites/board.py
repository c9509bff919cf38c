"""The board by date: a page of order summaries, the counts of its headings, and slips as PDF."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from benchmarks import backbench_server
from benchmarks.backbench_server import Session, session_request
from benchmarks.closed_loop import LoadResult, UnexpectedResponse, send_all, send_sequentially
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Result
from benchmarks.server_process import Server

SUITE = "board"
OPEN_ORDERS = 1_000
_PAGE = 200
_FORMATS = ("a5", "receipt-80", "receipt-58", "label-62x29", "label-54x25")
_WARM_UPS = 5


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    with backbench_server.running_server(url, folder) as server:
        session = backbench_server.sign_in(server, backbench_server.create_account(url))
        orders = _add_open_orders(server, session)
        of_workshop = f"/workshops/{session.workshops[0]}"
        page = session_request(session, "GET", f"{of_workshop}/order-summaries?collected=false&limit={_PAGE}")
        listed = _timed(server, [page], config.capacity_requests)
        if len(msgspec.json.decode(listed.samples[-1].body)["summaries"]) != _PAGE:
            raise UnexpectedResponse("a page of the board is not full")
        yield _figure(f"a page of {_PAGE} of {OPEN_ORDERS:,} open orders by date", listed, 50)
        counts = session_request(session, "GET", f"{of_workshop}/order-counts")
        yield _figure(f"the counts of {OPEN_ORDERS:,} open orders", _timed(server, [counts], config.capacity_requests))
        for format_ in _FORMATS:
            slips = [session_request(session, "GET", f"/orders/{id_}/slip?format={format_}") for id_ in orders]
            yield _figure(f"slip as PDF, {format_}", _timed(server, slips, config.pdf_exports), 40)


def _timed(server: Server, requests: list[bytes], count: int) -> LoadResult:
    """Sends them in turn, one after the other; the first ones only warm up."""
    sent = [requests[number % len(requests)] for number in range(_WARM_UPS + count)]
    send_sequentially(server.port, sent[:_WARM_UPS], 200)
    return send_sequentially(server.port, sent[_WARM_UPS:], 200)


def _figure(name: str, measured: LoadResult, most_ms: float | None = None) -> Figure:
    p50, p99 = (measured.percentile(percent) * 1000 for percent in (50, 99))
    bound = None if most_ms is None else Bound(most_ms, is_ceiling=True)
    cell, numbers = f"p50 {p50:.1f} ms (p99 {p99:.1f} ms)", {"p50_ms": p50, "p99_ms": p99}
    return Figure(SUITE, name, cell, value=p50, result=f"{p50:.1f} ms", bound=bound, numbers=numbers)


def _add_open_orders(server: Server, session: Session) -> list[str]:
    """Adds orders, each with the details of an intake. Returns their ids."""
    workshop = session.workshops[0]
    orders = [order["id"] for order in backbench_server.add_orders(server, session, workshop, OPEN_ORDERS)]
    today = datetime.now(UTC).date()
    edits = [
        session_request(
            session,
            "PATCH",
            f"/orders/{id_}/details",
            {
                "phone": f"+48 600 {number:06}",
                "item": {"description": "Oak table, four legs", "condition": "scratched", "pieces": 1 + number % 3},
                "dueOn": (today + timedelta(number % 40 - 10)).isoformat(),
                "priceLimit": 150 + number,
                "place": f"shelf {number % 30}",
            },
        )
        for number, id_ in enumerate(orders)
    ]
    send_all(server.port, edits, 200)
    return orders
