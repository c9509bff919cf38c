"""Failover of PostgreSQL under several nodes: nothing that was acknowledged is lost, and no node is restarted."""

import asyncio
import random
import time

import pytest

from tests.support.cluster.figures import report
from tests.support.cluster.installation import Installation, running_installation
from tests.support.cluster.replication import ReplicatedDatabase


async def fail_over(installation: Installation, *, by_rewinding: bool = True) -> None:
    """Kills the primary under load and promotes the standby; the old primary becomes the new standby."""
    async with installation.load.at_work():
        await installation.load.acknowledgments(20)
        await asyncio.sleep(random.uniform(0.0, 0.2))
        # In half of the rounds commits are waiting for the standby, which never gets them.
        killed = await installation.lose_the_primary(replication_stops=random.choice((0.0, random.uniform(0.0, 0.3))))
        await asyncio.to_thread(installation.database.promote)
        promoted = time.monotonic()
        await installation.load.acknowledgments(20)
        installation.note_outage(killed, promoted)
        await asyncio.to_thread(installation.database.rebuild, by_rewinding=by_rewinding)
        await installation.load.acknowledgments(20)
    await installation.check()


async def test_a_failover_loses_no_acknowledged_write(replicated: ReplicatedDatabase) -> None:
    # Two clients already overlap, and do not take the processor from the servers for the whole time.
    async with running_installation(nodes=2, has_proxy=False, database=replicated, writers=2) as installation:
        nodes = installation.node_ids
        await fail_over(installation)
        assert installation.node_ids == nodes


@pytest.mark.prove
async def test_thirty_failovers_lose_no_acknowledged_write() -> None:
    async with running_installation() as installation:
        nodes = installation.node_ids
        for round_ in range(30):
            await fail_over(installation, by_rewinding=round_ % 3 != 2)
        assert installation.node_ids == nodes
        report(f"primary killed, standby promoted: {installation.outages}")
        assert max(installation.outages.recoveries) < 10, installation.outages


@pytest.mark.prove
async def test_failovers_without_synchronous_replication_lose_acknowledged_writes() -> None:
    """Shows that the tests above would find a loss."""
    async with running_installation(is_synchronous=False) as installation:
        for _ in range(10):
            installation.load = installation.new_load()
            async with installation.load.at_work():
                await installation.load.acknowledgments(20)
                await installation.lose_the_primary(replication_stops=random.choice((0.0, random.uniform(0.0, 0.3))))
            await asyncio.to_thread(installation.database.promote)
            lost = await installation.lost()
            installation.outages.rounds += 1
            installation.outages.lost += len(lost)
            installation.outages.acknowledged += len(installation.load.journal.acknowledged)
            await asyncio.to_thread(installation.database.rebuild)
        report(f"the same with asynchronous replication: {installation.outages}")
        assert installation.outages.lost > 0


@pytest.mark.prove
async def test_a_killed_node_loses_no_acknowledged_write_and_is_noticed_at_once() -> None:
    async with running_installation() as installation:
        for round_ in range(15):
            node = installation.nodes[round_ % len(installation.nodes)]
            async with installation.load.at_work():
                await installation.load.acknowledgments(30)
                killed = time.monotonic()
                await asyncio.to_thread(node.kill)
                await asyncio.sleep(2)
                await installation.load.acknowledgments(30)
                installation.note_outage(killed)
                await asyncio.to_thread(node.start)
                await installation.load.acknowledgments(30)
            await installation.check()
        report(f"node killed behind HAProxy: {installation.outages}")
        assert max(installation.outages.errors) < 1, installation.outages
