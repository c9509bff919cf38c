"""Estimates of 30 lines: save, confirm, and export as PDF."""

import statistics
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from backbench.estimating.catalog import catalog
from benchmarks import backbench_server
from benchmarks.backbench_server import Session, session_request
from benchmarks.closed_loop import UnexpectedResponse, send_all, send_sequentially
from benchmarks.comparison import Medians, Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.server_process import Server
from benchmarks.workload import Workload

SUITE = "estimates"
_LINES = 30
_MAX_LINES = 500
_ESTIMATES = 64
_WARM_UPS = 5
_QUANTITIES = (0.5, 1, 1, 1, 2, 2.25, 4, 6.8, 12)

# Seeded: labels, prices and quantities are random, and the same in every run.
_random = Random(7)


class PdfExports(Struct, frozen=True):
    """Sequential PDF exports: latency in milliseconds, and the mean size of a file in bytes."""

    p50_ms: float
    p99_ms: float
    size: float

    @property
    def cell(self) -> str:
        return f"p50 {self.p50_ms:.1f} ms (p99 {self.p99_ms:.0f} ms, {self.size / 1024:.0f} KiB each)"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    with backbench_server.running_server(url, folder) as server:
        session = backbench_server.sign_in(server, backbench_server.create_account(url))
        backbench_server.grant_pro(url, session.workshops[0])
        estimates = _add_estimates(server, session, _ESTIMATES, _LINES)
        saved, confirmed = (
            alternate([Side("backbench", server, workload)], config)[0] for workload in _workloads(session, estimates)
        )
        yield _rate(f"PATCH the {_LINES} lines of an estimate", saved)
        for name, workload in line_workloads(server, session).items():
            yield _rate(name, alternate([Side("backbench", server, workload)], config)[0])
        yield _rate(f"confirm an estimate of {_LINES} lines", confirmed)
        confirmed_ids = _confirm_estimates(server, session, config.pdf_exports + _WARM_UPS, _LINES)
        yield _pdf_figure("another estimate each time", _export(server, session, confirmed_ids))
        yield _pdf_figure("the same estimate again", _export(server, session, confirmed_ids[-1:] * len(confirmed_ids)))
        longest = _export(server, session, _confirm_estimates(server, session, _WARM_UPS + 5, _MAX_LINES))
        yield Note(SUITE, f"An estimate of {_MAX_LINES} lines as PDF, another one each time: {longest.cell}.")


def _rate(name: str, medians: Medians) -> Figure:
    cell = (
        f"{medians.rate:,.0f}/s (p50 {medians.p50_ms:.1f}, p99 {medians.p99_ms:.1f} ms, {medians.processor_us:.0f} µs)"
    )
    return Figure(SUITE, name, cell, numbers=msgspec.structs.asdict(medians))


def _pdf_figure(which: str, exports: PdfExports) -> Figure:
    return Figure(
        SUITE,
        f"{_LINES} lines as PDF, sequentially, {which}",
        exports.cell,
        value=exports.p50_ms,
        result=f"{exports.p50_ms:.1f} ms",
        bound=Bound(25, is_ceiling=True),
        numbers=msgspec.structs.asdict(exports),
    )


def _workloads(session: Session, estimates: list[str]) -> tuple[Workload, Workload]:
    """One saves new lines to each estimate in turn, the other confirms each in turn."""
    saves = {}
    for estimate in estimates:
        lines = _lines(_LINES)
        saves[session_request(session, "PATCH", f"/estimates/{estimate}", {"lineItems": lines})] = _without_ids(lines)
    confirms = {session_request(session, "POST", f"/estimates/{estimate}/confirm"): estimate for estimate in estimates}
    return (
        Workload(list(saves), 200, lambda request, body: _without_ids(body["lineItems"]) == saves[request]),
        Workload(list(confirms), 201, lambda request, body: body["estimate"]["id"] == confirms[request]),
    )


