"""A primary that hangs with its connections open: requests end at their deadlines, and nothing acknowledged is lost."""

import asyncio
import time

import httpx
import pytest

from tests.support.cluster.figures import report
from tests.support.cluster.installation import Installation, running_installation

# A statement has 30 seconds, and a request may wait for a connection before it. HAProxy waits for 60 seconds.
_LONGEST_REQUEST = 60.0


async def health(installation: Installation) -> set[tuple[int, int]]:
    """The statuses of /healthz and /readyz of all nodes."""
    async with httpx.AsyncClient(timeout=_LONGEST_REQUEST, verify=False, trust_env=False) as client:
        return {
            (
                (await client.get(f"{node.url}/healthz")).status_code,
                (await client.get(f"{node.url}/readyz")).status_code,
            )
            for node in installation.nodes
        }


def longest_failure(installation: Installation) -> float:
    return max(failure.seconds for failure in installation.load.journal.failures)


@pytest.mark.prove
async def test_requests_end_while_the_primary_hangs_and_succeed_when_it_continues() -> None:
    async with running_installation() as installation:
        for seconds in (2.0, 10.0, 40.0):
            async with installation.load.at_work():
                await installation.load.acknowledgments(20)
                began = time.monotonic()
                await asyncio.to_thread(installation.database.primary.suspend)
                await asyncio.sleep(seconds)
                if seconds > 30:
                    assert await health(installation) == {(200, 503)}
                await asyncio.to_thread(installation.database.primary.resume)
                resumed = time.monotonic()
                await installation.load.acknowledgments(20)
                installation.note_outage(began, resumed)
            await installation.check()
        longest = longest_failure(installation)
        report(f"primary stopped for 2, 10 and 40 s: {installation.outages}; longest request {longest:.1f} s")
        assert longest < _LONGEST_REQUEST
        # No node is ready, and HAProxy lets them say so.
        assert not [failure for failure in installation.load.journal.failures if "proxy" in failure.what]


@pytest.mark.prove
async def test_a_standby_promoted_while_the_primary_hangs_loses_nothing_when_the_old_one_continues() -> None:
    # Enough to hold all ten connections of each node, so that none is left to look for the new primary.
    async with running_installation(writers=40) as installation:
        for _ in range(5):
            async with installation.load.at_work():
                await installation.load.acknowledgments(20)
                began = time.monotonic()
                await asyncio.to_thread(installation.database.primary.suspend)
                await asyncio.sleep(1)
                await asyncio.to_thread(installation.database.promote)
                promoted = time.monotonic()
                await installation.load.acknowledgments(20)
                # It continues as a primary whose standby is gone, and with the connections that the nodes had.
                await asyncio.to_thread(installation.database.standby.resume)
                await installation.load.acknowledgments(50)
                installation.note_outage(began, promoted)
                await asyncio.to_thread(installation.database.standby.kill)
                await asyncio.to_thread(installation.database.rebuild)
                await installation.load.acknowledgments(20)
            await installation.check()
        report(f"primary stopped, standby promoted, old primary continued: {installation.outages}")
        assert longest_failure(installation) < _LONGEST_REQUEST
