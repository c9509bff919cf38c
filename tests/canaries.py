"""Secrets that tests have seen, and the promise that no log line holds one."""

import io
from typing import Any

from backbench.logs import set_up

# Whatever a test lets through: passwords, cookies, keys, tokens of mails, prompts.
secrets: set[str] = set()


class Lines(io.StringIO):
    """Everything that the service has logged in this process."""

    def found(self) -> list[str]:
        """The lines that hold a secret."""
        return [line for line in self.getvalue().splitlines() if any(secret in line for secret in secrets)]


def listen() -> Lines:
    """Sets the logs up as the server does, at their most talkative, and keeps what they say."""
    lines = Lines()
    set_up("debug", to=lines)
    return lines


def remember(*values: Any) -> None:
    """Too short a value would be found everywhere by chance."""
    secrets.update(value for value in values if isinstance(value, str) and len(value) >= 12)
