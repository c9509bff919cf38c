"""Command output: text, or JSON with `--json`; an error is one line."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TextIO

import msgspec
from msgspec import Struct

from backbench.values.os_errors import reason_of


class CommandOutput(Struct, frozen=True):
    """`json` is printed with `--json`, `text` without, unless it is empty. `then` is called once either is printed."""

    json: Any
    text: str
    status: int = 0
    then: Callable[[], None] | None = None


class CommandError(Exception):
    """The command failed: its message is one line, the exit status is 1."""


class UsageError(Exception):
    """The words of the command line were not understood: the exit status is 2."""


class OutputFailed(Exception):
    """Standard output is closed, or its disk is full. What the command changed is changed."""


def table(json: Any, rows: Sequence[Sequence[str]]) -> CommandOutput:
    """A list: one line for each row with aligned columns; the last column may have any characters."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return CommandOutput(json, "\n".join(map(printable, lines)) if rows else "none")


def printable(text: str) -> str:
    """Without what moves the cursor of a terminal, which a name must not contain."""
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


def print_output(output: CommandOutput, *, in_json: bool) -> None:
    if in_json or output.text:
        print_line(msgspec.json.encode(output.json).decode() if in_json else output.text)


def print_error(line: str, *, in_json: bool) -> None:
    """Prints one line to standard error, and with `--json` then an object to standard output."""
    print_line(f"backbench: {line}", sys.stderr)
    if in_json:
        print_line(msgspec.json.encode({"error": line}).decode())


def print_line(text: str, stream: TextIO | None = None) -> None:
    """Prints to standard output, or to `stream`, at once: a program may wait for the line. Raises OutputFailed."""
    file = stream or sys.stdout
    # Python has none where the program was started without.
    if file is None:
        raise OutputFailed("it is closed")
    try:
        file.write(f"{text}\n")
        file.flush()
    except OSError as error:
        raise OutputFailed(reason_of(error)) from None