def line_workloads(server: Server, session: Session) -> dict[str, Workload]:
    """Changes of estimates with 30 lines: all lines, and one of them."""
    estimates = _add_estimates(server, session, _ESTIMATES, _LINES)
    saves, edits = {}, {}
    for estimate in estimates[: _ESTIMATES // 2]:
        lines = _lines(_LINES)
        saves[session_request(session, "PATCH", f"/estimates/{estimate}", {"lineItems": lines})] = _without_ids(lines)
    cookie = {"cookie": f"session={session.cookie}"}
    for estimate in estimates[_ESTIMATES // 2 :]:
        stored = server.call("GET", f"/api/estimates/{estimate}", headers=cookie).json()["lineItems"]
        for number, line in enumerate(stored):
            path = f"/estimates/{estimate}/line-items/{line['id']}"
            # Two quantities in turn, so that each request changes something.
            for quantity in (number + 0.25, number + 0.75):
                edits[session_request(session, "PATCH", path, {"quantity": quantity})] = (line["id"], quantity)
    return {
        f"PATCH the {_LINES} lines of an estimate, in place": Workload(
            list(saves), 200, lambda request, body: _without_ids(body["lineItems"]) == saves[request]
        ),
        f"PATCH one of {_LINES} lines": Workload(
            list(edits),
            200,
            lambda request, body: edits[request] in [(line["id"], line["quantity"]) for line in body["lineItems"]],
        ),
    }


def _without_ids(lines: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The members of each line that the client sends."""
    return [(line["label"], line["unit"], line["unitPrice"], line["quantity"]) for line in lines]


def _lines(count: int) -> list[dict[str, Any]]:
    """Random items of the catalog."""
    return [
        {
            "label": item.label.pl,
            "unit": item.unit,
            "unitPrice": round(_random.uniform(4, 1200), 2),
            "quantity": _random.choice(_QUANTITIES),
        }
        for item in _random.choices(catalog().items, k=count)
    ]


def _add_estimates(server: Server, session: Session, count: int, lines: int) -> list[str]:
    """Creates estimates; returns their ids."""
    requests = [
        session_request(
            session,
            "POST",
            f"/workshops/{session.workshops[0]}/estimates",
            {
                "name": f"Zabudowa kuchni {_random.randrange(10**9)}",
                "recipientName": "Anna Lewandowska",
                "markupPercent": 12.5,
                "discountPercent": 5,
                "lineItems": _lines(lines),
            },
        )
        for _ in range(count)
    ]
    return [msgspec.json.decode(body)["id"] for body in send_all(server.port, requests, 201)]


def _confirm_estimates(server: Server, session: Session, count: int, lines: int) -> list[str]:
    estimates = _add_estimates(server, session, count, lines)
    send_all(
        server.port, [session_request(session, "POST", f"/estimates/{estimate}/confirm") for estimate in estimates], 201
    )
    return estimates


def _export(server: Server, session: Session, estimates: list[str]) -> PdfExports:
    """Exports over HTTP, sequentially; the first exports only warm up."""
    body = {"locale": "pl", "preliminary": False}
    requests = [session_request(session, "POST", f"/estimates/{estimate}/pdf-exports", body) for estimate in estimates]
    send_sequentially(server.port, requests[:_WARM_UPS], 201)
    measured = send_sequentially(server.port, requests[_WARM_UPS:], 201)
    sizes = [_size(server, session, estimate) for estimate in set(estimates[-3:])]
    return PdfExports(measured.percentile(50) * 1000, measured.percentile(99) * 1000, statistics.mean(sizes))


def _size(server: Server, session: Session, estimate: str) -> int:
    """The size of the newest PDF export, in bytes."""
    cookie = {"cookie": f"session={session.cookie}"}
    exports = server.call("GET", f"/api/estimates/{estimate}/pdf-exports", headers=cookie).json()["pdfExports"]
    path = f"/api/estimates/{estimate}/pdf-exports/{exports[0]['id']}"
    pdf = server.call("GET", path, headers=cookie).body
    if not pdf.startswith(b"%PDF-"):
        raise UnexpectedResponse(f"{path} is no PDF: {pdf[:100]!r}")
    return len(pdf)
