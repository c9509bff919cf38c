"""Event streams: what thousands of idle ones cost, and how long an event takes to its client."""

import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from backbench.accounts import sessions
from backbench.accounts.sessions import Session, digest, new_secret
from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from benchmarks import backbench_server
from benchmarks.closed_loop import percentile, request
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.idle_streams import OpenStream, open_streams
from benchmarks.open_loop import open_loop
from benchmarks.server_process import Server, memory
from benchmarks.workload import READ_ORDERS

SUITE = "streams"
_STREAMS_PER_ACCOUNT = 10
_READS_PER_SECOND = 200
# Each stream has one heartbeat in so many seconds.
_HEARTBEAT_SECONDS = 25.0
_EVENTS = 20
_KIB = 1024


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    with backbench_server.running_server(url, folder) as server, backbench_server.running_server(url, folder) as other:
        session = backbench_server.sign_in(server, backbench_server.create_account(url))
        workshop = session.workshops[0]
        reads = backbench_server.read_orders(
            session, backbench_server.add_orders(server, session, workshop, READ_ORDERS)
        ).requests
        calm = [_p99_ms(server, reads, config) for _ in range(config.paced_rounds)]
        requests = stream_requests(url, config.streams)
        before = memory(server.workers[0])
        with open_streams(server.port, requests) as streams:
            after = memory(server.workers[0])
            if before is None or after is None:
                yield Note(SUITE, "Memory is not measured: this system has no /proc.")
            else:
                yield _memory_figure(before.rss, after.rss, len(streams))
            yield _processor_figure(server, len(streams))
            yield _latency_figure(calm, [_p99_ms(server, reads, config) for _ in range(config.paced_rounds)], streams)
            with open_streams(server.port, [_events_request(workshop, session.cookie)]) as (watching,):
                yield _delay_figure("by the same worker", 50, _delays_ms(server, session, watching))
                yield _delay_figure("by another process", 1_000, _delays_ms(other, session, watching))
            if not all(stream.is_open() for stream in streams):
                yield Note(SUITE, "Some of the streams have ended meanwhile: the figures are not valid.")


def stream_requests(url: str, count: int) -> list[bytes]:
    """The requests of so many streams, ten for each of new accounts."""

    async def add_all(db: Write) -> list[bytes]:
        now = times.now()
        requests: list[bytes] = []
        for number in range(-(-count // _STREAMS_PER_ACCOUNT)):
            email = f"streams{number}@example.com"
            added = await administration.add_account(db, email, "Marek", "", "en", now, new_id)
            secret = new_secret()
            life = {"idle_until": times.later(now, 86_400), "ends_at": times.later(now, 86_400)}
            await sessions.add(
                db, Session(new_id(), added.uid, now), secret_hash=digest(secret), user_agent="benchmark", **life
            )
            requests += [_events_request(added.workshop_id, secret)] * _STREAMS_PER_ACCOUNT
        return requests[:count]

    async def add() -> list[bytes]:
        db = open_database(url)
        requests = await db.write(add_all)
        await db.close()
        return requests

    return asyncio.run(add())


def _events_request(workshop: str, cookie: str) -> bytes:
    return request("GET", f"/api/workshops/{workshop}/events", {"cookie": f"session={cookie}"})


def _p99_ms(server: Server, reads: list[bytes], config: Config) -> float:
    latencies = open_loop(server.port, reads, _READS_PER_SECOND, config.paced_seconds).latencies
    return percentile(latencies, 99) * 1000


def _memory_figure(before: int, after: int, streams: int) -> Figure:
    each = (after - before) / streams / _KIB
    return Figure(
        SUITE,
        f"memory of an idle event stream, {streams:,} of them",
        f"{each:.1f} KiB ({before / _KIB**2:.0f} → {after / _KIB**2:.0f} MiB)",
        value=each,
        result=f"{each:.1f} KiB",
        bound=Bound(30, is_ceiling=True),
        numbers={"rss_before": before, "rss_after": after},
    )


def _processor_figure(server: Server, streams: int) -> Figure:
    used, started = server.processor_seconds, time.perf_counter()
    time.sleep(_HEARTBEAT_SECONDS)
    percent = (server.processor_seconds - used) / (time.perf_counter() - started) * 100
    return Figure(
        SUITE,
        f"processor for {streams:,} idle event streams",
        f"{percent:.1f} % of a core",
        value=percent,
        result=f"{percent:.1f} %",
        bound=Bound(5, is_ceiling=True),
        numbers={"percent": percent},
    )


def _latency_figure(calm: list[float], loaded: list[float], streams: Sequence[OpenStream]) -> Figure:
    ratio = statistics.median(loaded) / statistics.median(calm)
    return Figure(
        SUITE,
        f"p99 of {_READS_PER_SECOND} GETs/s beside {len(streams):,} event streams, to calm",
        f"{statistics.median(loaded):.1f} ms, calm {statistics.median(calm):.1f} ms",
        value=ratio,
        result=f"{ratio:.1f}×",
        bound=Bound(1.5, is_ceiling=True),
        numbers={"calm_ms": statistics.median(calm), "loaded_ms": statistics.median(loaded)},
    )


def _delays_ms(server: Server, session: backbench_server.Session, watching: OpenStream) -> list[float]:
    """Milliseconds from sending a change to this server until its event has arrived."""
    delays = []
    for number in range(_EVENTS):
        started = time.perf_counter()
        backbench_server.add_order(server, session, f"Order {number}")
        if watching.next_event() != "change":
            raise RuntimeError("the event of a change is missing")
        delays.append((time.perf_counter() - started) * 1000)
    return delays


def _delay_figure(where: str, bound: float, delays: list[float]) -> Figure:
    median, longest = statistics.median(delays), max(delays)
    return Figure(
        SUITE,
        f"from a change {where} to its event at the client",
        f"p50 {median:.0f} ms, longest {longest:.0f} ms",
        value=longest,
        result=f"{longest:.0f} ms",
        bound=Bound(bound, is_ceiling=True),
        numbers={"median_ms": median, "longest_ms": longest},
    )
