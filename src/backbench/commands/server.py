"""The server's command, `backbench serve`: checks the settings, migrates the database, and serves until a signal."""

import contextlib
import errno
import gc
import socket
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from backbench.commands.configuration import of_demo, settings
from backbench.commands.output import CommandError, CommandOutput
from backbench.settings import local_url

MAX_PORT, MAX_WORKERS = 65_535, 64


def plain_options(words: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of `serve` in `words`, where they are plain; None for all else, such as --help and errors."""
    if words[:1] != ["serve"]:
        return None
    found: dict[str, Any] = {}
    rest = iter(words[1:])
    for word in rest:
        name, is_joined, joined = word.partition("=")
        if word == "--demo":
            found["demo"] = True
            continue
        value = joined if is_joined else next(rest, "")
        number = int(value) if value.isascii() and value.isdecimal() and len(value) <= len(str(MAX_PORT)) else 0
        if name == "--host" and value and not value.startswith("-"):
            found["host"] = value
        elif (name == "--port" and 1 <= number <= MAX_PORT) or (name == "--workers" and 1 <= number <= MAX_WORKERS):
            found[name.removeprefix("--")] = number
        else:
            return None
    return found


def serve(host: str | None = None, port: int | None = None, workers: int = 1, *, demo: bool = False) -> CommandOutput:
    """Raises CommandError. The output's `then` serves until a signal."""
    with no_garbage_collection():
        # Loaded before the fork: the workers share this memory.
        from backbench.commands.waiting import migrate_when_reachable
        from backbench.providers import require_complete_settings
        from backbench.serving import run as serve_until_signal

    configured = settings(require_complete_settings, host=host, port=port)
    if demo:
        configured = of_demo(configured)
    address = _address(configured.host, configured.port, demo=demo)
    url = local_url(address, configured.port)
    migrate_when_reachable(configured)
    json_output: dict[str, Any] = {"address": url}
    # A service manager keeps both streams in one log, which has objects alone: "started" says the same there.
    text = f"Backbench serves {url} (Ctrl-C stops it)" if demo or sys.stdout.isatty() else ""
    if demo:
        from backbench.commands.demo import set_up

        demo_json, demo_text = set_up(url, configured)
        json_output |= demo_json
        text = f"{demo_text}\n{text}"

    return CommandOutput(json_output, text, then=lambda: serve_until_signal(configured, address, workers))


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """For imports: they make many objects and no garbage, so searching for it takes a tenth of their time.

    What exists afterwards is never searched again.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _address(host: str, port: int, *, demo: bool) -> str:
    """The numeric address to listen on. Raises CommandError if it is not this machine's, or the port is in use."""
    try:
        family, kind, _, _, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        _try_port(family, kind, found)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a host name"
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            reason = f"{reason}{_other_port(family, kind, found, demo=demo)}"
        raise CommandError(f"cannot listen on {host} port {port}: {reason}") from None
    return str(found[0])


def _try_port(family: int, kind: int, address: Any) -> None:
    """Raises OSError if the address cannot be listened on."""
    with socket.socket(family, kind) as trial:
        # The server sets this too: a port that it left a moment ago is free.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        trial.bind(address)


def _other_port(family: int, kind: int, address: Any, *, demo: bool) -> str:
    """Names the next free port of the same address; empty if there is none nearby."""
    host, port, *rest = address
    for other in range(port + 1, min(port + 20, 65535) + 1):
        with contextlib.suppress(OSError):
            _try_port(family, kind, (host, other, *rest))
            return f"; try --port {other}" + (f" (make run PORT={other})" if demo else "")
    return ""
