"""File permissions of the SQLite database."""

import stat
import sys
from pathlib import Path

import pytest

from tests.support.databases import running_app


@pytest.mark.skipif(sys.platform == "win32", reason="the permissions of POSIX")
async def test_only_the_service_may_read_its_database(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = open_folder(tmp_path_factory)
    async with running_app(f"sqlite:///{folder}/app.db") as app:
        await app.owner("Anna")
        assert modes_in(folder) == {"app.db": 0o600, "app.db-wal": 0o600, "app.db-shm": 0o600}


def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all users may read."""
    folder = tmp_path_factory.mktemp("everybodys")
    folder.chmod(0o755)
    return folder


def modes_in(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
