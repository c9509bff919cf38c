"""Running the service."""

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
    host = _address(host, port)
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


def _address(host: str, port: int) -> str:
    """The numeric address to listen on; Failure when it is not this machine's, or is taken."""
    try:
        family, kind, _, _, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as trial:
            # As the server does it, so that a port it left a moment ago is not taken for another's.
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(found)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a host name"
        raise Failure(f"cannot listen on {host} port {port}: {reason}") from None
    return str(found[0])


def migrate() -> CommandOutput:
    """Bring the database's schema up to date."""
    applied = in_database(lambda db: db.migrate(), migrates=False)
    return CommandOutput(
        {"applied": applied}, f"{applied} migrations applied" if applied else "The schema is up to date"
    )


def version() -> CommandOutput:
    """Print the version."""
    return CommandOutput({"version": __version__}, __version__)
