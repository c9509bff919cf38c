"""Files and papers through `backbench serve`: large ones in little memory, and none half there after a kill."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from backbench.actions.estimating.files import collect
from backbench.domain.values import times
from tests.support import buckets, pictures
from tests.support.engines import new_file, opened_shop
from tests.support.servers import Served, carried, served
from tests.support.uploads import BOUNDARY, form

MIB = 1024 * 1024
TYPE = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}


class Host:
    """A running service, and Anna, who is on pro."""

    def __init__(self, database_url: str, service: Served, headers: dict[str, str], workshop: str) -> None:
        self.database_url = database_url
        self.service = service
        self.headers = headers
        self.workshop = workshop

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=f"{self.service.url}/api", headers=self.headers, timeout=60, trust_env=False, verify=False
        )

    def form(self, content: bytes, *, category: str = "estimate_pdf") -> bytes:
        return form(("category", category), ("workshopId", self.workshop), ("file", ("a.pdf", content)))

    def memory(self) -> int:
        [worker] = self.service.workers()
        rss: int = psutil.Process(worker).memory_info().rss
        return rss


@contextlib.asynccontextmanager
async def hosted(folder: Path, **settings: str) -> AsyncIterator[Host]:
    url = new_file(folder)
    places: dict[str, Any] = {"BACKBENCH_FILES_URL": f"file://{folder}/files", **settings}
    async with opened_shop(url) as shop:
        anna = await shop.owner()
        await shop.put_on_pro(anna.workshop)
    with served(url, **places) as service:
        yield Host(url, service, carried(anna), anna.workshop)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the host keeps its database and its files."""
    return tmp_path_factory.mktemp("host")


@pytest.fixture(scope="module")
async def host(files: Path) -> AsyncIterator[Host]:
    async with hosted(files) as running:
        yield running


