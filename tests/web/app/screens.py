"""Every screen of the web app, read from its table of routes, and how to show one and wait until it is complete."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Page

_APP = Path(__file__).parents[3] / "src" / "backbench" / "web" / "app"
_ROUTES = _APP / "routes.js"
_CONNECTIONS = _APP / "screens" / "settings" / "connections.js"
_ROUTE = re.compile(r'route\(\s*"([\w-]+)",\s*"([^"]+)",\s*"(\w+)"')
# Within the page that is open, as a tap on a link does.
SHOW = """path => {
  document.querySelector('main')?.setAttribute('data-left', '');
  return import(document.querySelector('script[type=module]').src).then((app) => app.$state_router.go(path));
}"""
# Counts the requests that the page waits for.
COUNT_REQUESTS = """(() => {
  const { fetch } = window;
  window.requests = 0;
  window.fetch = (...all) => { window.requests += 1; return fetch(...all).finally(() => { window.requests -= 1; }); };
})()"""
# The screen of the address is there; no request is under way and nothing changed for 100 ms; fonts and pictures that
# can be seen are loaded.
_SETTLED = """async () => {
  const quiet = () => new Promise((done) => {
    let timer = setTimeout(end, 100);
    const again = () => { clearTimeout(timer); timer = setTimeout(end, 100); };
    const observer = new MutationObserver(again);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    function end() {
      if (window.requests > 0) return again();
      observer.disconnect();
      done();
    }
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
    """In the order of the table; of the connections, each that there is."""
    listed = [Screen(*found) for found in _ROUTE.findall(_ROUTES.read_text("utf-8"))]
    return [screen for each in listed for screen in (_connections(each) if each.name == "connection" else [each])]


def connections() -> list[str]:
    """The names of the connections that can be set up, in the order of their list."""
    return re.findall(r'name: "(\w+)"', _CONNECTIONS.read_text("utf-8"))


def _connections(of: Screen) -> list[Screen]:
    return [Screen(name, of.path_of({"connection": name}), of.needs) for name in connections()]


def demo_accounts(printed: str) -> tuple[dict[str, str], str]:
    """The email addresses of the demo's accounts by language, and their password, from what `serve --demo` printed."""
    english, polish, *_ = re.findall(r"[a-z]+@demo\.example", printed)
    password = re.search(r" PASSWORD=(\S+)", printed)
    assert password is not None, printed
    return {"en": english, "pl": polish}, password[1]


def ids_of(api: httpx.Client) -> dict[str, str]:
    """Of the first workshop: an order with history, an estimate handed off, a customer, the grid with most prices.

    And a draft of an invoice, which is made, and the present month.
    """

    def get(path: str) -> Any:
        return api.get(path).raise_for_status().json()

    workshop = get("/workshops")["workshops"][0]["id"]
    orders = get(f"/workshops/{workshop}/orders?status=in_progress")["orders"]
    summaries = get(f"/workshops/{workshop}/estimate-summaries")["summaries"]
    sent = [each for each in summaries if each.get("lastHandoff")] or summaries
    line = {"label": "Oak top", "unit": "piece", "quantity": 1, "unitPrice": 80}
    rows = get(f"/workshops/{workshop}/order-summaries?limit=100")["summaries"]
    of_order = next(each["orderId"] for each in rows if "estimateId" not in each)
    draft = api.post(f"/orders/{of_order}/invoices", json={"kind": "invoice", "lines": [line]})
    return {
        "orderId": orders[0]["id"],
        "estimateId": sent[0]["estimateId"],
        "invoiceId": draft.raise_for_status().json()["id"],
        "customerId": get(f"/workshops/{workshop}/customers")["customers"][0]["id"],
        "gridId": max(get(f"/workshops/{workshop}/grids")["grids"], key=_prices)["id"],
        "month": get(f"/workshops/{workshop}/numbers")["months"][-1]["month"],
    }


def _prices(grid: dict[str, Any]) -> int:
    return sum(1 for button in grid["buttons"] if button["unitPrice"] > 0)


def go(page: Page, path: str) -> None:
    """Shows another screen without loading the page again, and waits until it is complete."""
    page.evaluate(SHOW, path)
    settle(page)


def settle(page: Page) -> None:
    page.evaluate(_SETTLED)
