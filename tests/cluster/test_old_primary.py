"""An old primary that returns without being fenced: no node reads from it or writes to it."""

import asyncio

import pytest

from tests.support.cluster.figures import report
from tests.support.cluster.installation import Installation, running_installation
from tests.support.cluster.nodes import Node


def last_versions(installation: Installation) -> str:
    """Of the old primary, which is not the standby of anything."""
    return installation.database.standby.run(
        "SELECT string_agg(version::text, ' ' ORDER BY workshop_id) FROM workshop_counters", "office"
    )


async def bring_back_the_old_primary(installation: Installation) -> str:
    """As a primary that acknowledges by itself. Returns its versions."""
    old = installation.database.standby
    await asyncio.to_thread(old.start)
    await asyncio.to_thread(old.run, "ALTER SYSTEM SET synchronous_standby_names = ''")
    await asyncio.to_thread(old.run, "SELECT pg_reload_conf()")
    return last_versions(installation)


async def end_connections(installation: Installation) -> None:
    await asyncio.to_thread(
        installation.database.primary.run,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'office'",
    )


@pytest.mark.prove
async def test_an_old_primary_that_returns_is_refused() -> None:
    async with running_installation() as installation:
        for _ in range(6):
            async with installation.load.at_work():
                await installation.load.acknowledgments(20)
                await installation.lose_the_primary()
                await asyncio.to_thread(installation.database.promote)
                await installation.load.acknowledgments(20)
                versions = await bring_back_the_old_primary(installation)
                # New connections, while both would accept them.
                await end_connections(installation)
                await installation.load.acknowledgments(20)
                # Only the old one responds: requests fail.
                await asyncio.to_thread(installation.database.primary.stop)
                await asyncio.sleep(2)
                assert last_versions(installation) == versions
                await asyncio.to_thread(installation.database.primary.start)
                await installation.load.acknowledgments(20)
                # A node that starts sees both.
                node: Node = installation.nodes[0]
                await asyncio.to_thread(node.stop)
                await asyncio.to_thread(node.start)
                await installation.load.acknowledgments(20)
                assert last_versions(installation) == versions
                await asyncio.to_thread(installation.database.standby.stop)
                await asyncio.to_thread(installation.database.rebuild)
                await installation.load.acknowledgments(20)
            await installation.check()
            installation.outages.rounds += 1
        report(f"old primary returned: {installation.outages}")
