"""A whole installation under load: nodes on a replicated database, behind HAProxy or without it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.support.cluster.haproxy import running_haproxy
from tests.support.cluster.load import Workplace
from tests.support.cluster.loaded_nodes import DATABASE, LoadedNodes
from tests.support.cluster.nodes import Node, running_nodes
from tests.support.cluster.replication import ReplicatedDatabase, replicated_database
from tests.support.cluster.workplaces import opened_workplaces


class Installation(LoadedNodes):
    def __init__(
        self, database: ReplicatedDatabase, nodes: list[Node], workplaces: list[Workplace], proxy: str, writers: int
    ) -> None:
        self.database = database
        super().__init__(lambda: self.database.primary, nodes, workplaces, proxy, writers)

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
        url = database.new_database(DATABASE)
        workplaces = await opened_workplaces(url, 3)
        running = stack.enter_context(running_nodes(url, nodes, BACKBENCH_TRUSTED_PROXIES="127.0.0.1", **settings))
        proxy = stack.enter_context(running_haproxy([node.port for node in running])) if has_proxy else ""
        yield Installation(database, running, workplaces, proxy, writers)
