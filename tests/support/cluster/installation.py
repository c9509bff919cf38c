"""A whole installation under load: nodes on a replicated database, behind HAProxy or without it."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct, field

from tests.support.cluster.consistency import check_rules, lost_writes, revision_count
from tests.support.cluster.haproxy import running_haproxy
from tests.support.cluster.load import Load, Workplace
from tests.support.cluster.nodes import Node, running_nodes
from tests.support.cluster.replication import ReplicatedDatabase, replicated_database
from tests.support.cluster.workplaces import opened_workplaces

_DATABASE = "office"


class Outages(Struct):
    """What a series of outages has shown, in seconds."""

    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    # Without any acknowledged write, from the last one before the outage to the first one after it.
    pauses: list[float] = field(default_factory=list)
    # From the repair (a promotion, a restart) to the first acknowledged write.
    recoveries: list[float] = field(default_factory=list)
    # From the outage to the last failed request.
    errors: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [f"{self.rounds} rounds, {self.acknowledged} acknowledged writes, {self.lost} lost"]
        for name in ("pauses", "recoveries", "errors"):
            times = getattr(self, name)
            if times:
                parts.append(f"{name} {median(times):.2f} s (median), {max(times):.2f} s (longest)")
        return "; ".join(parts)


class Installation:
    """`load` sends its requests to the proxy, or each to a node that it chooses by chance."""

    def __init__(
        self, database: ReplicatedDatabase, nodes: list[Node], workplaces: list[Workplace], proxy: str, writers: int
    ) -> None:
        self.database = database
        self.nodes = nodes
        self.outages = Outages()
        self._workplaces = workplaces
        self._proxy = proxy
        self._writers = writers
        self.load = self.new_load()

    @property
    def proxy(self) -> str:
        return self._proxy

    @property
    def workplaces(self) -> list[Workplace]:
        return self._workplaces

    @property
    def node_ids(self) -> list[int]:
        """The process ids of the nodes: they show that none was restarted."""
        return [node.server.process.pid for node in self.nodes if node.server is not None]

    def url(self) -> str:
        return self._proxy or random.choice([node.url for node in self.nodes if node.server is not None])

    def new_load(self) -> Load:
        """With a journal of its own, from what is in the database now."""
        load = Load(self._workplaces, self.url, self._writers)
        load.journal.confirmed = revision_count(self.database.primary, _DATABASE)
        return load

    async def check(self) -> None:
        """While the load rests: nothing acknowledged is missing, nothing was made twice, replays are as before."""
        assert await self.load.check_replays() > 0
        await asyncio.to_thread(check_rules, self.database.primary, _DATABASE)
        lost = await self.lost()
        assert lost == []
        self.outages.acknowledged = len(self.load.journal.acknowledged)

    async def lost(self) -> list[str]:
        return await asyncio.to_thread(lost_writes, self.load.journal, self.database.primary, _DATABASE)

    def note_outage(self, began: float, repaired: float | None = None) -> None:
        """After at least one write was acknowledged again."""
        journal = self.load.journal
        self.outages.rounds += 1
        self.outages.pauses.append(journal.longest_pause(began))
        self.outages.errors.append(max((failure.at - began for failure in journal.failed_since(began)), default=0.0))
        if repaired is not None:
            self.outages.recoveries.append(max(0.0, journal.first_after(repaired) - repaired))

    async def lose_the_primary(self, *, replication_stops: float = 0.0) -> float:
        """kill -9 on the primary, after its log has not been sent for that long. Returns the time of the kill."""
        if replication_stops:
            await asyncio.to_thread(self.database.primary.suspend_replication)
            await asyncio.sleep(replication_stops)
        await asyncio.to_thread(self.database.primary.kill)
        return time.monotonic()


@contextlib.asynccontextmanager
async def running_installation(
    nodes: int = 3,
    *,
    is_synchronous: bool = True,
    has_proxy: bool = True,
    disk: Path | None = None,
    database: ReplicatedDatabase | None = None,
    writers: int = 8,
    **settings: Any,
) -> AsyncIterator[Installation]:
    """`disk`: the folder in which the first primary is, instead of one for temporary files. `database`: servers that
    run already. `settings` of the nodes, by their variables."""
    with contextlib.ExitStack() as stack:
        if database is None:
            database = stack.enter_context(replicated_database(is_synchronous=is_synchronous, disk=disk))
        url = database.new_database(_DATABASE)
        workplaces = await opened_workplaces(url, 3)
        running = stack.enter_context(running_nodes(url, nodes, BACKBENCH_TRUSTED_PROXIES="127.0.0.1", **settings))
        proxy = stack.enter_context(running_haproxy([node.port for node in running])) if has_proxy else ""
        yield Installation(database, running, workplaces, proxy, writers)
