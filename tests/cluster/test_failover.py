"""Failover of PostgreSQL under several nodes: nothing that was acknowledged is lost, and no node is restarted."""

import asyncio
import random
import time

import pytest

from tests.support.cluster.shop import Shop, running_shop
from tests.support.figures import report


async def fail_over(shop: Shop, *, by_rewinding: bool = True) -> None:
    """Kills the primary under load and promotes the standby; the old primary becomes the new standby."""
    async with shop.load.at_work():
        await shop.load.acknowledgments(20)
        await asyncio.sleep(random.uniform(0.0, 0.2))
        # In half of the rounds commits are waiting for the standby, which never gets them.
        killed = await shop.lose_the_primary(replication_stops=random.choice((0.0, random.uniform(0.0, 0.3))))
        await asyncio.to_thread(shop.database.promote)
        promoted = time.monotonic()
        await shop.load.acknowledgments(20)
        shop.note_outage(killed, promoted)
        await asyncio.to_thread(shop.database.rebuild, by_rewinding=by_rewinding)
        await shop.load.acknowledgments(20)
    await shop.check()


async def test_a_failover_loses_no_acknowledged_write() -> None:
    async with running_shop(nodes=2, has_proxy=False) as shop:
        nodes = shop.node_ids
        await fail_over(shop)
        assert shop.node_ids == nodes


@pytest.mark.prove
async def test_thirty_failovers_lose_no_acknowledged_write() -> None:
    async with running_shop() as shop:
        nodes = shop.node_ids
        for round_ in range(30):
            await fail_over(shop, by_rewinding=round_ % 3 != 2)
        assert shop.node_ids == nodes
        report(f"primary killed, standby promoted: {shop.outages}")
        assert max(shop.outages.recoveries) < 10, shop.outages


@pytest.mark.prove
async def test_failovers_without_synchronous_replication_lose_acknowledged_writes() -> None:
    """Shows that the tests above would find a loss."""
    async with running_shop(is_synchronous=False) as shop:
        for _ in range(10):
            shop.load = shop.new_load()
            async with shop.load.at_work():
                await shop.load.acknowledgments(20)
                await shop.lose_the_primary(replication_stops=random.choice((0.0, random.uniform(0.0, 0.3))))
            await asyncio.to_thread(shop.database.promote)
            lost = await shop.lost()
            shop.outages.rounds += 1
            shop.outages.lost += len(lost)
            shop.outages.acknowledged += len(shop.load.journal.acknowledged)
            await asyncio.to_thread(shop.database.rebuild)
        report(f"the same with asynchronous replication: {shop.outages}")
        assert shop.outages.lost > 0


@pytest.mark.prove
async def test_a_killed_node_loses_no_acknowledged_write_and_is_noticed_at_once() -> None:
    async with running_shop() as shop:
        for round_ in range(15):
            node = shop.nodes[round_ % len(shop.nodes)]
            async with shop.load.at_work():
                await shop.load.acknowledgments(30)
                killed = time.monotonic()
                await asyncio.to_thread(node.kill)
                await asyncio.sleep(2)
                await shop.load.acknowledgments(30)
                shop.note_outage(killed)
                await asyncio.to_thread(node.start)
                await shop.load.acknowledgments(30)
            await shop.check()
        report(f"node killed behind HAProxy: {shop.outages}")
        assert max(shop.outages.errors) < 1, shop.outages
