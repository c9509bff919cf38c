"""Nodes under load, with a proxy before them or without it, and what their outages have shown."""

import asyncio
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from msgspec import Struct, field

from tests.support.cluster.consistency import Server, check_rules, lost_writes, revision_count
from tests.support.cluster.load import Load, Workplace
from tests.support.cluster.nodes import Node

DATABASE = "office"
# HAProxy asks a node every second, and believes it the second time.
_SECONDS_UNTIL_UP = 4.0
STOP_DELAY = "5"
_NEXT_RELEASE = {
    "module": "tests.support.cluster.next_release",
    "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]),
}


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
    # Answers to requests of an operator that were not carried out, and were repeated.
    repeated: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [f"{self.rounds} rounds, {self.acknowledged} acknowledged writes, {self.lost} lost"]
        for name in ("pauses", "recoveries", "errors"):
            times = getattr(self, name)
            if times:
                parts.append(f"{name} {median(times):.2f} s (median), {max(times):.2f} s (longest)")
        parts += [f"repeated after: {answer}" for answer in self.repeated]
        return "; ".join(parts)


class LoadedNodes:
    """`load` sends its requests to the proxy, or each to a node that it chooses by chance. `primary`: the server of the
    database that is the primary now."""

    def __init__(
        self, primary: Callable[[], Server], nodes: list[Node], workplaces: list[Workplace], proxy: str, writers: int
    ) -> None:
        self.nodes = nodes
        self.outages = Outages()
        self._primary = primary
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
        load.journal.confirmed = revision_count(self._primary(), DATABASE)
        return load

    async def check(self) -> None:
        """While the load rests: nothing acknowledged is missing, nothing was made twice, replays are as before."""
        assert await self.load.check_replays() > 0
        await asyncio.to_thread(lambda: check_rules(self._primary(), DATABASE))
        lost = await self.lost()
        assert lost == []
        self.outages.acknowledged = len(self.load.journal.acknowledged)

    async def lost(self) -> list[str]:
        return await asyncio.to_thread(lambda: lost_writes(self.load.journal, self._primary(), DATABASE))

    def note_outage(self, began: float, repaired: float | None = None) -> None:
        """After at least one write was acknowledged again."""
        journal = self.load.journal
        self.outages.rounds += 1
        self.outages.pauses.append(journal.longest_pause(began))
        self.outages.errors.append(max((failure.at - began for failure in journal.failed_since(began)), default=0.0))
        if repaired is not None:
            self.outages.recoveries.append(max(0.0, journal.first_after(repaired) - repaired))

    async def replace_each_node(self) -> list[float]:
        """Stops each node and starts it with the next release. Returns how long each was away, in seconds."""
        away: list[float] = []
        for node in self.nodes:
            began = time.monotonic()
            assert await asyncio.to_thread(node.stop) == 0
            node.settings |= _NEXT_RELEASE
            await asyncio.to_thread(node.start)
            away.append(time.monotonic() - began)
            await asyncio.sleep(_SECONDS_UNTIL_UP)
            await self.load.acknowledgments(20)
        return away
