"""A service as it runs, with people who have got mails from it."""

import contextlib
import itertools
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx

from tests.support.postbox import read, text_of, token_in
from tests.support.servers import Served, served

PASSWORD = "a plane and a saw"
_numbers = itertools.count(1)


class Village:
    """Anybody may sign up. Mails lie in a folder, as on a machine without SMTP."""

    def __init__(self, service: Served, mails: Path) -> None:
        self.url = service.url
        self._mails = mails
        self._owner: httpx.Client | None = None

    def posts(self, path: str, body: Any) -> httpx.Response:
        """What somebody's program sends who is nowhere signed in."""
        return httpx.post(f"{self.url}/api{path}", json=body, timeout=60, trust_env=False, verify=False)

    def mail_to(self, email: str, but: int = 0) -> EmailMessage:
        """The first mail to the address after `but` others, as soon as it has been written."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            found = self._all_to(email)
            if len(found) > but:
                return max(found, key=lambda mail: str(mail["Message-ID"]))
            time.sleep(0.05)
        raise AssertionError(f"no mail to {email}")

    def link_to(self, email: str, but: int = 0) -> str:
        """The address that the button of the mail leads to."""
        mail = self.mail_to(email, but)
        token = token_in(mail)
        return next(word for word in text_of(mail).split() if word.endswith(f"#token={token}"))

    def newcomer(self, locale: str = "en") -> str:
        """The e-mail address of somebody who has just signed up."""
        email = f"newcomer-{next(_numbers)}@example.org"
        wish = {"name": "Anna", "email": email, "password": PASSWORD, "acceptTerms": True, "locale": locale}
        assert self.posts("/accounts", wish).status_code == 202
        return email

    def member(self, locale: str = "en") -> str:
        """The e-mail address of somebody whose account is active."""
        email = self.newcomer(locale)
        token = self.link_to(email).partition("#token=")[2]
        assert self.posts("/accounts/verify", {"token": token}).status_code == 200
        return email

    def may_sign_in(self, email: str, password: str = PASSWORD) -> bool:
        return self.posts("/authenticate", {"email": email, "password": password}).status_code == 200

    def invited(self, email: str) -> str:
        """The link of an invitation to the address, from the owner of another workshop."""
        self._owner = owner = self._owner or self._signed_in(self.member())
        workshop = owner.get("/workshops").json()["workshops"][0]["id"]
        before = len(self._all_to(email))
        owner.post(f"/workshops/{workshop}/invitations", json={"email": email, "role": "member"}).raise_for_status()
        return self.link_to(email, before)

    def close(self) -> None:
        if self._owner is not None:
            self._owner.close()

    def _signed_in(self, email: str) -> httpx.Client:
        browser = httpx.Client(base_url=f"{self.url}/api", timeout=60, trust_env=False, verify=False)
        browser.post("/authenticate", json={"email": email, "password": PASSWORD}).raise_for_status()
        browser.headers["x-csrf-token"] = browser.cookies["csrf-token"]
        return browser

    def _all_to(self, email: str) -> list[EmailMessage]:
        mails = [read(file.read_bytes()) for file in self._mails.glob("*.eml")]
        return [mail for mail in mails if mail["To"] == email]


@contextlib.contextmanager
def lived_in(database_url: str, mails: Path, port: int) -> Iterator[Village]:
    with (
        served(
            database_url,
            port=port,
            BACKBENCH_SIGN_UP="open",
            BACKBENCH_MAIL_FOLDER=str(mails),
            BACKBENCH_PUBLIC_URL=f"http://127.0.0.1:{port}",
            # Everybody comes from this machine.
            BACKBENCH_MAIL_CEILING="10000/3600",
            BACKBENCH_SIGN_IN_CEILING="10000/900",
        ) as running,
        contextlib.closing(Village(running, mails)) as village,
    ):
        yield village
