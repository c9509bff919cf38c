"""Every screen of the web app, read from its table of routes, and how to show one and wait until it is complete."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Page

_ROUTES = Path(__file__).parents[3] / "src" / "backbench" / "web" / "app" / "routes.js"
_ROUTE = re.compile(r'name: "([\w-]+)",\s*path: "([^"]+)",\s*needs: "(\w+)"')
# Within the page that is open, as a tap on a link does.
_GO = """path => {
  document.querySelector('main')?.setAttribute('data-left', '');
  return import(document.querySelector('script[type=module]').src).then((app) => app.$state_router.go(path));
}"""
# The screen of the address is there; nothing changed for 250 ms; fonts and pictures that can be seen are loaded.
_SETTLED = """async () => {
  const quiet = () => new Promise((done) => {
    let timer = setTimeout(end, 250);
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(end, 250); });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    function end() { observer.disconnect(); done(); }
  });
  const pictures = () => [...document.images].filter((one) => one.checkVisibility() && one.loading !== 'lazy');
  do await quiet(); while (!document.querySelector('main:not([data-left])'));
  while (document.querySelector('[aria-busy=true], .late') || pictures().some((one) => !one.complete)) await quiet();
  await document.fonts.ready;
}"""


class Screen(NamedTuple):
    """`path` has names of parameters in it, `:orderId`."""

    name: str
    path: str
    needs: str

    def path_of(self, ids: dict[str, str]) -> str:
        return re.sub(r":(\w+)", lambda match: ids[match[1]], self.path)


def screens() -> list[Screen]:
    """In the order of the table."""
    return [Screen(*found) for found in _ROUTE.findall(_ROUTES.read_text("utf-8"))]


def demo_accounts(printed: str) -> tuple[dict[str, str], str]:
    """The email addresses of the demo's accounts by language, and their password, from what `serve --demo` printed."""
    english, polish, *_ = re.findall(r"[a-z]+@demo\.example", printed)
    password = re.search(r"Password\s+(\S+)", printed)
    assert password is not None, printed
    return {"en": english, "pl": polish}, password[1]


def ids_of(api: httpx.Client) -> dict[str, str]:
    """An order with history, an estimate that was handed off, and the grid with most prices, of the first workshop."""

    def get(path: str) -> Any:
        return api.get(path).raise_for_status().json()

    workshop = get("/workshops")["workshops"][0]["id"]
    orders = get(f"/workshops/{workshop}/orders?status=in_progress")["orders"]
    summaries = get(f"/workshops/{workshop}/estimate-summaries")["summaries"]
    sent = [each for each in summaries if each.get("lastHandoff")] or summaries
    return {
        "orderId": orders[0]["id"],
        "estimateId": sent[0]["estimateId"],
        "gridId": max(get(f"/workshops/{workshop}/grids")["grids"], key=_prices)["id"],
    }


def _prices(grid: dict[str, Any]) -> int:
    return sum(1 for button in grid["buttons"] if button["unitPrice"] > 0)


def go(page: Page, path: str) -> None:
    """Shows another screen without loading the page again, and waits until it is complete."""
    page.evaluate(_GO, path)
    settle(page)


def settle(page: Page) -> None:
    page.evaluate(_SETTLED)
