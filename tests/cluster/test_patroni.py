"""Patroni under several nodes: no failure loses what was acknowledged, and no person is needed.

Three machines with etcd, Patroni and PostgreSQL, three nodes, HAProxy; with the files of deploy/patroni. It needs root,
and packages of Debian: it is skipped where they are missing.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import NamedTuple

import pytest

from tests.support.cluster.figures import report
from tests.support.cluster.loaded_nodes import Outages
from tests.support.patroni import operator
from tests.support.patroni.installation import ALL_SERVERS, BEHIND_HAPROXY, Installation, running_installation
from tests.support.patroni.machines import Machine

pytestmark = pytest.mark.prove

# In deploy/patroni/config.yml.
TTL_SECONDS = 10.0

Round = Callable[[Installation], Awaitable[None]]


# Rounds: each returns when the installation is as before, with the load going on.


async def kill_postgres(installation: Installation) -> None:
    await replace_primary(installation, installation.database.kill_postgres)


async def kill_machine(installation: Installation) -> None:
    database = installation.database
    lost = await replace_primary(installation, lambda machine: machine.kill())
    await asyncio.to_thread(database.start, lost)


async def hang_machine(installation: Installation) -> None:
    """It goes on as a primary with the connections that it had."""
    hanging = await replace_primary(installation, installation.database.hang)
    await asyncio.to_thread(installation.database.go_on, hanging)


async def pull_cable(installation: Installation) -> None:
    cut = await replace_primary(installation, lambda machine: machine.pull_cable())
    await asyncio.to_thread(cut.plug_cable)


async def replace_primary(installation: Installation, fail: Callable[[Machine], None]) -> Machine:
    """Waits until there is another primary that acknowledges changes. Returns the machine that was the primary."""
    database = installation.database
    lost = (await asyncio.to_thread(lambda: database.primary)).machine
    await asyncio.to_thread(fail, lost)
    await asyncio.to_thread(database.other_primary, lost)
    await installation.load.acknowledgments(20)
    return lost


async def cut_from_etcd(installation: Installation) -> None:
    """For longer than the lock of the primary lasts. It reaches the standbys, so it remains the primary."""
    database = installation.database
    cut = (await asyncio.to_thread(lambda: database.primary)).machine
    await asyncio.to_thread(database.block_etcd, cut)
    await asyncio.sleep(2 * TTL_SECONDS)
    await installation.load.acknowledgments(20)
    await asyncio.to_thread(database.unblock_etcd, cut)


async def restart_etcd(installation: Installation) -> None:
    """On one machine after the other."""
    database = installation.database
    for machine in database.machines:
        await asyncio.to_thread(database.stop_etcd, machine)
        await asyncio.to_thread(database.start_etcd, machine)
        await installation.load.acknowledgments(20)


async def stop_etcd(installation: Installation) -> None:
    """On all machines, for longer than the lock of the primary lasts."""
    database = installation.database
    for machine in database.machines:
        await asyncio.to_thread(database.stop_etcd, machine)
    await asyncio.sleep(2 * TTL_SECONDS)
    await installation.load.acknowledgments(20)
    for machine in database.machines:
        await asyncio.to_thread(database.start_etcd, machine)


async def switch_over(installation: Installation) -> None:
    installation.outages.repeated += await asyncio.to_thread(operator.switch_over, installation.database)


async def lose_primary_with_its_disk(installation: Installation) -> None:
    """An empty machine takes its place, and copies everything."""
    lost = await replace_primary(installation, lambda machine: machine.kill())
    await asyncio.to_thread(operator.replace, installation.database, lost)


async def kill_standby(installation: Installation) -> None:
    """The synchronous one. The other one takes its place."""
    database = installation.database
    lost = await asyncio.to_thread(lambda: database.synchronous_standby)
    await asyncio.to_thread(lost.kill)
    await installation.load.acknowledgments(20)
    await asyncio.sleep(TTL_SECONDS)
    await installation.load.acknowledgments(20)
    await asyncio.to_thread(database.start, lost)


async def hang_standby(installation: Installation) -> None:
    database = installation.database
    hanging = await asyncio.to_thread(lambda: database.synchronous_standby)
    await asyncio.to_thread(database.hang, hanging)
    await asyncio.sleep(TTL_SECONDS)
    await installation.load.acknowledgments(20)
    await asyncio.to_thread(database.go_on, hanging)


async def upgrade_nodes(installation: Installation) -> None:
    await installation.replace_each_node()


MACHINE_KILLED = "machine of the primary killed"
SWITCHOVER = "switchover"


class Kind(NamedTuple):
    name: str
    fail: Round
    times: int


KINDS = (
    Kind("PostgreSQL of the primary killed", kill_postgres, 4),
    Kind(MACHINE_KILLED, kill_machine, 6),
    Kind("machine of the primary hangs, then goes on", hang_machine, 4),
    Kind("cable of the primary pulled", pull_cable, 4),
    Kind("primary cut from etcd", cut_from_etcd, 4),
    Kind("etcd restarted on each machine", restart_etcd, 2),
    Kind("etcd stopped on all machines for 20 s", stop_etcd, 2),
    Kind(SWITCHOVER, switch_over, 6),
    Kind("machine of the synchronous standby killed", kill_standby, 3),
    Kind("machine of the synchronous standby hangs", hang_standby, 2),
    Kind("each node upgraded", upgrade_nodes, 1),
    Kind("machine of the primary replaced by an empty one", lose_primary_with_its_disk, 2),
)
FEWER = (Kind(MACHINE_KILLED, kill_machine, 4), Kind(SWITCHOVER, switch_over, 4))


async def run(installation: Installation, kind: Kind, outages: Outages) -> None:
    """One round, and a check of everything that was acknowledged since the first one."""
    installation.outages = outages
    acknowledged = outages.acknowledged - len(installation.load.journal.acknowledged)
    async with installation.load.at_work():
        await installation.load.acknowledgments(20)
        began = time.monotonic()
        await kind.fail(installation)
        await asyncio.to_thread(installation.database.until_complete)
        await installation.load.acknowledgments(20)
        installation.note_outage(began)
    await installation.check()
    outages.acknowledged += acknowledged


# The kinds in turn, so that each follows on several others. A part takes less than ten minutes, with an installation of
# its own.
@pytest.mark.parametrize(
    ("url", "kinds", "repetitions"),
    [
        pytest.param(BEHIND_HAPROXY, KINDS, [0], id="haproxy-1"),
        pytest.param(BEHIND_HAPROXY, KINDS, [1], id="haproxy-2"),
        pytest.param(BEHIND_HAPROXY, KINDS, [2], id="haproxy-3"),
        pytest.param(BEHIND_HAPROXY, KINDS, [3, 4, 5], id="haproxy-4"),
        pytest.param(ALL_SERVERS, FEWER, [0, 1, 2, 3], id="servers"),
    ],
)
async def test_no_acknowledged_write_is_lost_and_no_person_is_needed(
    url: str, kinds: tuple[Kind, ...], repetitions: list[int]
) -> None:
    rounds = [kind for number in repetitions for kind in kinds if number < kind.times]
    found = {kind.name: Outages() for kind in rounds}
    try:
        async with running_installation(url) as installation:
            for kind in rounds:
                await run(installation, kind, found[kind.name])
    finally:
        busy = " ".join(f"{each:.0f}" for each in os.getloadavg())
        for name, outages in found.items():
            report(f"Patroni: {name}: {outages}; each pause {[round(pause, 1) for pause in outages.pauses]}")
        report(f"Patroni: load of the machine at the end {busy}")
    assert sum(outages.rounds for outages in found.values()) == len(rounds)
    # Settings decide on it, and the load of the machine: a lock ends `ttl` seconds after it was renewed.
    assert median(found[MACHINE_KILLED].pauses) < 30, found
