"""PgBouncer in transaction mode: each transaction may be on another connection to the server."""

import asyncio

import pytest

from backbench.engine.postgres.database import Postgres
from backbench.values.errors import DatabaseUnavailable
from tests.support.cluster.pgbouncer import PROGRAM, pgbouncer
from tests.support.cluster.postgres_cluster import Cluster
from tests.support.databases import running_app

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed, and PGBOUNCER names none"),
]


async def test_two_nodes_work_through_one_pooler(breakable: Cluster) -> None:
    breakable.new_database("pooled")
    async with (
        pgbouncer("127.0.0.1", breakable.port, "pooled") as url,
        running_app(url) as first,
        running_app(url) as second,
    ):
        anna = await first.owner("Anna")
        marek = await second.owner("Marek")
        for _ in range(3):
            made = await asyncio.gather(*(person.order() for person in (anna, marek) for _ in range(10)))
            read = await asyncio.gather(*(anna.get(f"/orders/{order['id']}") for order in made))
            assert sorted(answer.status_code for answer in read) == [200] * 10 + [403] * 10


async def test_a_pooler_that_loses_prepared_statements_is_refused_at_the_start(breakable: Cluster) -> None:
    breakable.new_database("forgetful")
    async with pgbouncer("127.0.0.1", breakable.port, "forgetful", max_prepared_statements="0") as url:
        db = Postgres(url)
        with pytest.raises(DatabaseUnavailable, match=r"PgBouncer needs version 1\.21 or newer"):
            await db.migrate()
        await db.close()


async def test_asynchronous_commit_behind_a_pooler_is_refused(breakable: Cluster) -> None:
    breakable.new_database("careless_pooled")
    breakable.run("ALTER DATABASE careless_pooled SET synchronous_commit = off")
    async with pgbouncer("127.0.0.1", breakable.port, "careless_pooled") as url:
        db = Postgres(url)
        with pytest.raises(DatabaseUnavailable, match="it has to be set on the server"):
            await db.ready()
        await db.close()
