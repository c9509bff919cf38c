"""Test server of the payment provider: localstripe, with the two hosted pages that it lacks.

Run as a program: `python -m tests.support.providers.stripe_server PORT`.
"""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import httpx

SECRET_KEY = "sk_test_workbench"
WEBHOOK_SECRET = "whsec_workbench"


class Provider:
    """A client of the provider, for the actions that customers perform on its pages."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx.Client(base_url=url, auth=(SECRET_KEY, ""), trust_env=False, verify=False, timeout=60)

    def close(self) -> None:
        self._http.close()

    def send(self, method: str, path: str, **form: str) -> dict[str, Any]:
        response = self._http.request(method, path, data=form)
        assert response.is_success, response.text
        result: dict[str, Any] = response.json()
        return result

    def register_webhook(self, webhook_url: str) -> None:
        """Sends every later event to the webhook."""
        body = {"url": webhook_url, "secret": WEBHOOK_SECRET}
        assert self._http.post("/_config/webhooks/backbench", json=body).is_success

    def customer(self, email: str) -> str:
        """Adds a customer with a valid card."""
        customer: str = self.send("POST", "/v1/customers", email=email)["id"]
        card = {"card[number]": "4242424242424242", "card[exp_month]": "12", "card[exp_year]": "2040"}
        token = self.send("POST", "/v1/tokens", **card, **{"card[cvc]": "123"})["id"]
        self.send("POST", f"/v1/customers/{customer}/sources", source=token)
        return customer

    def plan(self) -> str:
        form = {"currency": "eur", "amount": "1900", "interval": "month", "product[name]": "Pro"}
        plan: str = self.send("POST", "/v1/plans", **form)["id"]
        return plan

    def subscribe(self, customer: str, plan: str, workshop_id: str) -> str:
        form = {"customer": customer, "items[0][plan]": plan, "metadata[workshopId]": workshop_id}
        subscription: str = self.send("POST", "/v1/subscriptions", **form)["id"]
        return subscription


@contextlib.contextmanager
def provider() -> Iterator[Provider]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="backbench-stripe-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.providers.stripe_server", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, TMPDIR=folder),
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(url)
            with contextlib.closing(Provider(url)) as running:
                yield running
        finally:
            process.terminate()
            process.wait(10)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"{url}/v1/customers", auth=(SECRET_KEY, ""), trust_env=False, verify=False, timeout=60)
            return
        time.sleep(0.05)
    raise AssertionError("the payment provider did not start")


def _run(port: int) -> None:
    from aiohttp import web
    from localstripe import server

    async def checkout(request: web.Request) -> web.Response:
        form = await server.get_post_data(request)
        assert form["mode"] == "subscription"
        assert form["client_reference_id"] == form["subscription_data"]["metadata"]["workshopId"]
        assert form["line_items"][0]["price"]
        number = len(str(form))
        page = {"id": f"cs_{number}", "object": "checkout.session", "url": f"https://checkout.example/{number}"}
        return web.json_response(page)

    async def portal(request: web.Request) -> web.Response:
        form = await server.get_post_data(request)
        server.Customer._api_retrieve(form["customer"])
        page = {"id": "bps_1", "object": "billing_portal.session", "url": f"https://portal.example/{form['customer']}"}
        return web.json_response(page)

    server.app.router.add_post("/v1/checkout/sessions", checkout)
    server.app.router.add_post("/v1/billing_portal/sessions", portal)
    web.run_app(server.app, host="127.0.0.1", port=port, print=lambda *_: None)


if __name__ == "__main__":
    _run(int(sys.argv[1]))
