"""The application's end."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from backbench.app import Backbench
from backbench.settings import load
from tests.support.databases import new_file
from tests.support.violations import violations

MODEL = {"BACKBENCH_AI_PROVIDER": "openai", "BACKBENCH_AI_MODEL": "m", "BACKBENCH_AI_KEY": "k"}


async def test_every_part_is_stopped_though_another_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is closed last: a model that could not be loaded left it and the file store open."""
    backbench = Backbench(load({"BACKBENCH_DATABASE_URL": new_file(tmp_path), **MODEL}, tmp_path / "none"))
    ways = {name: way for name, part in vars(backbench).items() for way in ("stop", "close") if hasattr(part, way)}
    stopped: list[str] = []
    failing = ""

    async def end(name: str) -> None:
        stopped.append(name)
        if name == failing:
            raise OSError(name)

    def end_at_once(name: str) -> None:
        stopped.append(name)
        if name == failing:
            raise OSError(name)

    for name, way in ways.items():
        part: Any = getattr(backbench, name)
        monkeypatch.setattr(part, way, partial(end_at_once if name == "passwords" else end, name))
    with violations() as case:
        for failing in ways:
            stopped.clear()
            with case(failing):
                with pytest.raises(OSError, match=failing):
                    await backbench.stop()
                assert sorted(stopped) == sorted(ways)
                assert stopped[-1] == "db"
