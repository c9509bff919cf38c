"""Web app in Chromium on a slowed processor and network: starts, a tap, a live event; beside the UI of PocketBase."""

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page
from tests.web.browsers import chromium, started

from benchmarks import backbench_server, pocketbase_server
from benchmarks.backbench_server import Session
from benchmarks.closed_loop import percentile
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.server_process import Server

SUITE = "web-app"
_PHONE: Any = {"width": 390, "height": 844}
_ORDERS, _LINES, _EVENTS, _TAPS, _STARTS = 300, 500, 10, 40, 3
# A small board and a large one.
_BOARDS = (25, 2_000)
# 1.6 Mb/s with a round trip of 150 ms.
_SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
# `window.usableAt`: when the first element of that selector was painted.
_WATCH = """(() => {
  const look = () => {
    if (!document.querySelector(SELECTOR)) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { usableAt = performance.now(); }));
  };
  window.usableAt = null;
  look();
})()"""
# From the tap to the frame with the new total.
_TAP = """() => new Promise((done) => {
  const total = document.querySelector('.total-bar');
  const before = total.textContent;
  const start = performance.now();
  const look = () => total.textContent === before
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  document.querySelector('.tiles .tile').click();
  look();
})"""


class Start(NamedTuple):
    seconds: float
    kilobytes: float
    # Of the page's main thread: what other programs do does not change it.
    processor_seconds: float


def measure(config: Config, folder: Path) -> Iterator[Result]:
    program = chromium()
    if program is None:
        yield Note(SUITE, "No Chromium on this machine: the web app is not measured.")
        return
    url = backbench_server.sqlite_url(folder)
    with backbench_server.running_server(url, folder) as server, pocketbase_server.running_server(folder) as peer:
        # Both run an event loop, as the browser does.
        session = backbench_server.sign_in(server, backbench_server.create_account(url))
        orders = backbench_server.add_orders(server, session, session.workshops[0], _ORDERS)
        yield from _figures(program, server, peer, session, orders[0]["id"])
        boards = [_with_board(server, url, count) for count in _BOARDS]
        with started(program) as browser:
            yield from _boards(browser, server, boards)


def _figures(program: str, server: Server, peer: Server, session: Session, order: str) -> Iterator[Figure]:
    with started(program) as browser:
        yield from _starts(browser, server, peer, session)
        yield _tap(browser, server, session)
        yield _event(browser, server, session, order)


def _starts(browser: Browser, server: Server, peer: Server, session: Session) -> Iterator[Figure]:
    cold, warm, unslowed, other = [], [], [], []
    for _ in range(_STARTS):
        with _context(browser, server, session) as context:
            cold.append(_start(context, f"http://127.0.0.1:{server.port}/", ".ticket", processor=4, slow=True))
            page = context.pages[0]
            page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
            # The service worker stores the app's files.
            page.wait_for_timeout(2_000)
            page.close()
            warm.append(_start(context, f"http://127.0.0.1:{server.port}/", ".ticket", processor=6, slow=False))
            unslowed.append(_start(context, f"http://127.0.0.1:{server.port}/", ".ticket", processor=1, slow=False))
        with browser.new_context(viewport=_PHONE) as context:
            other.append(_start(context, f"http://127.0.0.1:{peer.port}/_/", "input", processor=4, slow=True))
    seconds, others = (statistics.median(each.seconds for each in starts) for starts in (cold, other))
    yield Figure(
        SUITE,
        "first start, 1.6 Mb/s, 150 ms, processor ÷ 4",
        f"{seconds:.2f} s to the board, {cold[0].kilobytes:.0f} kB",
        f"{others:.2f} s to the sign-in, {other[0].kilobytes:.0f} kB",
        seconds,
        f"{seconds:.2f} s",
        Bound(2.5, is_ceiling=True),
    )
    again = statistics.median(each.seconds for each in warm)
    work = statistics.median(each.processor_seconds for each in unslowed)
    shown, bound = f"{again:.2f} s to the board; {work:.2f} s of processor, not slowed", Bound(1.0, is_ceiling=True)
    yield Figure(SUITE, "next start, processor ÷ 6", shown, "", again, f"{again:.2f} s", bound)


def _start(context: BrowserContext, url: str, selector: str, *, processor: int, slow: bool) -> Start:
    """From the navigation to the first element of that selector, and the bytes that came until then."""
    page = context.new_page()
    page.add_init_script(_WATCH.replace("SELECTOR", repr(selector)))
    session = _slowed(page, processor)
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    if slow:
        session.send("Network.emulateNetworkConditions", _SLOW)
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.usableAt", timeout=60_000)
    found = Start(page.evaluate("usableAt") / 1_000, sum(received) / 1_000, _work(session)[0])
    session.detach()
    return found


