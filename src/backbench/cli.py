"""The command line: every command works while the server runs, and prints JSON with `--json`."""

import contextlib
import os
import sys
from collections.abc import Sequence

from backbench.commands import server
from backbench.commands.configuration import settings_file
from backbench.commands.output import (
    CommandError,
    CommandOutput,
    OutputFailed,
    UsageError,
    print_error,
    print_line,
    print_output,
)


def main() -> int:
    """In a process of its own."""
    words = sys.argv[1:]
    if "serve" not in words:
        with server.no_garbage_collection():
            from backbench.commands import command_line  # noqa: F401 - loaded here, a third of a command's time faster
    return run(words)


def run(arguments: Sequence[str]) -> int:
    """The exit status: 0, 1 where it could not be done, 2 where the words were not understood."""
    try:
        return _run(arguments)
    except OutputFailed as failure:
        with contextlib.suppress(OutputFailed):
            print_line(f"backbench: the output cannot be written: {failure}", sys.stderr)
        _abandon_output()
        return 1


def _abandon_output() -> None:
    """Python writes what is left of the output at its end, and would fail again."""
    # Without a file, as in a test, there is nothing to replace.
    with contextlib.suppress(OSError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _run(arguments: Sequence[str]) -> int:
    in_json = "--json" in arguments
    try:
        env_file, words = _without_env_file([word for word in arguments if word != "--json"])
        with settings_file(env_file):
            output = _run_command(words, in_json=in_json)
            if isinstance(output, int):
                return output
            print_output(output, in_json=in_json)
            if output.then is not None:
                output.then()
    except CommandError as failure:
        print_error(str(failure), in_json=in_json)
        return 1
    except UsageError as error:
        return _misunderstood(str(error), in_json=in_json)
    return output.status


def _run_command(words: list[str], *, in_json: bool) -> CommandOutput | int:
    """The output, or the exit status where that is all."""
    options = server.plain_options(words)
    if options is not None:
        return server.serve(**options)
    # A server does not need Typer, which takes a fifth of a second and, with Pydantic, ten megabytes.
    from backbench.commands.command_line import run_command

    return run_command(words, in_json=in_json)


def _without_env_file(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of the last --env-file, which may stand anywhere, and the other words. Raises UsageError."""
    file, others, rest = None, [], iter(words)
    for word in rest:
        name, is_joined, value = word.partition("=")
        if name != "--env-file":
            others.append(word)
            continue
        file = value if is_joined else next(rest, "")
        if not file:
            raise UsageError("Invalid value: Option '--env-file' requires an argument")
    return file, others


def _misunderstood(message: str, *, in_json: bool) -> int:
    # A group without its command asks for its help, which is no complaint.
    if "\n" in message:
        print_line(message)
    else:
        print_error(message.rstrip("."), in_json=in_json)
    return 2
