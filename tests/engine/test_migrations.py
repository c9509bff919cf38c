"""Migrations: applied in order and once, whichever node starts first."""

import asyncio
import json
import os
import re
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import pytest

from backbench.engine import migrations, sqlite, sqlite_files
from backbench.engine.database import Database, Write
from backbench.engine.migrations import Migration, NewerSchema
from backbench.engine.postgres import cluster
from backbench.engine.postgres import migrations as postgres_migrations
from backbench.engine.postgres.database import Postgres
from backbench.engine.urls import open_database, sqlite_path
from backbench.values.errors import DatabaseUnavailable, Unavailable
from tests.support.command_line import CommandLine
from tests.support.databases import new_database

pytestmark = pytest.mark.both_engines

NODES = 3


async def backbench(url: str, *arguments: str) -> tuple[int, str, str]:
    """Runs the command line on that database: exit status, standard output, standard error."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BACKBENCH_")}
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "backbench", *arguments),
            cwd=folder,
            env=kept | {"BACKBENCH_DATABASE_URL": url},
            stdout=PIPE,
            stderr=PIPE,
        )
        output, complaints = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), complaints.decode()


@pytest.fixture
def command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], CommandLine]:
    """The command line on a database, in this process. A test with an event loop runs it in a thread."""
    return lambda url: CommandLine(url, tmp_path, monkeypatch, capsys)


async def tables(db: Database) -> list[str]:
    names = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
        "postgres": "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
    }
    async with db.snapshot() as read:
        return await read.all(str, names[db.engine])


def with_another(monkeypatch: pytest.MonkeyPatch, engine: str, sql: str) -> int:
    """Adds a migration to those of this version. Returns its number."""
    known = migrations.known(engine)
    number = known[-1].number + 1
    monkeypatch.setattr(migrations, "known", lambda _: (*known, Migration(number, "another", sql)))
    return number


async def test_nodes_that_start_together_apply_each_migration_once(
    empty_database_url: Callable[[], str],
) -> None:
    url = empty_database_url()
    nodes = [open_database(url) for _ in range(NODES)]
    applied = await asyncio.gather(*(node.migrate() for node in nodes))
    assert sum(applied) == len(migrations.known(nodes[0].engine))
    for node in nodes:
        assert await node.migrate() == 0
        await node.close()


# The same once more. Processes start at different times, so that fewer of them meet.
@pytest.mark.all_only
async def test_processes_that_start_together_apply_each_migration_once(
    empty_database_url: Callable[[], str],
) -> None:
    url = empty_database_url()
    runs = await asyncio.gather(*(backbench(url, "migrate", "--json") for _ in range(NODES)))
    assert [(status, complaints) for status, _, complaints in runs] == [(0, "")] * NODES
    db = open_database(url)
    assert sum(json.loads(output)["applied"] for _, output, _ in runs) == len(migrations.known(db.engine))
    assert await db.migrate() == 0
    await db.close()


async def test_concurrent_opens_of_a_new_file_migrate_it_once(tmp_path: Path) -> None:
    for number in range(12):
        nodes = [sqlite.SQLite(tmp_path / f"{number}.db") for _ in range(8)]
        applied = await asyncio.gather(*(node.migrate() for node in nodes))
        assert sum(applied) == len(migrations.known("sqlite"))
        for node in nodes:
            await node.close()


@pytest.mark.parametrize("command", ["serve", "migrate"])
async def test_a_newer_schema_is_rejected_with_one_line(
    new_database_url: Callable[[], str], command_line: Callable[[str], CommandLine], command: str
) -> None:
    url = new_database_url()
    db = open_database(url)
    await db.migrate()
    await db.write(lambda handle: handle.run("INSERT INTO migrations (number, name) VALUES (9999, 'later')"))
    before = await tables(db)
    ended = await asyncio.to_thread(command_line(url).run, command)
    latest = migrations.known(db.engine)[-1].number
    assert ended.status == 1
    supported = f"this version of Backbench supports up to {latest}"
    assert ended.err == f"backbench: the database is at migration 9999, {supported}\n"
    with pytest.raises(NewerSchema):
        await db.migrate()
    assert await tables(db) == before
    await db.close()


async def test_a_version_starts_on_a_newer_schema_that_it_can_use(
    new_database_url: Callable[[], str],
    command_line: Callable[[str], CommandLine],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = new_database_url()
    db = open_database(url)
    with monkeypatch.context() as newer:
        latest = migrations.known(db.engine)[-1].number
        with_another(newer, db.engine, f"-- Usable from {latest}.\nCREATE TABLE shelves (name TEXT PRIMARY KEY);")
        await db.migrate()
    assert await db.migrate() == 0
    await db.ready()
    doctor = await asyncio.to_thread(command_line(url).run, "doctor", "--json")
    findings = {finding["part"]: finding for finding in doctor.json["findings"]}
    assert (findings["schema"]["state"], findings["outbox"]["state"]) == ("note", "ok")
    await db.close()


async def test_a_node_is_not_ready_once_another_has_made_the_schema_too_new(
    new_database_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = open_database(new_database_url())
    await db.migrate()
    await db.ready()
    latest = migrations.known(db.engine)[-1].number
    with monkeypatch.context() as newer:
        with_another(newer, db.engine, f"-- Usable from {latest + 1}.\nDROP TABLE line_uses;")
        await db.migrate()
    with pytest.raises(DatabaseUnavailable, match="too new"):
        await db.ready()
    with pytest.raises(NewerSchema):
        await db.migrate()
    await db.close()


async def test_a_database_of_an_earlier_version_gets_the_column_for_usable_versions(
    new_database_url: Callable[[], str],
) -> None:
    db = open_database(new_database_url())
    await db.write(lambda handle: handle.run("ALTER TABLE migrations DROP COLUMN usable_from"))
    assert await db.migrate() == 0
    await db.ready()
    await db.close()


# What a statement of an earlier version may meet: nothing but more tables, columns that it need not know, and indexes.
# A new table may be filled, and triggers and indexes may go: no statement names them.
_ADDITION = re.compile(
    r"CREATE (TABLE|INDEX|TEMPORARY TABLE) [^;]+"
    r"|CREATE FUNCTION [^;]+"
    # Of a trigger, only what it does says whether the statements of an earlier version still work: a test of its own.
    r"|CREATE (OR REPLACE )?(CONSTRAINT )?TRIGGER [^;]+"
    r"|INSERT INTO document_numbers [^;]+"
    r"|DROP TRIGGER \w+( ON \w+)?|DROP INDEX \w+"
    r"|ALTER TABLE \w+ ADD COLUMN \w+ \w+( COLLATE \S+)?(( NOT NULL)? DEFAULT [^,;]+)?"
)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_migration_that_earlier_versions_can_use_only_adds(engine: str) -> None:
    for migration in migrations.known(engine):
        if migration.usable_from is not None:
            assert not_additions(migration.sql) == [], migration.name


@pytest.mark.parametrize(
    ("sql", "is_addition"),
    [
        ("CREATE TABLE a (b TEXT PRIMARY KEY); CREATE INDEX a_b ON a (b);", True),
        ("ALTER TABLE orders ADD COLUMN colour TEXT NOT NULL DEFAULT '';", True),
        ("ALTER TABLE orders ADD COLUMN colour TEXT NOT NULL;", False),
        ("ALTER TABLE orders ADD COLUMN colour TEXT; ALTER TABLE orders DROP COLUMN notes;", False),
        ("CREATE UNIQUE INDEX orders_title ON orders (title);", False),
        ("UPDATE orders SET status = 'open';", False),
    ],
)
def test_changes_that_break_earlier_versions_are_recognized(sql: str, is_addition: bool) -> None:
    assert (not_additions(sql) == []) is is_addition


def not_additions(sql: str) -> list[str]:
    without_comments = re.sub(r"(?s)--[^\n]*|\$\$.*?\$\$", "", sql)
    without_bodies = re.sub(r"\bBEGIN\b.*?\bEND;", ";", without_comments, flags=re.DOTALL)
    statements = [" ".join(statement.split()) for statement in without_bodies.split(";")]
    # A table that the migration makes is its own.
    own = "|".join(re.findall(r"CREATE TABLE (\w+)", without_comments)) or "none"
    of_own = re.compile(
        rf"(INSERT INTO|DELETE FROM|ALTER TABLE|CREATE UNIQUE INDEX \w+ ON|WITH \w+ AS \( INSERT INTO) ({own})\b.*"
    )
    allowed = (_ADDITION, of_own)
    return [each for each in statements if each and not any(pattern.fullmatch(each) for pattern in allowed)]


async def test_a_migration_that_waits_for_a_table_lets_others_read_it(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_migrations, "_LOCK_WAIT", "50ms")
    monkeypatch.setattr(postgres_migrations, "_LOCK_PAUSE_SECONDS", 0.05)
    # Of this database alone: the table may have the same number in another database of the server.
    waiting = """
        SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE datname = current_database() AND NOT granted AND relation = 'orders'::regclass
        """
    url = new_database(postgres)
    db, reading, watching = Postgres(url), await asyncpg.connect(url), await asyncpg.connect(url)
    await db.migrate()
    async with reading.transaction():
        # As a long export does.
        await reading.fetchval("SELECT count(*) FROM orders")
        with_another(monkeypatch, "postgres", "ALTER TABLE orders ADD COLUMN colour TEXT")
        migrating = asyncio.create_task(db.migrate())
        async with asyncio.timeout(60):
            while not await watching.fetchval(waiting):
                assert not migrating.done()
            # A statement that begins while the migration waits.
            assert await watching.fetchval("SELECT count(*) FROM orders") == 0
        assert not migrating.done()
    assert await migrating == 1
    for connection in (reading, watching):
        await connection.close()
    await db.close()


async def test_a_failed_migration_is_rolled_back_and_can_be_retried(
    new_database_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = open_database(new_database_url())
    await db.migrate()
    before = await tables(db)
    with monkeypatch.context() as broken:
        with_another(broken, db.engine, "CREATE TABLE half (a TEXT); INSERT INTO nowhere VALUES (1);")
        with pytest.raises((apsw.SQLError, asyncpg.UndefinedTableError)):
            await db.migrate()
    assert await tables(db) == before
    number = with_another(monkeypatch, db.engine, "CREATE TABLE half (a TEXT); INSERT INTO half VALUES ('whole');")
    assert await db.migrate() == 1
    async with db.read() as read:
        assert await read.value("SELECT a FROM half") == "whole"
        assert await read.value("SELECT max(number) FROM migrations") == number
    await db.close()


async def test_no_lock_outlives_the_transactions_of_a_migration(postgres: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a pooler, the statements after a transaction may run on another connection than those before."""
    sent: list[str] = []
    execute = asyncpg.Connection.execute

    async def recorded(connection: Any, query: str, *arguments: Any, **options: Any) -> Any:
        if "advisory" in query:
            assert connection.is_in_transaction()
            sent.append(query)
        return await execute(connection, query, *arguments, **options)

    monkeypatch.setattr(asyncpg.Connection, "execute", recorded)
    db = open_database(new_database(postgres))
    await db.migrate()
    await db.close()
    assert set(sent) == {"SELECT pg_advisory_xact_lock($1)"}


