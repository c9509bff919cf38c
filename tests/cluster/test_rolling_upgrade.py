"""Rolling upgrade: all nodes are replaced one after the other, by a release with a newer schema, and nobody notices."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from tests.support.cluster.followers import AppLoads, Follower
from tests.support.cluster.installation import Installation, running_installation
from tests.support.figures import report

# HAProxy asks every second, and believes a node the second time.
_STOP_DELAY = "5"
_SECONDS_UNTIL_UP = 4.0
_ROOT = Path(__file__).parents[2]
_NEXT_RELEASE = {
    "module": "tests.support.cluster.next_release",
    "PYTHONPATH": os.pathsep.join([str(_ROOT), os.environ.get("PYTHONPATH", "")]),
}


async def replace_each_node(installation: Installation) -> list[float]:
    """Stops each node and starts it with the next release. Returns how long each was away, in seconds."""
    away: list[float] = []
    for node in installation.nodes:
        began = time.monotonic()
        assert await asyncio.to_thread(node.stop) == 0
        node.settings |= _NEXT_RELEASE
        await asyncio.to_thread(node.start)
        away.append(time.monotonic() - began)
        await asyncio.sleep(_SECONDS_UNTIL_UP)
        await installation.load.acknowledgments(20)
    return away


@pytest.mark.prove
async def test_a_rolling_upgrade_under_load_is_not_noticed_by_clients() -> None:
    rounds = int(os.environ.get("ROLLING_ROUNDS", "3"))
    for _ in range(rounds):
        async with running_installation(BACKBENCH_STOP_DELAY=_STOP_DELAY) as installation:
            follower = Follower(installation.proxy, installation.workplaces[0])
            app = AppLoads(installation.proxy)
            tasks = [asyncio.create_task(follower.follow()), asyncio.create_task(app.load())]
            async with installation.load.at_work():
                await installation.load.acknowledgments(50)
                away = await replace_each_node(installation)
                await installation.load.acknowledgments(50)
            last = int(installation.database.primary.run(version_of(installation), "office"))
            await follower.until(last)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            failures = [(failure.what, failure.sent.method) for failure in installation.load.journal.failures]
            report(
                f"rolling upgrade of three nodes behind HAProxy: {len(installation.load.journal.acknowledged)} "
                f"acknowledged writes, {len(failures)} failed requests, longest request "
                f"{installation.load.journal.longest_seconds:.2f} s; {len(follower.versions)} events in "
                f"{follower.streams} streams; {app.reloads} pages of the app loaded again; "
                f"a node away {max(away):.1f} s at most"
            )
            assert failures == []
            assert (follower.failures, app.missing) == ([], [])
            assert len(app.versions) == 2
            assert follower.versions == list(range(follower.versions[0], last + 1))
            await installation.check()


def version_of(installation: Installation) -> str:
    workshop = installation.workplaces[0].workshop
    return f"SELECT version FROM workshop_counters WHERE workshop_id = '{workshop}'"
