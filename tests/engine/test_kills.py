"""kill -9 under load: every acknowledged write is found afterwards, and nothing is half-written."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.support.cluster.http_load import Workshop
from tests.support.cluster.postgres_cluster import Cluster
from tests.support.databases import new_file, running_app
from tests.support.server import running_server, session_headers


async def opened_workshop(url: str) -> Workshop:
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        await app.put_on_pro(anna.workshop)
        estimate = await anna.estimate()
    return Workshop(session_headers(anna), anna.workshop, estimate["id"])


async def kill_the_service(url: str, kills: int, workers: int = 1) -> None:
    workshop = await opened_workshop(url)
    for _ in range(kills):
        with running_server(url, workers=workers) as running:
            await workshop.check(running.url)
            async with workshop.at_work(running.url):
                await workshop.answers(20)
                await asyncio.sleep(random.uniform(0.0, 0.1))
                running.kill()
    with running_server(url, workers=workers) as running:
        await workshop.check(running.url)
    report(f"{url.partition(':')[0]}, {workers} workers, service killed", kills, workshop)


async def kill_the_database(cluster: Cluster, url: str, kills: int) -> None:
    """The server keeps running and reconnects to the database."""
    workshop = await opened_workshop(url)
    with running_server(url) as running:
        async with workshop.at_work(running.url):
            for _ in range(kills):
                await workshop.answers(20)
                await asyncio.sleep(random.uniform(0.0, 0.1))
                # In a thread, so that the clients work on during the outage.
                await asyncio.to_thread(cluster.kill)
                await asyncio.to_thread(cluster.start)
            await workshop.answers(20)
        await workshop.check(running.url)
    report("postgresql killed", kills, workshop)


def report(what: str, kills: int, workshop: Workshop) -> None:
    """Prints the figures for benchmarks/PROOFS.md."""
    print(f"{what}: {kills} kills, {workshop.journal.answers} acknowledged writes, none lost")  # noqa: T201


# That of one worker is killed by the tests of replays, too.
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.all_only), 2])
async def test_a_killed_server_loses_no_acknowledged_write_on_sqlite(tmp_path: Path, workers: int) -> None:
    await kill_the_service(new_file(tmp_path), kills=1, workers=workers)


# The database is not killed here: the tests of replays kill a service on PostgreSQL, too.
@pytest.mark.all_only
async def test_a_killed_server_loses_no_acknowledged_write_on_postgresql(breakable: Cluster) -> None:
    await kill_the_service(breakable.new_database("service_killed"), kills=1)


async def test_a_killed_postgresql_loses_no_acknowledged_write(breakable: Cluster) -> None:
    await kill_the_database(breakable, breakable.new_database("database_killed"), kills=1)


@pytest.mark.prove
@pytest.mark.parametrize("workers", [1, 2])
async def test_a_server_killed_a_hundred_times_loses_nothing_on_sqlite(tmp_path: Path, workers: int) -> None:
    await kill_the_service(new_file(tmp_path), kills=100, workers=workers)


@pytest.mark.prove
async def test_a_server_killed_a_hundred_times_loses_nothing_on_postgresql(breakable: Cluster) -> None:
    await kill_the_service(breakable.new_database("service_killed_often"), kills=100)


@pytest.mark.prove
async def test_a_postgresql_killed_a_hundred_times_loses_nothing(breakable: Cluster) -> None:
    await kill_the_database(breakable, breakable.new_database("database_killed_often"), kills=100)
