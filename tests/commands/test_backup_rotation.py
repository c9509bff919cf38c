"""`backbench backup --into DIR --keep-days N`, and `doctor --backups DIR`, which checks that the newest is recent."""

import contextlib
import fcntl
import math
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backbench.hosting.metrics import backup_age
from backbench.integrations.backup_folders import (
    backup_name,
    create_backup,
    delete_interrupted,
    expired,
    interrupted,
    is_recent,
    newest,
    time_of,
)
from backbench.values import times
from backbench.values.ids import new_id
from tests.support.command_line import CommandLine
from tests.support.providers import s3_server
from tests.support.violations import violations

NOW = "2026-11-22T03:00:04.123Z"
NAME = "2026-11-22T030004Z"


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    commands = CommandLine(f"sqlite:///{tmp_path}/office.db", tmp_path, monkeypatch, capsys)
    commands.run_json("migrate")
    return commands


def days_ago(days: float) -> str:
    return backup_name(times.later(times.now(), -days * 86_400))


def add_backup(parent: Path, name: str, *, is_complete: bool = True) -> None:
    (parent / name).mkdir(parents=True)
    if is_complete:
        (parent / name / "manifest.json").write_text("{}")


def findings(commands: CommandLine, *arguments: str) -> list[tuple[str, str]]:
    found = [each for each in commands.run("doctor", *arguments, "--json").json["findings"] if is_about(each)]
    return [(each["state"], each["says"]) for each in found]


def finding(commands: CommandLine, *arguments: str) -> tuple[str, str]:
    (found,) = findings(commands, *arguments)
    return found


def is_about(each: Any) -> bool:
    return bool(each["part"] == "backups")


def test_a_backup_is_named_by_its_time_and_read_back() -> None:
    assert backup_name(NOW) == "2026-11-22T030004Z"
    assert time_of("2026-11-22T030004Z") == "2026-11-22T03:00:04.000Z"
    assert time_of("before-upgrade") is None


def test_only_older_backups_expire_and_never_the_newest() -> None:
    kept = ["2026-11-08T030004Z", "2026-11-21T030004Z"]
    old = ["2026-10-01T030000Z", "2026-11-08T030003Z"]
    assert expired([*kept, "before-upgrade", ".2026-01-01T000000Z.partial-1", *old], NOW, 14) == old
    assert expired(old, NOW, 14) == old[:1]
    assert newest(["before-upgrade", *old]) == old[1]


def test_a_backup_into_a_folder_deletes_older_ones(office: CommandLine) -> None:
    folder = office.folder / "backups"
    for name in (days_ago(20), days_ago(3), "before-upgrade"):
        add_backup(folder, name)
    add_backup(folder, days_ago(30), is_complete=False)
    kept = {path.name for path in folder.iterdir()} - {days_ago(20)}
    made = office.run_json("backup", "--into", "backups", "--keep-days", "14")
    assert len(made["deleted"]) == 1
    assert {path.name for path in folder.iterdir()} == kept | {Path(made["folder"]).name}
    assert finding(office, "--backups", "backups")[0] == "ok"


def test_a_database_that_litestream_copies_is_backed_up_without_its_tables(office: CommandLine) -> None:
    with contextlib.closing(sqlite3.connect(office.folder / "office.db")) as db:
        db.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        db.execute("CREATE TABLE _litestream_lock (id INTEGER)")
        db.commit()
    made = office.run_json("backup", "one")
    assert not [path for path in (office.folder / "one" / "tables").iterdir() if "litestream" in path.name]
    office.set(DATABASE_URL=f"sqlite:///{office.folder}/other.db")
    assert office.run_json("restore", "one")["rows"] == made["rows"]


def test_a_failed_backup_deletes_nothing(office: CommandLine) -> None:
    folder = office.folder / "backups"
    add_backup(folder, days_ago(20))
    add_backup(folder, days_ago(19))
    office.set(DATABASE_URL=f"sqlite:///{office.folder}/missing.db")
    assert office.run("backup", "--into", "backups", "--keep-days", "14").status == 1
    assert len(list(folder.iterdir())) == 2


