"""What a command says: words for people, JSON for scripts, and one line when it cannot do what it was asked."""

from collections.abc import Callable
from typing import Any

import msgspec
import typer
from msgspec import Struct


class CommandOutput(Struct, frozen=True):
    """`shape` is what `--json` prints. `status` is the exit status; `then` goes on once all is said."""

    shape: Any
    words: str
    status: int = 0
    then: Callable[[], None] | None = None


class Failure(Exception):
    """What was asked cannot be done: one line, and exit status 1."""


def say(said: CommandOutput, *, in_json: bool) -> None:
    typer.echo(msgspec.json.encode(said.shape) if in_json else said.words)


def print_error(line: str, *, in_json: bool) -> None:
    """One line on standard error; scripts get it as JSON on standard output too."""
    if in_json:
        typer.echo(msgspec.json.encode({"error": line}))
    typer.echo(f"backbench: {line}", err=True)
