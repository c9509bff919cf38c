"""Rolling upgrade: each node is replaced by a release with a newer schema, and no request fails."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.support.cluster import haproxy
from tests.support.cluster.figures import report
from tests.support.cluster.followers import AppLoads, Follower
from tests.support.cluster.installation import Installation, running_installation
from tests.support.cluster.loaded_nodes import STOP_DELAY

# What makes HAProxy send a request to another node.
_REPEATS = re.compile(r"^    (retries|retry-on|option redispatch|http-request disable-l7-retry).*\n", re.MULTILINE)


@pytest.mark.prove
async def test_a_rolling_upgrade_under_load_is_not_noticed_by_clients() -> None:
    async with running_installation(BACKBENCH_STOP_DELAY=STOP_DELAY) as installation:
        app = AppLoads(installation.proxy)
        loading = asyncio.create_task(app.load())
        await upgrade_under_load(installation, "HAProxy")
        loading.cancel()
        await asyncio.wait([loading])
        report(f"the app meanwhile: {app.reloads} pages loaded again, {len(app.missing)} files missing after that")
        assert (len(app.versions), app.missing) == (2, [])


@pytest.mark.prove
async def test_nodes_leave_a_load_balancer_that_repeats_no_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the delay alone, as behind a balancer of connections: nothing is sent to a node that closes its socket."""
    file = tmp_path / "haproxy.cfg"
    file.write_text(
        _REPEATS.sub("", haproxy.CONFIGURATION.read_text()).replace("defaults\n", "defaults\n    retries 0\n")
    )
    monkeypatch.setattr(haproxy, "CONFIGURATION", file)
    async with running_installation(BACKBENCH_STOP_DELAY=STOP_DELAY) as installation:
        await upgrade_under_load(installation, "HAProxy without repeats")


async def upgrade_under_load(installation: Installation, proxy: str) -> None:
    """Replaces each node under load. No request fails, nothing is lost, and no event is missed."""
    follower = Follower(installation.proxy, installation.workplaces[0])
    following = asyncio.create_task(follower.follow())
    journal = installation.load.journal
    async with installation.load.at_work():
        await installation.load.acknowledgments(50)
        away = await installation.replace_each_node()
        await installation.load.acknowledgments(50)
    last = int(installation.database.primary.run(version_of(installation), "office"))
    await follower.until(last)
    following.cancel()
    await asyncio.wait([following])
    report(
        f"rolling upgrade of three nodes behind {proxy}: {len(journal.acknowledged)} acknowledged writes, "
        f"{len(journal.failures)} failed requests, longest request {journal.longest_seconds:.2f} s; "
        f"{len(follower.versions)} events in {follower.streams} streams; a node away {max(away):.1f} s at most"
    )
    assert [(failure.what, failure.sent.method) for failure in journal.failures] == []
    assert follower.failures == []
    assert follower.versions == list(range(follower.versions[0], last + 1))
    await installation.check()


def version_of(installation: Installation) -> str:
    workshop = installation.workplaces[0].workshop
    return f"SELECT version FROM workshop_counters WHERE workshop_id = '{workshop}'"
