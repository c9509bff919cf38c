"""Versions of a workshop: 1 to n, in the order of commits, also if writers are killed."""

import asyncio
import subprocess
import sys
from collections.abc import Callable

import pytest

from backbench.engine.database import Database
from backbench.engine.urls import open_database
from backbench.values.errors import Unavailable
from backbench.workshops import audit
from tests.support.cluster.postgres_cluster import Cluster
from tests.support.databases import running_app

pytestmark = pytest.mark.both_engines

# More than a writer makes before the test ends it.
ENDLESS = 1_000_000


class Writer:
    """A process that changes the workshop, and what it was acknowledged: versions by the ids of entries."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.acknowledged: dict[str, int] = {}
        self._process = process
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, url: str, workshop: str, count: int) -> "Writer":
        command = (sys.executable, "-m", "tests.engine.changing_process", url, workshop, str(count))
        return cls(await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE))

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            # The last line of a killed process may be cut off.
            if line.endswith(b"\n"):
                id_, version = line.split()
                self.acknowledged[id_.decode()] = int(version)

    async def ended(self) -> None:
        await self._reading
        assert await self._process.wait() == 0

    async def kill(self) -> None:
        self._process.kill()
        await self._reading
        await self._process.wait()


class Log:
    """The log as one reader sees it. A version that appears later than a higher one is an error."""

    def __init__(self, db: Database, workshop: str) -> None:
        self.ids: list[str] = []
        self._db = db
        self._workshop = workshop

    async def read(self) -> None:
        try:
            async with self._db.read() as read:
                entries = await audit.list_after(read, self._workshop, len(self.ids), 500)
        except Unavailable:
            return
        first = len(self.ids) + 1
        assert [entry.version for entry in entries] == list(range(first, first + len(entries)))
        self.ids += [entry.id for entry in entries]

    async def read_until(self, version: int) -> None:
        async with asyncio.timeout(600):
            while len(self.ids) < version:
                await self.read()
                await asyncio.sleep(0.001)

    async def read_until_acknowledged(self, *writers: Writer) -> None:
        """Until each has an acknowledged change: on SQLite one may have to wait long for another."""
        async with asyncio.timeout(600):
            while not all(writer.acknowledged for writer in writers):
                await self.read()
                await asyncio.sleep(0.001)

    async def require(self, *writers: Writer) -> None:
        """Every acknowledged change is in the log, once, under the version that its writer was given."""
        # A writer can have made more than one page since it was read last.
        before = -1
        while len(self.ids) > before:
            before = len(self.ids)
            await self.read()
        assert len(set(self.ids)) == len(self.ids)
        found = {id_: version for version, id_ in enumerate(self.ids, 1)}
        for writer in writers:
            assert writer.acknowledged
            assert writer.acknowledged.items() <= found.items()


async def new_workshop(url: str) -> str:
    async with running_app(url) as app:
        return (await app.owner("Anna")).workshop


async def kill_writers(url: str, changes: int, kills: int) -> None:
    workshop, db = await new_workshop(url), open_database(url)
    log = Log(db, workshop)
    remaining = await Writer.start(url, workshop, ENDLESS)
    writers = [remaining]
    for _ in range(kills):
        killed = await Writer.start(url, workshop, ENDLESS)
        writers.append(killed)
        await log.read_until_acknowledged(killed)
        await log.read_until(len(log.ids) + changes // kills)
        await killed.kill()
    await log.read_until_acknowledged(remaining)
    await remaining.kill()
    await log.require(*writers)
    await db.close()


async def kill_postgres(cluster: Cluster, url: str, changes: int, kills: int) -> None:
    workshop, db = await new_workshop(url), open_database(url)
    log = Log(db, workshop)
    writers = [await Writer.start(url, workshop, ENDLESS) for _ in range(2)]
    for _ in range(kills):
        await log.read_until(len(log.ids) + changes // kills)
        await asyncio.to_thread(cluster.kill)
        await asyncio.to_thread(cluster.start)
    await log.read_until(len(log.ids) + 20)
    await log.read_until_acknowledged(*writers)
    for writer in writers:
        await writer.kill()
    await log.require(*writers)
    await db.close()


async def test_versions_have_no_gaps_when_writers_are_killed(new_database_url: Callable[[], str]) -> None:
    await kill_writers(new_database_url(), changes=100, kills=1)


async def test_versions_have_no_gaps_when_postgresql_is_killed(breakable: Cluster) -> None:
    await kill_postgres(breakable, breakable.new_database("versions"), changes=50, kills=1)


@pytest.mark.prove
async def test_ten_thousand_versions_have_no_gaps_when_writers_are_killed(new_database_url: Callable[[], str]) -> None:
    await kill_writers(new_database_url(), changes=10_000, kills=20)


@pytest.mark.prove
async def test_ten_thousand_versions_have_no_gaps_when_postgresql_is_killed(breakable: Cluster) -> None:
    await kill_postgres(breakable, breakable.new_database("versions_often"), changes=10_000, kills=20)
