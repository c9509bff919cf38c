"""Shared links: a confirmed estimate with a link, and the client who holds it."""

from typing import Any

from tests.people import App, Person
from tests.support.secret_log_check import remember_secrets

LINES = [
    {"label": "Oak boards", "unit": "sqm", "unitPrice": 120.5, "quantity": 2.5},
    {"label": "Joinery", "unit": "hour", "unitPrice": 80, "quantity": 12},
]
DRAWN = {"kind": "drawn", "strokes": [[[1, 2.5], [3, 4]], [[5, 6]]]}


class SharedEstimate:
    """A confirmed estimate of the owner, its link, and a client with the token of the link."""

    def __init__(self, owner: Person, estimate: dict[str, Any], shared: dict[str, Any]) -> None:
        self.owner = owner
        self.id: str = estimate["id"]
        self.link: dict[str, Any] = shared["link"]
        self.url: str = shared["url"]
        self.client = client_of(owner.app, self.url)

    @property
    def path(self) -> str:
        return f"/estimates/{self.id}"

    async def another(self, **fields: Any) -> "SharedEstimate":
        """Another link of the same estimate."""
        response = await self.owner.post(f"{self.path}/links", {"locale": "en", **fields})
        assert response.status_code == 201, response.text
        return SharedEstimate(self.owner, {"id": self.id}, response.json())

    async def confirm(self) -> None:
        response = await self.owner.post(f"{self.path}/confirm")
        assert response.status_code == 201, response.text

    async def acceptance(self, **fields: Any) -> dict[str, Any]:
        """A valid body for an acceptance."""
        shown = (await self.client.get("/client/estimate")).json()
        return {
            "name": "Jan Kowalski",
            "documentHash": shown["documentHash"],
            "consentId": shown["consent"]["id"],
            "agreed": True,
            "signature": {"kind": "typed"},
            **fields,
        }

    async def accept(self, **fields: Any) -> Any:
        return await self.client.post("/client/estimate/accept", await self.acceptance(**fields))


def client_of(app: App, url: str, address: str = "198.51.100.7") -> Person:
    """A browser without cookies that sends the token of the link's address."""
    client = app.anonymous(address)
    client.bearer = url.partition("#")[2]
    remember_secrets(client.bearer)
    return client


async def share(owner: Person, **fields: Any) -> SharedEstimate:
    """A new estimate, confirmed and shared; `fields` are those of the link."""
    estimate = await owner.estimate(name="Oak table", recipientName="Jan Kowalski", lineItems=LINES, markupPercent=10)
    await owner.post(f"/estimates/{estimate['id']}/confirm")
    response = await owner.post(f"/estimates/{estimate['id']}/links", {"locale": "en", **fields})
    assert response.status_code == 201, response.text
    return SharedEstimate(owner, estimate, response.json())
