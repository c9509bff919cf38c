"""`serve` waits for a database server that does not respond yet."""

from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from backbench.commands import waiting
from backbench.commands.database import DatabaseUnreachable, with_database
from backbench.commands.output import CommandError
from backbench.engine import migrations
from backbench.settings import Settings


def outcomes(monkeypatch: pytest.MonkeyPatch, *errors: Exception | int | None) -> list[float]:
    """Lets the attempts end with these errors or numbers, without waiting; returns the list of waits."""
    waits: list[float] = []
    left = list(errors)

    def attempt(*_: Any, **__: Any) -> int | None:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(waiting, "with_database", attempt)
    monkeypatch.setattr(waiting, "set_up", lambda _: structlog.get_config())
    monkeypatch.setattr("backbench.commands.waiting.time.sleep", waits.append)
    return waits


def test_serve_waits_until_the_database_responds(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = DatabaseUnreachable("the database shop on db1 cannot be used now: connection refused")
    starting = DatabaseUnreachable("the database shop on db1 cannot be used now: the server is starting or stopping")
    waits = outcomes(monkeypatch, *[refused] * 30, starting, None)
    with capture_logs() as logged:
        waiting.migrate_when_reachable(Settings())
    # One line for each reason, however many attempts.
    assert [line["reason"] for line in logged] == [str(refused), str(starting)]
    assert len(waits) == 31
    assert max(waits) == 5


def test_serve_does_not_wait_for_what_waiting_does_not_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = outcomes(monkeypatch, CommandError("the server does not accept this user or password"))
    with pytest.raises(CommandError):
        waiting.migrate_when_reachable(Settings())
    assert waits == []


def test_serve_logs_the_migrations_of_a_database_that_existed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    configured = Settings(database_url=f"sqlite:///{tmp_path}/office.db")
    monkeypatch.setattr(waiting, "set_up", lambda _: structlog.get_config())
    third_last = migrations.known("sqlite")[-3].number
    with_database(lambda db: db.migrate(to=third_last), configured=configured, may_create=True, migrate=False)
    with capture_logs() as logged:
        waiting.migrate_when_reachable(configured)
        waiting.migrate_when_reachable(configured)
        waiting.migrate_when_reachable(Settings(database_url=f"sqlite:///{tmp_path}/new.db"))
    assert [(line["event"], line["migrations"]) for line in logged] == [("database migrated", 2)]