async def test_a_database_that_ignores_advisory_locks_is_rejected(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = asyncpg.Connection.execute

    async def without_locks(connection: Any, query: str, *arguments: Any, **options: Any) -> Any:
        ignores = "pg_advisory_xact_lock" in query
        return "SELECT 1" if ignores else await execute(connection, query, *arguments, **options)

    # As CockroachDB did for years.
    monkeypatch.setattr(asyncpg.Connection, "execute", without_locks)
    db = open_database(new_database(postgres))
    with pytest.raises(DatabaseUnavailable, match="advisory locks do not exclude"):
        await db.migrate()
    assert await tables(db) == []
    await db.close()


async def test_a_migration_recorded_under_another_name_is_not_applied_again(
    new_database_url: Callable[[], str],
) -> None:
    db = open_database(new_database_url())
    await db.migrate()
    await db.write(lambda handle: handle.run("UPDATE migrations SET name = 'name of an earlier version'"))
    assert await db.migrate() == 0
    await db.close()


async def test_migrations_before_a_failed_one_remain_applied(
    empty_database_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = open_database(empty_database_url())
    number = with_another(monkeypatch, db.engine, "INSERT INTO nowhere VALUES (1)")
    with pytest.raises((apsw.SQLError, asyncpg.UndefinedTableError)):
        await db.migrate()
    async with db.read() as read:
        assert await read.value("SELECT max(number) FROM migrations") == number - 1
    await db.close()


async def test_a_node_waits_for_the_long_migration_of_another(
    empty_database_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits longer than an ordinary statement may wait for a lock."""
    monkeypatch.setattr(cluster, "_STATEMENT_SECONDS", 1.0)
    monkeypatch.setattr(sqlite_files, "LOCK_WAIT_MS", 1000)
    url = empty_database_url()
    migrating, ended = asyncio.Event(), asyncio.Event()
    other = asyncio.create_task(_take_the_lock(url, migrating, ended))
    await migrating.wait()
    db = open_database(url)
    waiting = asyncio.create_task(db.migrate())
    _, pending = await asyncio.wait([waiting], timeout=2.5)
    assert pending == {waiting}
    ended.set()
    await other
    assert await waiting == len(migrations.known(db.engine))
    await db.close()


async def _take_the_lock(url: str, held: asyncio.Event, ended: asyncio.Event) -> None:
    path = sqlite_path(url)
    if path is None:
        connection = await asyncpg.connect(url)
        await connection.execute("SELECT pg_advisory_lock($1)", postgres_migrations._LOCK)
        held.set()
        await ended.wait()
        await connection.close()
        return
    file = apsw.Connection(str(path))
    file.pragma("journal_mode", "wal")
    file.execute("BEGIN IMMEDIATE")
    held.set()
    await ended.wait()
    file.close()


async def test_a_database_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "app.db").write_bytes(b"Not a database, whoever put it there. " * 100)
    db = open_database(f"sqlite:///{tmp_path}/app.db")
    with pytest.raises(Unavailable):
        await db.migrate()
    await db.close()


async def test_audit_actions_of_earlier_versions_become_event_types(empty_database_url: Callable[[], str]) -> None:
    earlier = {
        "orders.change_status": "order.moved",
        "estimates.start_work": "order.created",
        "members.remove": "member.left",
        "unknown.action": "unknown.action",
    }
    db = open_database(empty_database_url())
    await db.migrate(9)
    for number, action in enumerate(earlier):
        await db.write(partial(add_audit_entry, entry_id=str(number), action=action))
    await db.migrate()
    async with db.read() as read:
        stored = await read.all(str, "SELECT action FROM audit_entries ORDER BY id")
    await db.close()
    assert stored == list(earlier.values())


async def test_earlier_audit_entries_get_versions_in_their_order(empty_database_url: Callable[[], str]) -> None:
    db = open_database(empty_database_url())
    await db.migrate(9)
    await db.write(partial(add_audit_entry, entry_id="b", action="order.moved", at="2"))
    await db.write(partial(add_audit_entry, entry_id="a", action="order.created", at="1"))
    await db.migrate()
    async with db.read() as read:
        stored = await read.all(str, "SELECT version || action || actor_kind FROM audit_entries ORDER BY version")
    await db.close()
    assert stored == ["1order.createdaccount", "2order.movedaccount"]


async def add_audit_entry(db: Write, entry_id: str, action: str, at: str = "t") -> None:
    await db.run(
        """
        INSERT INTO audit_entries (workshop_id, at, id, actor_uid, action, object_id)
        VALUES ('w', :at, :id, 'u', :action, 'o')
        """,
        at=at,
        id=entry_id,
        action=action,
    )


async def test_every_text_column_is_ordered_byte_by_byte(postgres: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a column of a table that a later migration adds, and one of a database from before."""
    db = Postgres(new_database(postgres))
    await db.migrate()
    await db.write(lambda write: write.run('ALTER TABLE orders ALTER COLUMN id TYPE text COLLATE "default"'))
    with_another(monkeypatch, "postgres", "CREATE TABLE shelves (name TEXT PRIMARY KEY)")
    await db.migrate()
    async with db.read() as read:
        other = await read.all(
            str,
            """
            SELECT c.attrelid::regclass || '.' || c.attname AS name
            FROM pg_attribute c JOIN pg_class t ON t.oid = c.attrelid
            WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace AND c.attcollation <> 0
                AND c.attnum > 0 AND c.attcollation <> 'pg_catalog."C"'::regcollation
            """,
        )
    await db.close()
    assert other == []


OLD_ORDER = """
    INSERT INTO orders (id, workshop_id, title, customer_name, notes, status, created_at, last_activity_at,
        status_history, title_folded, customer_folded)
    VALUES (:id, 'w', :id, '', '', 'todo', :at, :at, '[{"status":"todo","at":"x"}]', :id, '')
"""


OLD_WORKSHOP = """
    INSERT INTO workshops (id, name, tagline, logo, crafter_name, crafter_avatar_seed, background, title_font, plan,
        is_default, document_settings, created_at)
    VALUES ('w', 'W', '', '', '', '', 'paper', 'sans', 'free', 1, '{}', 't')
"""


async def add_old_order(db: Write, id_: str, at: str) -> None:
    """As the version before details does."""
    await db.run(OLD_ORDER, id=id_, at=at)


async def test_orders_of_the_version_before_have_numbers_in_the_order_of_creation(
    empty_database_url: Callable[[], str],
) -> None:
    """Before the migration, and after it: its nodes run beside newer ones."""
    db = open_database(empty_database_url())
    await db.migrate(23)
    await db.write(lambda handle: handle.run(OLD_WORKSHOP))
    for id_, at in (("b", "2026-01-02"), ("c", "2026-01-03"), ("a", "2026-01-01")):
        await db.write(partial(add_old_order, id_=id_, at=at))
    await db.migrate()
    for id_ in ("d", "e"):
        await db.write(partial(add_old_order, id_=id_, at="2026-02-01"))
    await db.write(lambda handle: handle.run("UPDATE orders SET status = 'done' WHERE id = 'a'"))
    await db.write(lambda handle: handle.run("DELETE FROM orders WHERE id = 'e'"))
    await db.write(partial(add_old_order, id_="f", at="2026-03-01"))
    async with db.read() as read:
        numbers = await read.all(str, "SELECT order_id || number FROM order_details ORDER BY number")
    await db.close()
    assert numbers == ["a1", "b2", "c3", "d4", "f6"]
