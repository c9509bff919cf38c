"""Secrets that tests have seen, and the promise that no log line holds one.

Whatever people send as a password, a token or words of their own, and whatever they are handed as a cookie, a key or a
link, is remembered as it passes by; the watch is over every line that any test makes the service log.
"""

import io
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from backbench.logs import set_up

# Whatever a test lets through: passwords, cookies, keys, tokens of mails, prompts, what clients are called and told.
secrets: set[str] = set()
# Too short a value would be found everywhere by chance.
_SHORTEST = 12

# What nobody but those it is meant for may read, wherever it stands in a body.
_FIELDS = {
    "apiKey",
    "code",
    "currentPassword",
    "customerName",
    "email",
    "message",
    "newPassword",
    "notes",
    "password",
    "recipientName",
    "secret",
    "token",
}
# What leads into an account, in the address that a browser is sent to.
_PARAMETERS = {"code", "nonce", "state", "token"}


# What the service itself counts and dates a line with.
_COUNTED = re.compile(r'"(?:timestamp|request_id|address)": "[0-9a-fTZ:./-]*"')


class Lines(io.StringIO):
    """Everything that the service has logged in this process."""

    def found(self) -> list[str]:
        """The lines that hold a secret."""
        return lines_with_secrets(self.getvalue())


def listen() -> Lines:
    """Sets the logs up as the server does, at their most talkative, and keeps what they say."""
    lines = Lines()
    set_up("debug", to=lines)
    return lines


def remember(*values: Any) -> None:
    secrets.update(value for value in values if isinstance(value, str) and len(value) >= _SHORTEST)


def remember_all(value: Any) -> None:
    """Every text in a JSON value."""
    remember(value)
    for part in _parts(value):
        remember_all(part)


def remember_fields(value: Any) -> None:
    """The fields of a JSON value that are nobody else's business."""
    if isinstance(value, Mapping):
        remember(*[part for name, part in value.items() if name in _FIELDS])
    for part in _parts(value):
        remember_fields(part)


def remember_answer(answer: httpx.Response) -> None:
    """The cookies it sets, a key that it hands out (a 201 has been read), what it sends a browser elsewhere with."""
    remember(*answer.cookies.values())
    query = parse_qs(urlsplit(answer.headers.get("location", "")).query)
    remember(*[value for name in _PARAMETERS & set(query) for value in query[name]])
    if answer.status_code == 201 and b'"secret"' in answer.content:
        remember_fields(answer.json())


def remember_settings(values: Mapping[str, Any]) -> None:
    """Secrets by which the service is known elsewhere."""
    for name, value in values.items():
        if name.lower().endswith(("key", "secret", "token")):
            remember(value)
        if name.lower().endswith("url") and isinstance(value, str):
            remember(urlsplit(value).password if "," not in value else None)


def lines_with_secrets(text: str) -> list[str]:
    """Of all lines those that hold a secret, as it is or as JSON writes it."""
    starts: dict[str, list[str]] = {}
    for secret in _spelled(secrets):
        starts.setdefault(secret[:_SHORTEST], []).append(secret)
    # Most lines differ in their moment and their request alone, so what they say is looked at once.
    holds = cache(lambda said: _holds_any(said, starts))
    return [line for line in text.splitlines() if holds(_COUNTED.sub("", line))]


def _holds_any(line: str, starts: Mapping[str, list[str]]) -> bool:
    """Looks every beginning up once: there are thousands of secrets, and megabytes of lines."""
    return any(
        line.startswith(secret, at)
        for at in range(len(line) - _SHORTEST + 1)
        for secret in starts.get(line[at : at + _SHORTEST], ())
    )


def _spelled(values: Iterable[str]) -> set[str]:
    return {spelled for value in values for spelled in (value, json.dumps(value)[1:-1])}


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list) else ()
