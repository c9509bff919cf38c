"""Failover of PostgreSQL under several nodes: nothing that was acknowledged is lost, and no node is restarted."""

import asyncio
import random

from tests.support.cluster.consistency import check_rules, lost_writes
from tests.support.cluster.load import Load
from tests.support.cluster.nodes import running_nodes
from tests.support.cluster.replication import replicated_database
from tests.support.cluster.workplaces import opened_workplaces


async def test_a_failover_loses_no_acknowledged_write() -> None:
    with replicated_database() as database:
        url = database.new_database("shop")
        workplaces = await opened_workplaces(url, 2)
        with running_nodes(url, 2) as nodes:
            load = Load(workplaces, lambda: random.choice(nodes).url, writers=6)
            async with load.at_work():
                await load.acknowledgments(40)
                await asyncio.to_thread(database.primary.kill)
                await asyncio.to_thread(database.promote)
                await load.acknowledgments(40)
            assert await load.check_replays() > 0
            check_rules(database.primary, "shop")
            assert lost_writes(load.journal, database.primary, "shop") == []
            assert load.journal.failures