def lose_a_file(office: CommandLine) -> str:
    """A workshop of which a stored file is missing from the file store. Returns the file's id."""
    office.add_account("anna@example.com")
    workshop = office.run_json("workshops", "add", "--owner", "anna@example.com", "--name", "Oak")["workshopId"]
    file_id = new_id()
    with contextlib.closing(sqlite3.connect(office.folder / "office.db")) as db:
        values = (file_id, workshop, "application/pdf", 9, "anna", NOW, "oak bench.pdf")
        columns = "id, workshop_id, content_type, size_bytes, uploaded_by_uid, created_at, name, category"
        db.execute(f"INSERT INTO files ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, 'estimate_pdf')", values)
        db.commit()
    return file_id


def test_a_backup_without_a_lost_file_is_made_with_a_status_of_its_own_and_restored(office: CommandLine) -> None:
    file_id = lose_a_file(office)
    old = office.folder / "backups" / days_ago(20)
    add_backup(old.parent, old.name)
    made = office.run("backup", "--into", "backups", "--keep-days", "14", "--json")
    assert (made.status, made.err) == (3, "")
    assert made.json["lost"] == [{"id": file_id, "workshop": "Oak", "name": "oak bench.pdf"}]
    assert old.exists(), "it may have the file"
    assert "from this backup: oak bench.pdf of Oak\n" in office.run("backup", "one").out
    office.set(DATABASE_URL=f"sqlite:///{office.folder}/other.db")
    restored = office.run("restore", "one")
    assert restored.status == 0, restored
    assert "1 files are not in the backup" in restored.out
    assert office.run("backup", "two").status == 0


def test_doctor_names_lost_files_with_their_workshop(office: CommandLine) -> None:
    def findings() -> list[Any]:
        found = office.run("doctor", "--json").json["findings"]
        return [(each["state"], each["says"]) for each in found if each["part"] == "stored"]

    assert findings() == [("ok", "every file is in the file store")]
    file_id = lose_a_file(office)
    says = f"missing from the file store: oak bench.pdf of Oak ({file_id})"
    assert findings() == [("wrong", says)]
    (office.folder / "files" / file_id[-2:]).mkdir(parents=True)
    (office.folder / "files" / file_id[-2:] / file_id).write_bytes(b"%PDF-1.7\n")
    assert findings() == [("ok", "every file is in the file store")]


def test_doctor_says_that_stored_files_could_not_be_checked(office: CommandLine) -> None:
    """A check that says nothing looks like one that found nothing."""

    def stored() -> tuple[str, str]:
        found = office.run("doctor", "--json").json["findings"]
        (finding,) = [each for each in found if each["part"] == "stored"]
        return finding["state"], finding["says"]

    lose_a_file(office)
    with s3_server.running_s3_server(may_list=False) as port, s3_server.environment(port):
        office.set(FILES_URL=f"s3://{s3_server.BUCKET}/files")
        state, says = stored()
        assert (state, says.partition(":")[0]) == ("wrong", "could not be checked")
        assert "`backbench doctor` tries the file store" in office.run("backup", "one").err
    office.set(DATABASE_URL=f"sqlite:///{office.folder}/missing.db", FILES_URL=f"file://{office.folder}/files")
    state, says = stored()
    assert (state, says.partition(":")[0]) == ("note", "could not be checked")
    (office.folder / "missing.db").touch()
    assert stored() == ("note", "no file is stored: the database is new")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("missing/one",), "there is no folder {}/missing"),
        (("--into", "missing/backups"), "{}/missing/backups: no such"),
    ],
)
def test_a_backup_makes_no_folder_but_its_own(office: CommandLine, arguments: tuple[str, ...], says: str) -> None:
    result = office.run("backup", *arguments)
    assert (result.status, result.err.count("\n")) == (1, 1)
    assert says.format(office.folder) in result.err
    assert not (office.folder / "missing").exists()


