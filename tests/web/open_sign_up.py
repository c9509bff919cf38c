"""A running server with open sign-up, whose mail server writes the emails to a folder."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

import argon2
import httpx

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.hosting import administration
from backbench.integrations.passwords import _LANES, _MEMORY_KIB, _ROUNDS
from backbench.values import times
from backbench.values.ids import NIL_ID, new_id
from backbench.values.limits import SessionLife
from tests.open_sessions import open_session
from tests.people import PASSWORD
from tests.support.mailbox import parse_email, text_of, token_in
from tests.support.providers.smtp_folder import smtp_into
from tests.support.server import Server, running_server

_numbers = itertools.count(1)


class OpenSignUpServer:
    """Signs up accounts over HTTP and reads their emails from the folder."""

    def __init__(self, running: Server, emails: Path) -> None:
        self.url = running.url
        self._database_url = running.database_url
        self._email_folder = emails
        self._emails: dict[Path, EmailMessage] = {}
        self._owner: httpx.Client | None = None

    def post(self, path: str, body: Any) -> httpx.Response:
        """Sends a request without a session."""
        return httpx.post(f"{self.url}/api{path}", json=body, timeout=60, trust_env=False, verify=False)

    def email_to(self, email: str, skip: int = 0) -> EmailMessage:
        """Waits for the newest email to the address, once there are more than `skip`."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            found = self._emails_to(email)
            if len(found) > skip:
                return max(found, key=lambda email_: str(email_["Message-ID"]))
            time.sleep(0.05)
        raise AssertionError(f"no email to {email}")

    def link_to(self, email: str, skip: int = 0) -> str:
        """The link in that email."""
        message = self.email_to(email, skip)
        token = token_in(message)
        return next(word for word in text_of(message).split() if word.endswith(f"#token={token}"))

    def sign_up(self, locale: str = "en") -> str:
        """Signs up; returns the email address."""
        email = f"person-{next(_numbers)}@example.org"
        body = {"name": "Anna", "email": email, "password": PASSWORD, "acceptTerms": True, "locale": locale}
        assert self.post("/accounts", body).status_code == 202
        return email

    def active_account(self, locale: str = "en") -> str:
        """Adds a verified account to the database; returns the email address."""
        return self._add_account(locale, has_session=False)[0]

    def signed_in_account(self, locale: str = "en") -> tuple[str, httpx.Client]:
        """As `active_account`, and a client with a session that was added together with the account."""
        email, cookies = self._add_account(locale, has_session=True)
        client = httpx.Client(base_url=f"{self.url}/api", cookies=cookies, timeout=60, trust_env=False, verify=False)
        client.headers["x-csrf-token"] = client.cookies["csrf-token"]
        return email, client

    def _add_account(self, locale: str, *, has_session: bool) -> tuple[str, httpx.Cookies | None]:
        email = f"person-{next(_numbers)}@example.org"
        # In a thread: Playwright has an event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            adding = _add_account(self._database_url, email, locale, has_session)
            return email, thread.submit(asyncio.run, adding).result()

    def can_sign_in(self, email: str, password: str = PASSWORD) -> bool:
        return self.post("/authenticate", {"email": email, "password": password}).status_code == 200

    def api_key(self, email: str) -> str:
        """A new API key of the account; returns its secret."""
        with contextlib.closing(self.signed_in(email)) as client:
            body = {"name": "Shop window", "scopes": ["orders:read"]}
            secret: str = client.post("/me/api-keys", json=body).raise_for_status().json()["secret"]
        return secret

    def status_with(self, secret: str) -> int:
        """The status of a request with the API key: 401 where it is not valid."""
        path, headers = f"{self.url}/api/workshops/{NIL_ID}/orders", {"authorization": f"Bearer {secret}"}
        return httpx.get(path, headers=headers, timeout=60, trust_env=False, verify=False).status_code

    def invite(self, email: str, order: str = "") -> str:
        """Invites the address to another owner's workshop, whose board has the order; returns the link in the email."""
        self._owner = owner = self._owner or self.signed_in(self.active_account())
        workshop = owner.get("/workshops").json()["workshops"][0]["id"]
        if order:
            owner.post(f"/workshops/{workshop}/orders", json={"title": order}).raise_for_status()
        before = len(self._emails_to(email))
        owner.post(f"/workshops/{workshop}/invitations", json={"email": email, "role": "member"}).raise_for_status()
        return self.link_to(email, before)

    def close(self) -> None:
        if self._owner is not None:
            self._owner.close()

    def signed_in(self, email: str) -> httpx.Client:
        client = httpx.Client(base_url=f"{self.url}/api", timeout=60, trust_env=False, verify=False)
        client.post("/authenticate", json={"email": email, "password": PASSWORD}).raise_for_status()
        client.headers["x-csrf-token"] = client.cookies["csrf-token"]
        return client

    def _emails_to(self, email: str) -> list[EmailMessage]:
        for file in set(self._email_folder.glob("*.eml")) - self._emails.keys():
            self._emails[file] = parse_email(file.read_bytes())
        return [message for message in self._emails.values() if message["To"] == email]


@cache
def _password_hash() -> str:
    """With the parameters of production: a weaker one would be replaced at the first sign-in."""
    return argon2.PasswordHasher(time_cost=_ROUNDS, memory_cost=_MEMORY_KIB, parallelism=_LANES).hash(PASSWORD)


async def _add_account(database_url: str, email: str, locale: Any, has_session: bool) -> httpx.Cookies | None:
    async def add(db: Write) -> httpx.Cookies | None:
        now = times.now()
        added = await administration.add_account(db, email, "Anna", _password_hash(), locale, now, new_id)
        return await open_session(db, added.uid, SessionLife(), now) if has_session else None

    db = open_database(database_url)
    try:
        return await db.write(add)
    finally:
        await db.close()


@contextlib.contextmanager
def running_open_sign_up_server(database_url: str, emails: Path, port: int) -> Iterator[OpenSignUpServer]:
    with (
        smtp_into(emails) as mail_server,
        running_server(
            database_url,
            port=port,
            BACKBENCH_SIGN_UP="open",
            BACKBENCH_SMTP_URL=mail_server,
            BACKBENCH_DEFAULT_PLAN="free",
            BACKBENCH_PUBLIC_URL=f"http://127.0.0.1:{port}",
            # Every request comes from this machine.
            BACKBENCH_MAIL_CEILING="10000/3600",
            BACKBENCH_SIGN_IN_CEILING="10000/900",
            BACKBENCH_WEBHOOK_LOOPBACK="on",
        ) as running,
        contextlib.closing(OpenSignUpServer(running, emails)) as open_server,
    ):
        yield open_server
