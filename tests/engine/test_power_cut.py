"""Writes that SQLite has acknowledged survive a power cut.

kill -9 cannot show this: what a killed process has written is still in the system's memory and reaches the disk.
"""

import asyncio
import os
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct

from backbench.engine.database import Write
from backbench.engine.sqlite import SQLite
from tests.engine.power_loss_vfs import PowerLossDisk

WRITERS = 8
# Long enough that the log is moved into the database several times between two cuts.
LONG = "x" * 12_000


class Cut(Struct):
    """The disk at one moment, and how much had been acknowledged by then."""

    acknowledged: int
    files: dict[str, bytes]


class Outage(Struct):
    """The results of all cuts."""

    writes: int = 0
    cuts: int = 0
    cuts_that_lost: int = 0
    lost: int = 0


async def add(db: Write, name: str, writer: int, number: int) -> None:
    """Two rows that belong together, and a long one that is written repeatedly."""
    await db.run("INSERT INTO orders_kept (name) VALUES (:name)", name=name)
    await db.run("INSERT INTO history_kept (name) VALUES (:name)", name=name)
    words = LONG[: number * 977 % len(LONG)]
    await db.run("UPDATE desks SET number = number + 1, words = :words WHERE id = :id", id=writer, words=words)


async def write_and_cut(
    db: SQLite, disk: PowerLossDisk, chance: Random, cuts: int, run: str
) -> tuple[list[str], list[Cut]]:
    """Runs eight concurrent writers until there are enough cuts, each between two steps of the disk."""
    acknowledged: list[str] = []
    taken: list[Cut] = []
    # In turn: everything unsynced is lost, half of it, hardly anything.
    shares = (0.0, 0.5, 0.95)

    def cut_now_and_then() -> None:
        if len(taken) < cuts and chance.random() < 0.001:
            count = len(acknowledged)
            taken.append(Cut(count, disk.after_cut(chance, shares[len(taken) % 3])))

    async def write_on(writer: int) -> None:
        number = 0
        while len(taken) < cuts:
            name = f"{run}-{writer}-{number}"
            await db.write(partial(add, name=name, writer=writer, number=number))
            acknowledged.append(name)
            number += 1

    disk.at_each_step = cut_now_and_then
    await asyncio.gather(*(write_on(writer) for writer in range(WRITERS)))
    disk.at_each_step = lambda: None
    return acknowledged, taken


async def names_after(folder: Path, cut: Cut) -> set[str]:
    """Opens the files that the outage left, and checks that they are consistent."""
    for name, content in cut.files.items():
        (folder / name).write_bytes(content)
    db = SQLite(folder / "app.db")
    async with db.snapshot() as read:
        assert await read.value("PRAGMA integrity_check") == "ok"
        orders = set(await read.all(str, "SELECT name FROM orders_kept"))
        assert orders == set(await read.all(str, "SELECT name FROM history_kept"))
        assert await read.value("SELECT sum(number) FROM desks") == len(orders)
    await db.close()
    return orders


async def outages(folder: Path, synchronous: str, rounds: int, cuts: int) -> Outage:
    """Each round continues with the database that the last outage of the round before left."""
    shown = Outage()
    chance = Random(f"{synchronous} {rounds}")
    before: set[str] = set()
    place = folder / "0"
    place.mkdir()
    await set_up(place)
    for round_ in range(rounds):
        disk = PowerLossDisk(f"disk-{synchronous}-{round_}", place)
        db = SQLite(place / "app.db", synchronous=synchronous, vfs=disk.name)
        acknowledged, taken = await write_and_cut(db, disk, chance, cuts, str(round_))
        await db.close()
        disk.unregister()
        for number, cut in enumerate(taken):
            place = folder / f"{round_ + 1}-{number}"
            place.mkdir()
            found = await names_after(place, cut)
            promised = before | set(acknowledged[: cut.acknowledged])
            shown.cuts += 1
            shown.lost += len(promised - found)
            shown.cuts_that_lost += bool(promised - found)
        shown.writes += len(acknowledged)
        before = found
    return shown


async def set_up(folder: Path) -> None:
    async def make_tables(db: Write) -> None:
        await db.run("CREATE TABLE orders_kept (name TEXT PRIMARY KEY)")
        await db.run("CREATE TABLE history_kept (name TEXT PRIMARY KEY)")
        await db.run("CREATE TABLE desks (id BIGINT PRIMARY KEY, number BIGINT NOT NULL, words TEXT NOT NULL)")
        for writer in range(WRITERS):
            await db.run("INSERT INTO desks (id, number, words) VALUES (:id, 0, '')", id=writer)

    db = SQLite(folder / "app.db")
    await db.write(make_tables)
    await db.close()


async def test_a_power_cut_loses_no_acknowledged_write(tmp_path: Path) -> None:
    shown = await outages(tmp_path, "FULL", rounds=2, cuts=12)
    assert shown.cuts == 24
    assert shown.writes > 1000
    assert shown.lost == 0, shown


async def test_full_syncs_are_the_default(tmp_path: Path) -> None:
    db = SQLite(tmp_path / "app.db")
    full = 2
    assert await db.write(lambda handle: handle.value("PRAGMA synchronous")) == full
    assert await db.write(lambda handle: handle.value("PRAGMA fullfsync")) == 1
    assert await db.write(lambda handle: handle.value("PRAGMA journal_mode")) == "wal"
    await db.close()


def test_new_folders_are_synced_before_a_write_is_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    asyncio.run(set_up(tmp_path / "data" / "shop"))
    assert synced == [tmp_path.stat().st_ino, (tmp_path / "data").stat().st_ino]


async def test_the_same_cuts_lose_acknowledged_writes_without_full_syncs(tmp_path: Path) -> None:
    shown = await outages(tmp_path, "NORMAL", rounds=2, cuts=3)
    assert shown.lost > 0, shown


@pytest.mark.prove
@pytest.mark.parametrize("synchronous", ["FULL", "NORMAL"])
async def test_hundreds_of_power_cuts_lose_acknowledged_writes_only_without_full_syncs(
    tmp_path: Path, synchronous: str
) -> None:
    # Each cut of `NORMAL` loses something; the many are for `FULL`.
    rounds = {"FULL": 20, "NORMAL": 4}[synchronous]
    shown = await outages(tmp_path, synchronous, rounds=rounds, cuts=25)
    print(synchronous, shown)  # noqa: T201 - the figure that benchmarks/PROOFS.md reports
    assert shown.cuts == 25 * rounds
    assert (shown.lost == 0) == (synchronous == "FULL"), shown