@pytest.mark.parametrize("arguments", [(), ("one", "--into", "all"), ("one", "--keep-days", "3")])
def test_a_backup_has_one_place(office: CommandLine, arguments: tuple[str, ...]) -> None:
    result = office.run("backup", *arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert not (office.folder / "one").exists()


def test_doctor_reports_backups_that_have_stopped(office: CommandLine) -> None:
    folder = office.folder / "backups"
    assert finding(office, "--backups", "backups") == ("wrong", f"{folder} cannot be read: no such file or directory")
    add_backup(folder, days_ago(0), is_complete=False)
    assert finding(office, "--backups", "backups") == ("wrong", f"no complete backup in {folder}")
    add_backup(folder, days_ago(2))
    state, says = finding(office, "--backups", "backups")
    assert (state, says.endswith(": more than a day old")) == ("wrong", True)


# A backup that gets a signal while it copies files. SIGINT is ignored in a job that a shell without a terminal runs in
# the background, as these tests may be.
SIGNALLED = """
import asyncio, os, signal, sys
from backbench.cli import run
from backbench.hosting import backups

signal.signal(signal.SIGINT, signal.SIG_IGN if "background" in sys.argv else signal.default_int_handler)

async def copy(*_):
    os.kill(os.getpid(), int(sys.argv[1]))
    # Another thread may get it, and this one a moment later.
    await asyncio.sleep(60)

backups._copy_files = copy
sys.exit(run(["backup", "--into", "backups"]))
"""


def interrupt(with_signal: signal.Signals, *how: str) -> tuple[int, str]:
    command = [sys.executable, "-c", SIGNALLED, str(int(with_signal)), *how]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stderr


def test_an_interrupted_backup_leaves_nothing_with_all_data(office: CommandLine) -> None:
    folder = office.folder / "backups"
    with violations() as case:
        endings: list[tuple[signal.Signals, list[str]]] = [
            (signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGHUP, []), (signal.SIGTERM, ["background"])
        ]  # fmt: skip
        for ending, how in endings:
            with case(f"{ending.name} {how}"):
                assert interrupt(ending, *how) == (130, "")
                assert list(folder.iterdir()) == []
    assert interrupt(signal.SIGKILL)[0] == -signal.SIGKILL
    [left] = folder.iterdir()
    in_use, deleted = folder / f".{NAME}.partial-0123abcd", folder / f".{NAME}.deleted-0123abcd"
    others = [folder / f".{NAME}.partial", folder / "before.partial-0123abcd"]
    for path in (in_use, deleted, *others):
        path.mkdir()
    with locked(in_use):
        notes = [says for state, says in findings(office, "--backups", "backups") if state == "note"]
        assert notes == [f"interrupted backups in {folder}: {', '.join(sorted([left.name, deleted.name]))}"]
        made = office.run_json("backup", "--into", "backups")
        assert set(folder.iterdir()) == {in_use, *others, Path(made["folder"]).absolute()}


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """As a backup that is being made is by its process."""
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


def test_a_backup_is_locked_while_it_is_made(tmp_path: Path) -> None:
    with create_backup(tmp_path / NAME):
        assert interrupted(tmp_path) == []
        delete_interrupted(tmp_path)
        assert len(list(tmp_path.iterdir())) == 1


def test_a_backup_of_the_future_is_not_recent(office: CommandLine) -> None:
    """A clock that was wrong once: nothing that is made since would be the newest."""
    name = days_ago(-3000)
    add_backup(office.folder / "backups", name)
    assert backup_age(str(office.folder / "backups")) == math.inf
    state, says = finding(office, "--backups", "backups")
    assert (state, says) == ("wrong", f"the newest in {office.folder}/backups is {name}, in the future")
    assert is_recent(backup_name(NOW), times.later(NOW, -1)), "the clock was set back by a second"
