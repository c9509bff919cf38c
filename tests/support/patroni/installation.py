"""Three nodes under load on PostgreSQL under Patroni, behind HAProxy."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.support.cluster.haproxy import running_haproxy
from tests.support.cluster.load import Workplace
from tests.support.cluster.loaded_nodes import DATABASE, STOP_DELAY, LoadedNodes
from tests.support.cluster.nodes import Node, running_nodes
from tests.support.cluster.workplaces import opened_workplaces
from tests.support.patroni.cluster import PatroniCluster, database_proxy, patroni_cluster
from tests.support.patroni.machines import Machine

# As in the guide: through HAProxy on the machine of the node, or by the names of all servers.
# Without TLS: the driver leaves an error behind where a connection is lost while it asks for it.
BEHIND_HAPROXY = f"postgresql://backbench:secret@127.0.0.1:5000/{DATABASE}?sslmode=disable"
ALL_SERVERS = f"postgresql://backbench:secret@10.0.0.21,10.0.0.22,10.0.0.23/{DATABASE}?sslmode=disable"


class Installation(LoadedNodes):
    def __init__(self, database: PatroniCluster, nodes: list[Node], workplaces: list[Workplace], proxy: str) -> None:
        self.database = database
        super().__init__(lambda: database.primary, nodes, workplaces, proxy, writers=4)


@contextlib.asynccontextmanager
async def running_installation(
    url: str, prepare: Callable[[Machine], Mapping[str, str]] | None = None, **settings: Any
) -> AsyncIterator[Installation]:
    """`prepare`: as for `patroni_cluster`. `settings` of the nodes, by their variables."""
    loop = asyncio.get_running_loop()
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(patroni_cluster(prepare or (lambda _: {})))
        # Threads that exist already are not in the office's namespace, and the new ones are only there.
        loop.set_default_executor(ThreadPoolExecutor(8))
        stack.callback(lambda: loop.set_default_executor(ThreadPoolExecutor(8)))
        stack.enter_context(database_proxy())
        cluster.create_database(DATABASE)
        workplaces = await opened_workplaces(url, 3)
        nodes = stack.enter_context(
            running_nodes(url, 3, BACKBENCH_TRUSTED_PROXIES="127.0.0.1", BACKBENCH_STOP_DELAY=STOP_DELAY, **settings)
        )
        proxy = stack.enter_context(running_haproxy([node.port for node in nodes]))
        yield Installation(cluster, nodes, workplaces, proxy)
