"""Running the service."""

import contextlib
import errno
import socket
from typing import Annotated, Any

import typer

from backbench import __version__
from backbench.commands.database import in_database, settings
from backbench.commands.output import CommandOutput, Failure


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that share the work.")] = 1,
    demo: Annotated[bool, typer.Option("--demo", help="Set up a demo workshop and print how to use it.")] = False,
) -> CommandOutput:
    """Serve until a signal; requests under way are finished first."""
    # The workers inherit what is loaded here, and share its memory.
    from backbench.app import require_complete_settings

    settings(require_complete_settings)
    host = _address(host, port, demo=demo)
    url = _url(host, port)
    in_database(lambda db: db.migrate(), migrates=False)
    shape: dict[str, Any] = {"address": url}
    words = f"Backbench serves {url} (Ctrl-C stops it)"
    if demo:
        from backbench.commands.demo import set_up

        entry, how_to_get_in = set_up(url)
        shape |= entry
        words = f"{how_to_get_in}\n{words}"

    def run() -> None:
        from backbench.serving import run as serve_until_signal

        serve_until_signal(host, port, workers)

    return CommandOutput(shape, words, then=run)


def _url(host: str, port: int) -> str:
    """Where this machine reaches it."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - it is recognized, not listened on
    return f"http://{f'[{here}]' if ':' in here else here}:{port}"


def _address(host: str, port: int, *, demo: bool) -> str:
    """The numeric address to listen on. Raises Failure if it is not this machine's, or the port is in use."""
    try:
        family, kind, _, _, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        _try_port(family, kind, found)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a host name"
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            reason = f"{reason}{_other_port(family, kind, found, demo=demo)}"
        raise Failure(f"cannot listen on {host} port {port}: {reason}") from None
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
            return f"; try --port {other}" + (f", or make run PORT={other}" if demo else "")
    return ""


def migrate() -> CommandOutput:
    """Bring the database's schema up to date."""
    applied = in_database(lambda db: db.migrate(), migrates=False)
    return CommandOutput(
        {"applied": applied}, f"{applied} migrations applied" if applied else "The schema is up to date"
    )


def version() -> CommandOutput:
    """Print the version."""
    return CommandOutput({"version": __version__}, __version__)
