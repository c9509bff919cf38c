"""Estimates shared with a link on a running server, for tests of the client page."""

import contextlib
from typing import Any

import httpx

from tests.people import PASSWORD
from tests.web.open_sign_up import OpenSignUpServer

LINES = [
    {"label": "Blat dębowy, grubość 40 mm", "unit": "sqm", "unitPrice": 890, "quantity": 2.4},
    {"label": "Szuflady z cichym domykiem", "unit": "piece", "unitPrice": 1240.15, "quantity": 3},
    {"label": "Pomiar w domu", "unit": "hour", "unitPrice": 0, "quantity": 2.5},
    {"label": "Oświetlenie", "unit": "job", "unitPrice": 350, "quantity": 0},
    {"label": "Transport", "unit": "freeform", "unitPrice": 400, "quantity": 1},
]
SETTINGS = {
    "currency": "EUR",
    "address": "3 Tannery Yard\nLewes BN7 2AN",
    "phone": "+44 1273 555 018",
    "email": "ellen@harrow.example",
    "taxId": "GB 123 4567 89",
    "footer": "Deposit on acceptance.",
    "taxPercent": 20,
}


class Owner:
    """An owner with a workshop, over HTTP."""

    def __init__(self, server: OpenSignUpServer) -> None:
        self._client = httpx.Client(base_url=f"{server.url}/api", timeout=60, trust_env=False, verify=False)
        credentials = {"email": server.active_account(), "password": PASSWORD}
        self._client.post("/authenticate", json=credentials).raise_for_status()
        self._client.headers["x-csrf-token"] = self._client.cookies["csrf-token"]
        self.workshop: str = self.get("/workshops")["workshops"][0]["id"]
        edit = {"name": "Harrow & Thread", "titleFont": "didone", "accentColor": "#8A3324", "tagline": "Made to last"}
        self.send("PATCH", f"/workshops/{self.workshop}", edit)
        self.send("PUT", f"/workshops/{self.workshop}/document-settings", SETTINGS)

    @property
    def cookies(self) -> dict[str, str]:
        """Those of the session, for a browser."""
        return dict(self._client.cookies)

    def get(self, path: str) -> Any:
        return self._client.get(path).raise_for_status().json()

    def content(self, path: str) -> bytes:
        return self._client.get(path).raise_for_status().content

    def send(self, method: str, path: str, body: Any = None) -> Any:
        response = self._client.request(method, path, json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def share(self, **fields: Any) -> "Shared":
        """A new estimate, confirmed and shared; `fields` are those of the link."""
        body = {"name": "Oak kitchen", "recipientName": "Margaret Holloway", "discountPercent": 10, "lineItems": LINES}
        estimate = self.send("POST", f"/workshops/{self.workshop}/estimates", body)
        self.send("POST", f"/estimates/{estimate['id']}/confirm")
        return self.link(estimate["id"], **fields)

    def link(self, estimate_id: str, **fields: Any) -> "Shared":
        return Shared(
            self, estimate_id, self.send("POST", f"/estimates/{estimate_id}/links", {"locale": "en", **fields})
        )

    def close(self) -> None:
        self._client.close()


class Shared:
    """An estimate and one link of it. `url` is the address of the client page."""

    def __init__(self, owner: Owner, estimate_id: str, shared: Any) -> None:
        self._owner = owner
        self.estimate_id = estimate_id
        self.link: Any = shared["link"]
        self.url: str = shared["url"]
        self.token = self.url.partition("#")[2]

    def decisions(self) -> list[Any]:
        found: list[Any] = self._owner.get(f"/estimates/{self.estimate_id}/decisions")["decisions"]
        return found

    def openings(self) -> int:
        links = self._owner.get(f"/estimates/{self.estimate_id}/links")["links"]
        count: int = next(link for link in links if link["id"] == self.link["id"])["openings"]["count"]
        return count

    def answer(self, text: str) -> None:
        """A member answers the client's comments."""
        self._owner.send("POST", f"/links/{self.link['id']}/comments", {"text": text})

    def confirm_next_revision(self, number: int = 2) -> None:
        self._owner.send("PATCH", f"/estimates/{self.estimate_id}", {"discountPercent": 5 * (number - 1)})
        self._owner.send("POST", f"/estimates/{self.estimate_id}/confirm")

    def show_next_revision(self, number: int = 2) -> None:
        """Another revision, at the same address."""
        self.confirm_next_revision(number)
        self._owner.send("PATCH", f"/links/{self.link['id']}", {"revisionNumber": number})

    def next_revision(self) -> "Shared":
        """Another revision, with a link of its own."""
        self.confirm_next_revision()
        return self._owner.link(self.estimate_id)

    def pdf(self) -> bytes:
        with contextlib.closing(httpx.Client(trust_env=False, timeout=60)) as client:
            address = self.url.partition("/e/")[0] + "/api/client/estimate/pdf"
            return client.get(address, headers={"authorization": f"Bearer {self.token}"}).raise_for_status().content
