"""`backbench serve`, `backbench migrate` and `backbench version`."""

import socket
from typing import Annotated, Any

import typer

from backbench import __version__
from backbench.commands.database import settings, with_database
from backbench.commands.output import CommandError, CommandOutput


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="The number of worker processes.")] = 1,
    demo: Annotated[bool, typer.Option("--demo", help="Set up a demo workshop and print its credentials.")] = False,
) -> CommandOutput:
    """Run the server until a signal; finishes the requests in progress first."""
    # Loaded before the fork: the workers share this memory.
    from backbench.app import require_complete_settings

    settings(require_complete_settings)
    host = _address(host, port)
    url = _url(host, port)
    with_database(lambda db: db.migrate(), migrate=False)
    json_output: dict[str, Any] = {"address": url}
    text = f"Backbench serves {url} (Ctrl-C stops it)"
    if demo:
        from backbench.commands.demo import set_up

        demo_json, demo_text = set_up(url)
        json_output |= demo_json
        text = f"{demo_text}\n{text}"

    def run() -> None:
        from backbench.serving import run as serve_until_signal

        serve_until_signal(host, port, workers)

    return CommandOutput(json_output, text, then=run)


def _url(host: str, port: int) -> str:
    """The URL at which this machine reaches the server."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not listened on
    return f"http://{f'[{here}]' if ':' in here else here}:{port}"


def _address(host: str, port: int) -> str:
    """The numeric address to listen on. Raises CommandError if it is not this machine's, or the port is in use."""
    try:
        family, kind, _, _, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as trial:
            # The server sets this too: a port that it left a moment ago is free.
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(found)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a host name"
        raise CommandError(f"cannot listen on {host} port {port}: {reason}") from None
    return str(found[0])


def migrate() -> CommandOutput:
    """Migrate the database to the newest schema."""
    applied = with_database(lambda db: db.migrate(), migrate=False)
    return CommandOutput(
        {"applied": applied}, f"{applied} migrations applied" if applied else "The schema is up to date"
    )


def version() -> CommandOutput:
    """Print the version."""
    return CommandOutput({"version": __version__}, __version__)
