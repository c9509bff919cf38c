"""Secrets of a test run, and the check that no log line contains one.

Passwords, tokens and personal texts that test clients send, and cookies, API keys and links that they receive, are
recorded. At the end of the run no line logged by the service may contain a recorded value.
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

# Passwords, cookies, API keys, tokens of emails, prompts, names of clients and messages to them.
secrets: set[str] = set()
# Shorter values would be found by chance.
_MIN_LENGTH = 12

# JSON members with secrets or personal data, at any depth of a body.
_SECRET_FIELDS = {
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
# Query parameters of redirects that give access to an account.
_SECRET_PARAMETERS = {"code", "nonce", "state", "token"}


# Parts of a line that differ in every line and contain no secret.
_VARIABLE_PARTS = re.compile(r'"(?:timestamp|request_id|address)": "[0-9a-fTZ:./-]*"')


class LogOutput(io.StringIO):
    """All lines that the service has logged in this process."""

    def with_secrets(self) -> list[str]:
        """The lines that contain a secret."""
        return lines_with_secrets(self.getvalue())


def capture_logs() -> LogOutput:
    """Sets the logs up as the server does, at the level debug, and records their lines."""
    lines = LogOutput()
    set_up("debug", to=lines)
    return lines


def remember_secrets(*values: Any) -> None:
    secrets.update(value for value in values if isinstance(value, str) and len(value) >= _MIN_LENGTH)


def remember_strings(value: Any) -> None:
    """Records every text in a JSON value."""
    remember_secrets(value)
    for part in _parts(value):
        remember_strings(part)


def remember_secret_fields(value: Any) -> None:
    """Records the secret fields of a JSON value."""
    if isinstance(value, Mapping):
        remember_secrets(*[part for name, part in value.items() if name in _SECRET_FIELDS])
    for part in _parts(value):
        remember_secret_fields(part)


def remember_response_secrets(response: httpx.Response) -> None:
    """Records cookies, a new API key (the body of a 201 must have been read) and parameters of a redirect."""
    # Most responses have neither, and reading none takes as long as a request.
    if "set-cookie" in response.headers:
        remember_secrets(*response.cookies.values())
    if "location" in response.headers:
        query = parse_qs(urlsplit(response.headers["location"]).query)
        remember_secrets(*[value for name in _SECRET_PARAMETERS & set(query) for value in query[name]])
    if response.status_code == 201 and b'"secret"' in response.content:
        remember_secret_fields(response.json())


def remember_secret_settings(values: Mapping[str, Any]) -> None:
    """Records the credentials of other services."""
    for name, value in values.items():
        if name.lower().endswith(("key", "secret", "token")):
            remember_secrets(value)
        if name.lower().endswith("url") and isinstance(value, str):
            remember_secrets(urlsplit(value).password if "," not in value else None)


def lines_with_secrets(text: str) -> list[str]:
    """The lines that contain a secret, as it is or JSON-encoded."""
    secrets_by_start: dict[str, list[str]] = {}
    for secret in _encodings(secrets):
        secrets_by_start.setdefault(secret[:_MIN_LENGTH], []).append(secret)
    # Most lines differ only in time and request id: the cache checks equal texts once.
    contains_secret = cache(lambda text: _contains_any(text, secrets_by_start))
    return [line for line in text.splitlines() if contains_secret(_VARIABLE_PARTS.sub("", line))]


def _contains_any(line: str, secrets_by_start: Mapping[str, list[str]]) -> bool:
    """Looks up the start of secrets by position: there are thousands of secrets, and megabytes of lines."""
    return any(
        line.startswith(secret, index)
        for index in range(len(line) - _MIN_LENGTH + 1)
        for secret in secrets_by_start.get(line[index : index + _MIN_LENGTH], ())
    )


def _encodings(values: Iterable[str]) -> set[str]:
    return {encoded for value in values for encoded in (value, json.dumps(value)[1:-1])}


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list) else ()
