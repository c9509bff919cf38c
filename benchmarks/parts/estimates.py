"""An estimate's day: its 30 lines are saved over and over, confirmed, and put on paper."""

import statistics
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from backbench.domain.estimating.catalog import catalog
from benchmarks import ours
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure, Found, Note
from benchmarks.jobs import Job
from benchmarks.load import Wrong, ask_all, one_by_one
from benchmarks.ours import Desk, ask
from benchmarks.rounds import Medians, Side, in_turn
from benchmarks.servers import Server

PART = "estimates"
_LINES = 30
_MOST_LINES = 500
_SAVED = 64
_WARM_UPS = 5
_QUANTITIES = (0.5, 1, 1, 1, 2, 2.25, 4, 6.8, 12)

# Labels, prices and quantities are chance, yet the same in every run.
_chance = Random(7)


class Paper(Struct, frozen=True):
    """Estimates put on paper one after another by one person: milliseconds each, and the size of a file."""

    p50_ms: float
    p99_ms: float
    size: float

    @property
    def shown(self) -> str:
        return f"p50 {self.p50_ms:.1f} ms (p99 {self.p99_ms:.0f} ms, {self.size / 1024:.0f} KiB each)"


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    url = ours.file_in(folder)
    with ours.served(url, folder) as server:
        anna = ours.desk(server, ours.furnish(url))
        ours.turn_pro(url, anna.workshops[0])
        written = _written(server, anna, _SAVED, _LINES)
        saved, confirmed = (in_turn([Side("backbench", server, job)], effort)[0] for job in _jobs(anna, written))
        yield _rate(f"PATCH the {_LINES} lines of an estimate", saved)
        yield _rate(f"confirm an estimate of {_LINES} lines", confirmed)
        papers = _confirmed(server, anna, effort.papers + _WARM_UPS, _LINES)
        yield _paper("another estimate each time", _drawn(server, anna, papers))
        yield _paper("the same one again", _drawn(server, anna, papers[-1:] * len(papers)))
        longest = _drawn(server, anna, _confirmed(server, anna, _WARM_UPS + 5, _MOST_LINES))
        yield Note(PART, f"An estimate of {_MOST_LINES} lines as PDF, another one each time: {longest.shown}.")


def _rate(what: str, medians: Medians) -> Figure:
    shown = f"{medians.rate:,.0f}/s (p50 {medians.p50_ms:.1f}, p99 {medians.p99_ms:.1f} ms, {medians.work_us:.0f} µs)"
    return Figure(PART, what, shown, numbers=msgspec.structs.asdict(medians))


def _paper(which: str, paper: Paper) -> Figure:
    return Figure(
        PART,
        f"{_LINES} lines as PDF, one by one, {which}",
        paper.shown,
        value=paper.p50_ms,
        shown=f"{paper.p50_ms:.1f} ms",
        bound=Bound(25, is_ceiling=True),
        numbers=msgspec.structs.asdict(paper),
    )


def _jobs(anna: Desk, estimates: list[str]) -> tuple[Job, Job]:
    """Saving other lines to each in turn, and confirming each in turn."""
    saves = {}
    for estimate in estimates:
        lines = _lines(_LINES)
        saves[ask(anna, "PATCH", f"/estimates/{estimate}", {"lineItems": lines})] = _told(lines)
    confirms = {ask(anna, "POST", f"/estimates/{estimate}/confirm"): estimate for estimate in estimates}
    return (
        Job(list(saves), 200, lambda asked, answer: _told(answer["lineItems"]) == saves[asked]),
        Job(list(confirms), 201, lambda asked, answer: answer["estimate"]["id"] == confirms[asked]),
    )


def _told(lines: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What the client said of each line; ids are given to them."""
    return [(line["label"], line["unit"], line["unitPrice"], line["quantity"]) for line in lines]


def _lines(count: int) -> list[dict[str, Any]]:
    """Tiles of several crafts, tapped together."""
    return [
        {
            "label": item.label.pl,
            "unit": item.unit,
            "unitPrice": round(_chance.uniform(4, 1200), 2),
            "quantity": _chance.choice(_QUANTITIES),
        }
        for item in _chance.choices(catalog().items, k=count)
    ]


def _written(server: Server, anna: Desk, count: int, lines: int) -> list[str]:
    """New estimates; their ids."""
    asked = [
        ask(
            anna,
            "POST",
            f"/workshops/{anna.workshops[0]}/estimates",
            {
                "name": f"Zabudowa kuchni {_chance.randrange(10**9)}",
                "recipientName": "Anna Lewandowska",
                "markupPercent": 12.5,
                "discountPercent": 5,
                "lineItems": _lines(lines),
            },
        )
        for _ in range(count)
    ]
    return [msgspec.json.decode(body)["id"] for body in ask_all(server.port, asked, 201)]


def _confirmed(server: Server, anna: Desk, count: int, lines: int) -> list[str]:
    estimates = _written(server, anna, count, lines)
    ask_all(server.port, [ask(anna, "POST", f"/estimates/{estimate}/confirm") for estimate in estimates], 201)
    return estimates


def _drawn(server: Server, anna: Desk, estimates: list[str]) -> Paper:
    """Exported one after another over HTTP, their bytes synced and recorded; the first ones only warm up."""
    body = {"locale": "pl", "preliminary": False}
    asked = [ask(anna, "POST", f"/estimates/{estimate}/pdf-exports", body) for estimate in estimates]
    one_by_one(server.port, asked[:_WARM_UPS], 201)
    measured = one_by_one(server.port, asked[_WARM_UPS:], 201)
    sizes = [_size(server, anna, estimate) for estimate in set(estimates[-3:])]
    return Paper(measured.percentile(50) * 1000, measured.percentile(99) * 1000, statistics.mean(sizes))


def _size(server: Server, anna: Desk, estimate: str) -> int:
    """Of the newest PDF, which has to be one."""
    cookie = {"cookie": f"session={anna.session}"}
    exports = server.call("GET", f"/api/estimates/{estimate}/pdf-exports", headers=cookie).json()["pdfExports"]
    path = f"/api/estimates/{estimate}/pdf-exports/{exports[0]['id']}"
    pdf = server.call("GET", path, headers=cookie).body
    if not pdf.startswith(b"%PDF-"):
        raise Wrong(f"{path} was answered with {pdf[:100]!r}")
    return len(pdf)
