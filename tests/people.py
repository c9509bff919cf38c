"""The application under test and its users: a Backbench on one of the database engines, and people who send requests.

`anna = await app.owner("Anna")` adds an account with a session; `await anna.post("/workshops/…/orders", {...})` sends
the request that a browser would send. Every person is new, so that tests can share an application.
"""

import asyncio
import itertools
import time
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import msgspec

from backbench.app import Backbench
from backbench.billing.plans import Plan
from backbench.connections import events
from backbench.engine.database import Write
from backbench.hosting import administration
from backbench.hosting.administration import AddedAccount
from backbench.settings import Settings
from backbench.values import times
from backbench.values.calls import Scope
from backbench.values.ids import new_id
from backbench.values.limits import Limit
from tests.open_sessions import open_session
from tests.support.asgi_client import ORIGIN, answered
from tests.support.secret_log_check import (
    remember_response_secrets,
    remember_secret_fields,
    remember_secret_settings,
    remember_secrets,
)

PASSWORD = "a plane and a saw"
_JSON = msgspec.json.Encoder(decimal_format="number")
# A response of an application in this process is returned once it is complete, so an event stream ends after its first
# event. tests/support/event_streams.py reads streams that stay open.
events.LIFE_SECONDS = 0.0
_numbers = itertools.count(1)


def _millisecond() -> int:
    """Of the clock itself: a test may have set `times.now`."""
    return time.time_ns() // 1_000_000


class App:
    """A Backbench that runs in this process on one engine."""

    def __init__(self, backbench: Backbench) -> None:
        self.backbench = backbench
        self.db = backbench.db
        self._hashed = ""
        # The millisecond in which the last change ended.
        self.changed_at = 0

    @property
    def engine(self) -> str:
        return self.db.engine

    def anonymous(self, address: str = "127.0.0.1") -> "Person":
        """A client without a session."""
        return Person(self, f"anonymous-{next(_numbers)}@example.com", address)

    async def person(self, name: str = "Anna", locale: Any = "en") -> "Person":
        """An active account with its own workshop, signed in."""
        number = next(_numbers)
        email = f"{name.lower()}.{number}@example.com"
        hashed = await self._password_hash()
        life = self.backbench.settings.session_life

        async def add(db: Write) -> tuple[AddedAccount, httpx.Cookies]:
            now = times.now()
            added = await administration.add_account(db, email, name, hashed, locale, now, new_id)
            return added, await open_session(db, added.uid, life, now)

        added, cookies = await self.db.write(add)
        person = Person(self, email, address=f"10.{number // 65536 % 256}.{number // 256 % 256}.{number % 256}")
        person.uid = added.uid
        person.workshop = added.workshop_id
        person.browser.cookies = cookies
        return person

    async def _password_hash(self) -> str:
        """One for all: nobody compares them."""
        self._hashed = self._hashed or await self.backbench.passwords.hash(PASSWORD)
        return self._hashed

    async def owner(self, name: str = "Anna") -> "Person":
        return await self.person(name)

    async def member(self, owner: "Person", name: str = "Marek") -> "Person":
        """Another member of the workshop of the owner; its `workshop` is that workshop."""
        person = await self.person(name)
        await self.db.write(
            lambda db: administration.add_member(db, owner.workshop, person.email, "member", times.now(), new_id)
        )
        person.workshop = owner.workshop
        return person

    async def put_on_pro(self, workshop_id: str, until: str | None = None) -> None:
        plan = Plan("pro", until, "grant")
        await self.db.write(lambda db: administration.set_plan(db, workshop_id, plan, times.now(), new_id))


class Person:
    """A client of the API: a browser with a session, or a program with an API key."""

    def __init__(self, app: App, email: str, address: str = "127.0.0.1") -> None:
        self.app = app
        self.email = email
        self.uid = ""
        self.workshop = ""
        self.bearer: str | None = None
        self._address = address
        # For requests other than those of `send`, such as one whose body comes in pieces.
        self.browser = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app.backbench, client=(address, 50000)),
            base_url=ORIGIN,
            event_hooks={"response": [_remembered]},
        )

    async def sign_in(self, password: str = PASSWORD) -> httpx.Response:
        return await self.post("/authenticate", {"email": self.email, "password": password})

    async def integrator(self, *scopes: Scope) -> "Person":
        """The same account, with an API key of these scopes."""
        issued = await self.app.db.write(
            lambda db: administration.issue_key(db, self.email, list(scopes), "test", times.now(), new_id)
        )
        program = Person(self.app, self.email)
        program.uid, program.workshop, program.bearer = self.uid, self.workshop, issued.secret
        remember_secrets(issued.secret)
        return program

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.send("GET", path, headers=headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return await self.send("POST", path, body, headers)

    async def patch(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return await self.send("PATCH", path, body, headers)

    async def put(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return await self.send("PUT", path, body, headers)

    async def delete(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return await self.send("DELETE", path, body, headers)

    async def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Sends `body` as JSON, bytes unchanged. Header names have _ for -; an empty value omits the header."""
        given = {name.replace("_", "-").lower(): value for name, value in (headers or {}).items()}
        sent = self._headers(method, body) | given
        content = body if isinstance(body, bytes) or body is None else _JSON.encode(body)
        kept = {name: value for name, value in sent.items() if value != ""}
        remember_secret_fields(body)
        is_change = method not in ("GET", "HEAD", "OPTIONS")
        # As people do it: tests are so fast that two changes, one after the other, had the same time now and then.
        if is_change and _millisecond() == self.app.changed_at:
            await asyncio.sleep(0.001)
        response = await answered(
            self.app.backbench, self._address, self.browser.cookies, method, f"/api{path}", kept, content
        )
        if is_change:
            self.app.changed_at = _millisecond()
        remember_response_secrets(response)
        return response

    async def order(self, **fields: Any) -> dict[str, Any]:
        """An order in the person's workshop."""
        answer = await self.post(f"/workshops/{self.workshop}/orders", {"title": "Oak table", **fields})
        assert answer.status_code == 201, answer.text
        created: dict[str, Any] = answer.json()
        return created

    async def estimate(self, **fields: Any) -> dict[str, Any]:
        """An estimate in the person's workshop."""
        answer = await self.post(f"/workshops/{self.workshop}/estimates", {"name": "Kitchen", **fields})
        assert answer.status_code == 201, answer.text
        created: dict[str, Any] = answer.json()
        return created

    def _headers(self, method: str, body: Any) -> dict[str, str]:
        headers: dict[str, str] = {}
        if body is not None:
            headers["content-type"] = "application/json"
        if self.bearer is not None:
            headers["authorization"] = f"Bearer {self.bearer}"
        elif method not in ("GET", "HEAD", "OPTIONS") and "csrf-token" in self.browser.cookies:
            headers["x-csrf-token"] = self.browser.cookies["csrf-token"]
        return headers


async def _remembered(answer: httpx.Response) -> None:
    if answer.status_code == 201:
        await answer.aread()
    remember_response_secrets(answer)


def pointers(answer: httpx.Response) -> list[str]:
    """The JSON pointers of a validation error."""
    assert answer.status_code == 400, answer.text
    problem = answer.json()
    assert problem["code"] == "validation_error"
    return [error["pointer"] for error in problem["errors"]]


def settings(database_url: str, **others: Any) -> Settings:
    """Settings for tests, with the default rate limits unless others are given.

    Exports are not limited by default: many tests read what they have caused from the export of one person.
    """
    remember_secret_settings(others)
    return Settings(database_url=database_url, **{"export_limit": Limit(10_000, 3600), **others})


def ids(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    return [entry["id"] for entry in entries]
