"""`backbench serve`: soon ready, gone when told to, with every request under way answered."""

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from backbench.domain.values.times import now
from tests.people import PASSWORD, Person
from tests.support.engines import new_file, opened_shop
from tests.support.servers import Served, carried, served


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_file(tmp_path)


@pytest.fixture
def service(url: str) -> Iterator[Served]:
    with served(url, BACKBENCH_SIGN_IN_LIMIT="1000/900") as running:
        yield running


async def signed_in(database_url: str) -> tuple[Person, dict[str, str]]:
    """Somebody whose session the service knows, and the headers that carry it."""
    async with opened_shop(database_url) as shop:
        anna = await shop.owner("Anna")
    return anna, carried(anna)


@contextlib.asynccontextmanager
async def connection(service: Served) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def test_the_service_starts_with_little_processor_time(url: str) -> None:
    """Some 0.8 s; the bound leaves room for slower machines. `make bench` measures the time by the clock."""
    with served(url) as running:
        assert running.cpu_seconds() < 4.0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_service_with_status_0(service: Served, number: signal.Signals) -> None:
    assert service.stop(number) == 0, service.log
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{service.url}/healthz", trust_env=False, verify=False, timeout=60)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_whole_group_ends_the_service_with_status_0(url: str, number: signal.Signals) -> None:
    with served(url, workers=2) as running:
        assert running.stop(number, whole_group=True) == 0, running.log


def test_a_signal_that_meets_workers_still_starting_ends_them_too(url: str) -> None:
    # Ready is who is first; of four, others are still starting then.
    with served(url, workers=4) as running:
        assert running.stop() == 0, running.log


async def test_requests_under_way_are_answered_before_the_service_ends(url: str, service: Served) -> None:
    anna, _ = await signed_in(url)
    body = {"email": anna.email, "password": PASSWORD}
    async with httpx.AsyncClient(base_url=service.url, timeout=60, trust_env=False, verify=False) as browser:
        under_way = [asyncio.create_task(browser.post("/api/authenticate", json=body)) for _ in range(20)]
        await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
        service.process.send_signal(signal.SIGTERM)
        answers = await asyncio.gather(*under_way)
    assert [answer.status_code for answer in answers] == [200] * 20
    assert service.process.wait(60) == 0, service.log


async def test_a_request_whose_body_is_still_coming_is_answered_and_kept(url: str, service: Served) -> None:
    anna, headers = await signed_in(url)
    body = json.dumps({"title": f"Bench at {now()}"}).encode()
    headers |= {"host": "x", "content-type": "application/json", "content-length": str(len(body))}
    # The server says "Continue" when the body is asked for: then the request is under way.
    headers["expect"] = "100-continue"
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    async with connection(service) as (reader, writer):
        writer.write(f"POST /api/workshops/{anna.workshop}/orders HTTP/1.1\r\n{head}\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        writer.write(body[:5])
        service.process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.2)
        writer.write(body[5:])
        status = await reader.readline()
        assert status.startswith(b"HTTP/1.1 201"), status
        await reader.read()
    assert service.process.wait(60) == 0, service.log
    async with opened_shop(url) as shop:
        titles = "SELECT title FROM orders WHERE workshop_id = :workshop"
        async with shop.db.read() as db:
            assert await db.value(titles, workshop=anna.workshop) == json.loads(body)["title"]


async def test_an_idle_connection_does_not_keep_the_service_from_ending(service: Served) -> None:
    async with httpx.AsyncClient(base_url=service.url, trust_env=False, verify=False, timeout=60) as browser:
        await browser.get("/healthz")
        assert await asyncio.to_thread(service.stop) == 0


async def test_workers_share_one_database(url: str) -> None:
    with served(url, workers=2) as running:
        anna, headers = await signed_in(url)
        orders = f"{running.url}/api/workshops/{anna.workshop}/orders"

        async def add_and_list(number: int) -> None:
            # A connection each, so that both workers get some of them.
            async with httpx.AsyncClient(headers=headers, timeout=60, trust_env=False, verify=False) as browser:
                answer = await browser.post(orders, json={"title": f"Order {number}"})
                assert answer.status_code == 201, answer.text
            async with httpx.AsyncClient(headers=headers, timeout=60, trust_env=False, verify=False) as browser:
                listed = (await browser.get(orders)).json()["orders"]
                assert answer.json() in listed

        await asyncio.gather(*(add_and_list(number) for number in range(30)))
        async with httpx.AsyncClient(headers=headers, trust_env=False, verify=False, timeout=60) as browser:
            assert len((await browser.get(orders)).json()["orders"]) == 30


def test_a_killed_worker_is_replaced(url: str) -> None:
    with served(url, workers=1) as running:
        [worker] = running.workers()
        os.kill(worker, signal.SIGKILL)
        with httpx.Client(
            transport=httpx.HTTPTransport(retries=8, verify=False), trust_env=False, timeout=60
        ) as browser:
            assert browser.get(f"{running.url}/readyz").status_code == 200
        assert running.workers() != [worker]


async def test_a_worker_replaced_while_the_file_is_away_serves_when_it_is_back(url: str, tmp_path: Path) -> None:
    anna, headers = await signed_in(url)
    with served(url) as running:
        async with httpx.AsyncClient(
            base_url=running.url, headers=headers, trust_env=False, verify=False, timeout=60
        ) as browser:
            path = f"/api/workshops/{anna.workshop}/orders"
            assert (await browser.post(path, json={"title": "First"})).status_code == 201
            with folder_elsewhere(tmp_path):
                kill_worker(running)
                assert await status(browser, "/readyz") == 503
                assert (await browser.get(path)).status_code == 503
            assert await status(browser, "/readyz") == 200
            assert [order["title"] for order in (await browser.get(path)).json()["orders"]] == ["First"]
            assert (await browser.post(path, json={"title": "Second"})).status_code == 201
        assert running.stop() == 0


@contextlib.contextmanager
def folder_elsewhere(folder: Path) -> Iterator[None]:
    """Out of reach of a worker, which finds an empty folder in its place."""
    there = folder.with_name("elsewhere")
    folder.rename(there)
    folder.mkdir()
    yield
    assert list(folder.iterdir()) == []
    folder.rmdir()
    there.rename(folder)


def kill_worker(running: Served) -> None:
    [worker] = running.workers()
    os.kill(worker, signal.SIGKILL)
    while running.workers() in ([], [worker]):
        time.sleep(0.01)


async def status(browser: httpx.AsyncClient, path: str) -> int:
    """What a worker that may still be starting answers."""
    while True:
        with contextlib.suppress(httpx.TransportError):
            return (await browser.get(path)).status_code
        await asyncio.sleep(0.02)


async def test_a_worker_that_cannot_start_ends_the_service(url: str) -> None:
    """As when another node has migrated to a newer schema meanwhile; who started the service starts the new one."""
    with served(url) as running:
        async with opened_shop(url) as shop:
            await shop.db.write(lambda db: db.run("INSERT INTO migrations (number, name) VALUES (9999, 'later')"))
        [worker] = running.workers()
        os.kill(worker, signal.SIGKILL)
        assert running.process.wait(60) == 1


def test_a_start_after_a_kill_finds_its_port_free(url: str) -> None:
    with served(url, workers=2) as running:
        running.kill(only_main=True)
        with served(url, port=running.port) as again:
            assert again.stop() == 0
