"""Hosts of a PostgreSQL URL: which server is used, and which are refused. The servers are simulated."""

import asyncio
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from backbench.engine.postgres import hosts
from backbench.engine.postgres.hosts import Hosts, Identity
from backbench.values.errors import DatabaseUnavailable

PRIMARY, STANDBY = Identity(7, False, 1), Identity(7, True, 1)


class Connection:
    def __init__(self, host: str) -> None:
        self.host = host

    def terminate(self) -> None:
        pass


class Servers:
    """What responds at each host. `asked` has each connection attempt."""

    def __init__(self) -> None:
        self.at: dict[str, Identity | Exception] = {}
        self.asked: list[str] = []

    async def connect(self, url: str, **_: Any) -> Connection:
        host = url.partition("//")[2].partition("/")[0]
        self.asked.append(host)
        await asyncio.sleep(0)
        answer = self.at.get(host, ConnectionRefusedError())
        if isinstance(answer, Exception):
            raise answer
        return Connection(host)

    async def identity_of(self, connection: Connection, _: float) -> Identity:
        await asyncio.sleep(0)
        answer = self.at[connection.host]
        assert isinstance(answer, Identity)
        return answer


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    simulated = Servers()
    monkeypatch.setattr(asyncpg, "connect", simulated.connect)
    monkeypatch.setattr(hosts, "identity_of", simulated.identity_of)
    monkeypatch.setattr(hosts, "_ASK_AGAIN_SECONDS", 0.001)
    return simulated


def of(names: str) -> tuple[Hosts, list[str]]:
    newer: list[str] = []
    return Hosts(f"postgresql://{names}/shop", 1.0, lambda: newer.append("newer")), newer


async def test_all_hosts_are_asked_once_and_then_only_the_primary(servers: Servers) -> None:
    servers.at = {"a": STANDBY, "b": PRIMARY}
    known, _ = of("a,b")
    connections = await asyncio.gather(*(known.connect() for _ in range(5)))
    assert [connection.host for connection in connections] == ["b"] * 5
    assert sorted(servers.asked) == ["a"] + ["b"] * 6
    known.close()


async def test_of_two_primaries_the_one_of_the_higher_timeline_is_used(servers: Servers) -> None:
    servers.at = {"a": PRIMARY, "b": Identity(7, False, 2)}
    known, _ = of("a,b")
    assert (await known.connect()).host == "b"


async def test_a_standby_of_a_higher_timeline_is_evidence_against_a_primary(servers: Servers) -> None:
    servers.at = {"a": PRIMARY, "b": Identity(7, True, 2)}
    known, _ = of("a,b")
    with capture_logs() as logs, pytest.raises(DatabaseUnavailable, match="primary before a failover") as refused:
        await known.connect()
    assert refused.value.is_unreachable
    assert [(entry["event"], entry["host"]) for entry in logs] == [("old primary refused", "a")]


async def test_a_returned_primary_of_a_lower_timeline_is_refused_with_one_host_too(servers: Servers) -> None:
    known, newer = of("a")
    for timeline in (1, 2):
        servers.at = {"a": Identity(7, False, timeline)}
        await known.connect()
    assert newer == ["newer"]
    servers.at = {"a": PRIMARY}
    with pytest.raises(DatabaseUnavailable, match="its timeline is 1, and the newest is 2"):
        await known.connect()


async def test_after_a_lost_connection_a_restarted_primary_is_compared_with_the_others(servers: Servers) -> None:
    servers.at = {"a": PRIMARY, "b": STANDBY}
    known, newer = of("a,b")
    assert (await known.connect()).host == "a"
    servers.at["b"] = Identity(7, False, 2)
    known.ask_all_next()
    assert (await known.connect()).host == "b"
    assert newer == ["newer"]


async def test_a_silent_host_that_is_found_to_be_newer_is_used(servers: Servers) -> None:
    servers.at = {"a": PRIMARY}
    known, newer = of("a,b")
    assert (await known.connect()).host == "a"
    servers.at["b"] = Identity(7, False, 2)
    async with asyncio.timeout(60):
        while not newer:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert (await known.connect()).host == "b"
    known.close()


async def test_hosts_of_different_clusters_are_refused(servers: Servers) -> None:
    servers.at = {"a": PRIMARY, "b": Identity(8, False, 5)}
    known, _ = of("a,b")
    with pytest.raises(DatabaseUnavailable, match="different database clusters") as refused:
        await known.connect()
    assert not refused.value.is_unreachable


async def test_a_server_of_another_cluster_is_refused(servers: Servers) -> None:
    servers.at = {"a": PRIMARY}
    known, newer = of("a")
    await known.connect()
    servers.at = {"a": Identity(8, False, 5)}
    with pytest.raises(DatabaseUnavailable, match="another database cluster than before"):
        await known.connect()
    assert newer == []


async def test_servers_that_do_not_show_their_timeline_are_used(servers: Servers) -> None:
    servers.at = {"a": Identity(0, True, 0), "b": Identity(0, False, 0)}
    known, _ = of("a,b")
    assert (await known.connect()).host == "b"


async def test_a_survey_is_not_cancelled_with_one_of_those_who_wait_for_it(servers: Servers) -> None:
    servers.at = {"a": PRIMARY, "b": STANDBY}
    known, _ = of("a,b")
    first, second = (asyncio.create_task(known.connect()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).host == "a"
