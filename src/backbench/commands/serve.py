"""`backbench serve`, `backbench migrate` and `backbench version`."""

from typing import Annotated

import typer

from backbench import __version__
from backbench.commands import server
from backbench.commands.database import changed, with_database
from backbench.commands.output import CommandOutput
from backbench.revision import commit, repository


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on; else BACKBENCH_HOST.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=server.MAX_PORT, help="The port to listen on; else BACKBENCH_PORT.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=server.MAX_WORKERS, help="The number of worker processes.")] = 1,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a demo workshop from ./data-demo and print its credentials.")
    ] = False,
) -> CommandOutput:
    """Run the server until a signal; finishes the requests in progress first."""
    return server.serve(host, port, workers, demo=demo)


def migrate() -> CommandOutput:
    """Migrate the database to the newest schema."""
    applied = with_database(lambda db: db.migrate(), may_create=True, migrate=False)
    text = f"{applied} migrations applied" if applied else "The schema is up to date"
    return CommandOutput({"applied": applied}, changed(text))


def version() -> CommandOutput:
    """Print the version, the commit that it was built from, and where its source is."""
    built_from, source = commit(), repository()
    text = __version__ if built_from is None else f"{__version__} (commit {built_from})"
    text += "" if source is None else f"\n{source}"
    return CommandOutput({"version": __version__, "commit": built_from, "repository": source}, text)