@contextlib.contextmanager
def watched(host: Host) -> Iterator[list[int]]:
    """The memory of the worker, a few times a second."""
    seen = [host.memory()]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.02):
            seen.append(host.memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()


async def test_a_large_file_passes_through_in_little_memory(host: Host) -> None:
    content = pictures.pdf(filling=96 * MIB)
    async with host.client() as client:
        await client.post("/files", content=host.form(pictures.pdf()), headers=TYPE)
        with watched(host) as memory:
            uploaded = await client.post("/files", content=host.form(content), headers=TYPE)
            assert uploaded.status_code == 201, uploaded.text
            downloaded = await client.get(f"/files/{uploaded.json()['id']}")
        assert downloaded.content == content
    assert max(memory) - memory[0] < 24 * MIB


async def test_a_reader_that_pauses_is_not_read_for(host: Host) -> None:
    content = pictures.pdf(filling=48 * MIB)
    async with host.client() as client:
        file = (await client.post("/files", content=host.form(content), headers=TYPE)).json()
        with watched(host) as memory:
            async with client.stream("GET", f"/files/{file['id']}") as answer:
                pieces = answer.aiter_raw()
                first = await anext(pieces)
                await asyncio.sleep(0.5)
                rest = [piece async for piece in pieces]
        assert first + b"".join(rest) == content
    assert max(memory) - memory[0] < 24 * MIB


async def test_who_sends_too_much_hears_why(host: Host) -> None:
    """The client is still sending when the answer is clear: it gets the answer, not a broken connection."""
    for size in (524_289, 3 * MIB):
        body = host.form(pictures.png_of(size), category="grid_tile_icon")
        answer = await asyncio.to_thread(sent_before_listening, host, body)
        assert answer.startswith(b"HTTP/1.1 413 ")


def sent_before_listening(host: Host, body: bytes) -> bytes:
    """What a simple client gets, which first sends everything."""
    import socket

    with socket.create_connection(("127.0.0.1", host.service.port), 60) as connection:
        head = {"host": "127.0.0.1", "connection": "close", "content-length": str(len(body)), **TYPE, **host.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        connection.sendall(f"POST /api/files HTTP/1.1\r\n{lines}\r\n".encode() + body)
        return connection.recv(65_536)


async def test_a_client_that_hangs_up_leaves_nothing(host: Host, files: Path) -> None:
    kept, gone = names_in(files / "files"), host.service.log.count("client gone")
    body = host.form(pictures.pdf(filling=MIB))

    async def broken() -> AsyncIterator[bytes]:
        yield body[: MIB // 2]
        raise ConnectionError

    async with host.client() as client:
        listed = (await client.get(f"/workshops/{host.workshop}/files")).json()
        for _ in range(3):
            with contextlib.suppress(ConnectionError, httpx.TransportError):
                await client.post("/files", content=broken(), headers=TYPE)
        await asyncio.to_thread(wait_for, lambda: host.service.log.count("client gone") == gone + 3)
        assert names_in(files / "files") == kept
        assert (await client.get(f"/workshops/{host.workshop}/files")).json() == listed
    assert "Traceback" not in host.service.log


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    assert holds()


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("rounds", [2, pytest.param(60, marks=pytest.mark.prove)])
async def test_after_a_kill_every_record_has_its_bytes_and_no_stray_bytes_stay(tmp_path: Path, rounds: int) -> None:
    url = new_file(tmp_path)
    places: dict[str, Any] = {"BACKBENCH_FILES_URL": f"file://{tmp_path}/files"}
    async with opened_shop(url) as shop:
        anna = await shop.owner()
        await shop.put_on_pro(anna.workshop)
    acknowledged: list[str] = []
    for number in range(rounds):
        with served(url, **places) as service:
            host = Host(url, service, carried(anna), anna.workshop)
            loading = [asyncio.create_task(upload_until_killed(host, acknowledged)) for _ in range(3)]
            await one_more_in(acknowledged)
            await asyncio.sleep(number % 7 * 0.04)
            service.kill()
            await asyncio.gather(*loading)
    assert acknowledged
    async with opened_shop(url, files_url=f"file://{tmp_path}/files") as shop:
        await collect(shop.db, shop.app.blobs, times.later(times.now(), 25 * 3600))
        async with shop.db.read() as db:
            recorded = set(await db.all(str, "SELECT id FROM files"))
            taken = await db.value("SELECT storage_used_bytes FROM workshops WHERE id = :id", id=anna.workshop)
            sizes = await db.value("SELECT sum(size_bytes) FROM files")
    assert set(acknowledged) <= recorded
    assert names_in(tmp_path / "files") == recorded
    assert taken == sizes


async def one_more_in(acknowledged: list[str]) -> None:
    before = len(acknowledged)
    await asyncio.to_thread(wait_for, lambda: len(acknowledged) > before)


async def upload_until_killed(host: Host, acknowledged: list[str]) -> None:
    body = host.form(pictures.pdf(filling=200_000))
    with contextlib.suppress(httpx.TransportError):
        async with host.client() as client:
            while True:
                answer = await client.post("/files", content=body, headers=TYPE)
                if answer.status_code == 201:
                    acknowledged.append(answer.json()["id"])


async def test_a_bucket_serves_as_a_folder_does(tmp_path: Path) -> None:
    with buckets.s3_service() as port:
        settings: dict[str, Any] = {"BACKBENCH_FILES_URL": f"s3://{buckets.NAME}/anna", **buckets.CREDENTIALS}
        async with (
            hosted(tmp_path, **settings, AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}") as host,
            host.client() as client,
        ):
            content = pictures.pdf(filling=12 * MIB)
            file = (await client.post("/files", content=host.form(content), headers=TYPE)).json()
            path = f"/files/{file['id']}"
            assert (await client.get(path)).content == content
            part = await client.get(path, headers={"range": "bytes=1000000-7000000"})
            assert (part.status_code, part.content) == (206, content[1_000_000:7_000_001])
            estimate = (await client.post(f"/workshops/{host.workshop}/estimates", json={"name": "Kitchen"})).json()
            await client.post(f"/estimates/{estimate['id']}/confirm")
            papers = f"/estimates/{estimate['id']}/pdf-exports"
            export = (await client.post(papers, json={"locale": "en", "preliminary": False})).json()
            assert (await client.get(f"{papers}/{export['id']}")).content.startswith(b"%PDF-")
            assert (await client.delete(path)).status_code == 204