def _tap(browser: Browser, server: Server, session: Session) -> Figure:
    """A tile is tapped in an estimate with many lines."""
    lines = [{"label": f"Line {n}", "unit": "piece", "unitPrice": 10 + n, "quantity": 1} for n in range(_LINES - 1)]
    workshop = f"/api/workshops/{session.workshops[0]}"
    tile = {"emoji": "🔩", "label": "Hinge", "unit": "piece", "unitPrice": 4}
    _post(server, session, f"{workshop}/grids", {"name": "Parts", "iconSize": "medium", "buttons": [tile]})
    estimate = _post(server, session, f"{workshop}/estimates", {"name": "Large", "lineItems": lines})
    with _context(browser, server, session) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/estimates/{estimate['id']}")
        page.locator(".tiles .tile").first.wait_for(timeout=60_000)
        page.evaluate(_TAP)
        devtools = context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = _work(devtools)[0]
        for _ in range(_TAPS):
            page.evaluate(_TAP)
        work = 1_000 * (_work(devtools)[0] - before) / _TAPS
        _slowed(page, 6)
        times = [page.evaluate(_TAP) for _ in range(_TAPS)]
    p95, bound = percentile(times, 95), Bound(50, is_ceiling=True)
    shown = f"p50 {percentile(times, 50):.0f} ms, p95 {p95:.0f} ms; {work:.1f} ms of processor, not slowed"
    return Figure(SUITE, "tile tap to painted total, 500 lines, processor ÷ 6", shown, "", p95, f"{p95:.0f} ms", bound)


def _event(browser: Browser, server: Server, session: Session, order: str) -> Figure:
    """Somebody else moves an order of a large board: script, style and layout of the page, per event."""
    with _context(browser, server, session) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.locator(".ticket").first.wait_for(timeout=60_000)
        script, layout = _work_of_events(page, server, session, order)
    shown, bound = f"script {script:.1f} ms, style and layout {layout:.1f} ms", Bound(16, is_ceiling=True)
    return Figure(SUITE, "a live event on a board of 300 orders", shown, "", script, f"{script:.1f} ms", bound)


def _work_of_events(page: Page, server: Server, session: Session, order: str) -> tuple[float, float]:
    """Milliseconds of script, and of style and layout, of each event."""
    page.wait_for_timeout(3_000)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _work(devtools)
    for number in range(_EVENTS):
        status = ("in_progress", "todo")[number % 2]
        server.call("PATCH", f"/api/orders/{order}/status", {"status": status}, _headers(session))
        time.sleep(0.4)
    after = _work(devtools)
    _, script, layout = (1_000 * (now - then) / _EVENTS for now, then in zip(after, before, strict=True))
    return script, layout


def _with_board(server: Server, url: str, count: int) -> tuple[Session, str]:
    """An account with so many orders, and one of them."""
    email = f"board-of-{count}@example.com"
    session = backbench_server.sign_in(server, backbench_server.create_account(url, email=email), email)
    return session, backbench_server.add_orders(server, session, session.workshops[0], count)[0]["id"]


def _boards(browser: Browser, server: Server, boards: list[tuple[Session, str]]) -> Iterator[Figure]:
    """Next starts and live events of a large board next to those of a small one, in turns."""
    root = f"http://127.0.0.1:{server.port}/"
    with ExitStack() as stack:
        contexts = [stack.enter_context(_context(browser, server, session)) for session, _ in boards]
        for context in contexts:
            _start(context, root, ".ticket", processor=1, slow=False)
            # The service worker stores the app's files, and the app its orders.
            context.pages[0].wait_for_timeout(3_000)
            context.pages[0].close()
        starts: list[list[Start]] = [[], []]
        for _ in range(_STARTS + 2):
            for found, context in zip(starts, contexts, strict=True):
                found.append(_start(context, root, ".ticket", processor=6, slow=False))
                context.pages[0].close()
        small, large = (statistics.median(each.seconds for each in found) for found in starts)
        work = [1_000 * statistics.median(each.processor_seconds for each in found) for found in starts]
        shown = f"{small:.2f} s with {_BOARDS[0]} orders, {large:.2f} s with {_BOARDS[1]}"
        shown += f"; processor {work[0]:.0f} and {work[1]:.0f} ms"
        ratio, bound = large / small, Bound(1.15, is_ceiling=True)
        yield Figure(SUITE, "board: next start, processor ÷ 6", shown, "", ratio, f"{ratio:.2f}×", bound)
        scripts = []
        for context, (session, order) in zip(contexts, boards, strict=True):
            page = context.new_page()
            page.goto(root)
            page.locator(".ticket").first.wait_for(timeout=60_000)
            scripts.append(_work_of_events(page, server, session, order)[0])
        shown = f"script {scripts[0]:.1f} ms with {_BOARDS[0]} orders, {scripts[1]:.1f} ms with {_BOARDS[1]}"
        yield Figure(
            SUITE, "board: a live event", shown, "", scripts[1], f"{scripts[1]:.1f} ms", Bound(16, is_ceiling=True)
        )


def _work(devtools: CDPSession) -> tuple[float, float, float]:
    """Seconds since the page was opened: all tasks of the main thread; script; style and layout."""
    found = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    return found["TaskDuration"], found["ScriptDuration"], found["LayoutDuration"] + found["RecalcStyleDuration"]


def _slowed(page: Page, processor: int) -> CDPSession:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
    return session


def _context(browser: Browser, server: Server, session: Session) -> BrowserContext:
    context = browser.new_context(viewport=_PHONE, locale="en-IE")
    url = f"http://127.0.0.1:{server.port}"
    cookies: Any = [
        {"name": "session", "value": session.cookie, "url": url},
        {"name": "csrf-token", "value": session.csrf, "url": url},
    ]
    context.add_cookies(cookies)
    return context


def _post(server: Server, session: Session, path: str, body: Any) -> Any:
    return server.call("POST", path, body, _headers(session)).json()


def _headers(session: Session) -> dict[str, str]:
    return {"cookie": f"session={session.cookie}; csrf-token={session.csrf}", "x-csrf-token": session.csrf}
