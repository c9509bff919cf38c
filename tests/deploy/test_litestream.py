"""Litestream restores an SQLite database that it has copied while a server wrote to it.

A long proof: it installs Litestream, which needs the network.
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.deploy.deploy_tools import deploy_tools
from tests.people import PASSWORD
from tests.support.command_line import CommandLine
from tests.support.server import Server, running_server

__all__ = ["deploy_tools"]

ROOT = Path(__file__).parents[2]
ROUNDS = 5
# Litestream copies once a second.
CATCH_UP_SECONDS = 5.0
SECOND = 1.0


@contextlib.contextmanager
def replicating(litestream: Path, database: Path, replica: Path) -> Iterator[None]:
    """Litestream with our configuration, except for paths; killed at the end."""
    text = (ROOT / "deploy" / "litestream" / "litestream.yml").read_text("utf-8")
    text = text.replace("/var/lib/backbench/data/backbench.db", str(database))
    text = text.replace("s3://backbench-replica/office", f"file://{replica}").replace(
        "      region: eu-central-1\n", ""
    )
    configuration = replica.with_suffix(".yml")
    configuration.write_text(text)
    with replica.with_suffix(".log").open("ab") as log:
        process = subprocess.Popen([litestream, "replicate", "-config", configuration], stdout=log, stderr=log)
        try:
            yield
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def restore(litestream: Path, replica: Path, target: Path, *options: str) -> None:
    command: list[str | Path] = [litestream, "restore", *options, "-o", target, f"file://{replica}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr + replica.with_suffix(".log").read_text()


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of Backbench, after a check of the whole file."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        own = [name for name in tables if not name.startswith(("_litestream", "sqlite_"))]
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in own}


def add_orders(server: Server, count: int) -> set[str]:
    """Returns the ids of the orders that the server acknowledged."""
    client = server.signed_in("anna@example.com")
    workshop = client.get("/workshops").json()["workshops"][0]["id"]
    sent = [client.post(f"/workshops/{workshop}/orders", json={"title": f"Chair {at}"}) for at in range(count)]
    return {response.raise_for_status().json()["id"] for response in sent}


@pytest.mark.prove
def test_a_restored_database_has_every_acknowledged_change(
    deploy_tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    litestream, replica, database = deploy_tools / "litestream", tmp_path / "replica", tmp_path / "backbench.db"
    url = f"sqlite:///{database}"
    commands = CommandLine(url, tmp_path, monkeypatch, capsys)
    commands.run_json("accounts", "add", "anna@example.com", "--name", "Anna", "--password", PASSWORD, "--create")
    acknowledged: set[str] = set()
    for number in range(ROUNDS):
        with (
            replicating(litestream, database, replica),
            running_server(url, workers=2, environment=os.environ) as server,
        ):
            acknowledged |= add_orders(server, 200)
            time.sleep(CATCH_UP_SECONDS)
            server.kill()
        restored = tmp_path / f"restored-{number}.db"
        restore(litestream, replica, restored)
        after = rows(restored)
        assert {value for order in after["orders"] for value in order} >= acknowledged
        assert after == rows(database)
    # The copy is a database that serves.
    with running_server(f"sqlite:///{restored}", environment=os.environ) as server:
        assert add_orders(server, 1)


@pytest.mark.prove
def test_a_database_restored_without_waiting_is_intact_and_only_lacks_the_end(
    deploy_tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    litestream, replica, database = deploy_tools / "litestream", tmp_path / "replica", tmp_path / "backbench.db"
    url = f"sqlite:///{database}"
    commands = CommandLine(url, tmp_path, monkeypatch, capsys)
    commands.run_json("accounts", "add", "anna@example.com", "--name", "Anna", "--password", PASSWORD, "--create")
    with replicating(litestream, database, replica), running_server(url, environment=os.environ) as server:
        add_orders(server, 200)
        time.sleep(CATCH_UP_SECONDS)
        add_orders(server, 200)
        # Both at once, as when the machine is lost.
        server.kill()
    restored = tmp_path / "restored.db"
    restore(litestream, replica, restored)
    kept, every = rows(restored)["orders"], rows(database)["orders"]
    assert 200 <= len(kept) <= 400
    # Ids are in the order of the changes.
    assert kept == every[: len(kept)]


@pytest.mark.prove
def test_a_deleted_order_is_there_again_as_of_a_second_before(
    deploy_tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    litestream, replica, database = deploy_tools / "litestream", tmp_path / "replica", tmp_path / "backbench.db"
    url = f"sqlite:///{database}"
    commands = CommandLine(url, tmp_path, monkeypatch, capsys)
    commands.run_json("accounts", "add", "anna@example.com", "--name", "Anna", "--password", PASSWORD, "--create")
    with replicating(litestream, database, replica), running_server(url, environment=os.environ) as server:
        added = add_orders(server, 20)
        time.sleep(3 * SECOND)
        before = datetime.now(UTC) - timedelta(seconds=SECOND)
        client = server.signed_in("anna@example.com")
        for order in added:
            assert client.delete(f"/orders/{order}").status_code == 204
        time.sleep(CATCH_UP_SECONDS)
        server.kill()
    restored = tmp_path / "restored.db"
    restore(litestream, replica, restored, "-timestamp", before.strftime("%Y-%m-%dT%H:%M:%SZ"))
    assert {value for order in rows(restored)["orders"] for value in order} >= added
    assert rows(database)["orders"] == []
