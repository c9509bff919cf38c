"""The check of `backbench doctor` that a failover loses nothing."""

from typing import Any

import pytest
from msgspec import structs

from backbench.engine.postgres import handles
from backbench.engine.postgres.database import Postgres
from backbench.engine.postgres.handles import PostgresCatalog
from backbench.values.health_checks import HealthCheck
from tests.support.databases import new_database

SAFE = handles._Replication(False, 1, "*", "0")


class Answering:
    def __init__(self, row: Any) -> None:
        self.row = row

    async def one(self, *_: Any) -> Any:
        return self.row


@pytest.mark.parametrize(
    ("changed", "hosts", "expected"),
    [
        ({}, 2, "1 standbys"),
        ({"standbys": 0}, 2, "wrong"),
        ({"synchronous": ""}, 2, "a failover may lose"),
        ({"synchronous": ""}, 1, "1 standbys"),
        ({"time_out": "5s"}, 2, "it ends the wait of a commit"),
    ],
)
async def test_several_hosts_need_a_synchronous_standby(changed: dict[str, Any], hosts: int, expected: str) -> None:
    check = await PostgresCatalog(hosts)._replication(Answering(structs.replace(SAFE, **changed)))  # type: ignore[arg-type] # it has what is used
    assert check.is_ok == (expected == "1 standbys")
    assert expected in (check.detail if expected != "wrong" else "wrong")


async def test_the_server_of_one_host_passes_all_checks(postgres: Any) -> None:
    db = Postgres(new_database(postgres))
    async with db.read() as read:
        checks: list[HealthCheck] = await db.catalog.health(read)
    await db.close()
    assert [check.name for check in checks if not check.is_ok] == []
    assert [check.detail for check in checks if check.name in ("replication", "connections")] == [
        "primary with 0 standbys",
        "max_connections 400: enough for 22 workers of all nodes together, without other programs",
    ]
