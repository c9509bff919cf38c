"""`backbench serve`, `backbench migrate` and `backbench version`."""

import contextlib
import errno
import socket
from typing import Annotated, Any

import typer

from backbench import __version__
from backbench.commands.configuration import of_demo, settings
from backbench.commands.database import changed, with_database
from backbench.commands.output import CommandError, CommandOutput
from backbench.commands.waiting import migrate_when_reachable
from backbench.settings import local_url


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on; else BACKBENCH_HOST.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="The port to listen on; else BACKBENCH_PORT.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="The number of worker processes.")] = 1,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a demo workshop from ./data-demo and print its credentials.")
    ] = False,
) -> CommandOutput:
    """Run the server until a signal; finishes the requests in progress first."""
    # Loaded before the fork: the workers share this memory.
    from backbench.app import require_complete_settings

    configured = settings(require_complete_settings, host=host, port=port)
    if demo:
        configured = of_demo(configured)
    address = _address(configured.host, configured.port, demo=demo)
    url = local_url(address, configured.port)
    migrate_when_reachable(configured)
    json_output: dict[str, Any] = {"address": url}
    text = f"Backbench serves {url} (Ctrl-C stops it)"
    if demo:
        from backbench.commands.demo import set_up

        demo_json, demo_text = set_up(url, configured)
        json_output |= demo_json
        text = f"{demo_text}\n{text}"

    def run() -> None:
        from backbench.serving import run as serve_until_signal

        serve_until_signal(configured, address, workers)

    return CommandOutput(json_output, text, then=run)


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


def migrate() -> CommandOutput:
    """Migrate the database to the newest schema."""
    applied = with_database(lambda db: db.migrate(), may_create=True, migrate=False)
    text = f"{applied} migrations applied" if applied else "The schema is up to date"
    return CommandOutput({"applied": applied}, changed(text))


def version() -> CommandOutput:
    """Print the version."""
    return CommandOutput({"version": __version__}, __version__)
