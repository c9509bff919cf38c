"""`serve` waits for a database server that does not respond yet."""

from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from backbench.commands import waiting
from backbench.commands.database import DatabaseUnreachable
from backbench.commands.output import CommandError
from backbench.settings import Settings


def outcomes(monkeypatch: pytest.MonkeyPatch, *errors: Exception | None) -> list[float]:
    """Lets the attempts end with these errors, without waiting; returns the list of waits."""
    waits: list[float] = []
    left = list(errors)

    def attempt(*_: Any, **__: Any) -> None:
        error = left.pop(0)
        if error is not None:
            raise error

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
