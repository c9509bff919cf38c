"""Files and PDF exports through `backbench serve`: bounded memory, and consistency after kill -9."""

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

from backbench.jobs.sweep import delete_orphaned_blobs
from backbench.values import times
from tests.support import image_files
from tests.support.databases import new_file, running_app
from tests.support.providers import s3_server
from tests.support.server import Server, running_server, session_headers
from tests.support.uploads import BOUNDARY, form

MIB = 1024 * 1024
# Twice of what a transfer may take, so that one that is kept in memory is found.
LARGE = 48 * MIB
TYPE = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}


class ProOwner:
    """The signed-in owner of a workshop on pro, and the running server that it uses."""

    def __init__(self, database_url: str, server: Server, headers: dict[str, str], workshop: str) -> None:
        self.database_url = database_url
        self.server = server
        self.headers = headers
        self.workshop = workshop

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=f"{self.server.url}/api", headers=self.headers, timeout=60, trust_env=False, verify=False
        )

    def form(self, content: bytes, *, category: str = "estimate_pdf") -> bytes:
        return form(("category", category), ("workshopId", self.workshop), ("file", ("a.pdf", content)))

    def memory(self) -> int:
        """The resident set size of the worker, in bytes."""
        [worker] = self.server.workers()
        rss: int = psutil.Process(worker).memory_info().rss
        return rss


@contextlib.asynccontextmanager
async def running_owner(folder: Path, **settings: str) -> AsyncIterator[ProOwner]:
    url = new_file(folder)
    places: dict[str, Any] = {"BACKBENCH_FILES_URL": f"file://{folder}/files", **settings}
    async with running_app(url) as app:
        anna = await app.owner()
        await app.put_on_pro(anna.workshop)
    with running_server(url, **places) as server:
        yield ProOwner(url, server, session_headers(anna), anna.workshop)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the database and of the files."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
async def owner(files: Path) -> AsyncIterator[ProOwner]:
    async with running_owner(files) as running:
        yield running


@contextlib.contextmanager
def sampled_memory(owner: ProOwner) -> Iterator[list[int]]:
    """Samples the memory of the worker every 20 ms."""
    seen = [owner.memory()]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.02):
            seen.append(owner.memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()


async def test_a_large_file_is_transferred_in_bounded_memory(owner: ProOwner) -> None:
    content = image_files.pdf(filling=LARGE)
    async with owner.client() as client:
        await client.post("/files", content=owner.form(image_files.pdf()), headers=TYPE)
        with sampled_memory(owner) as memory:
            uploaded = await client.post("/files", content=owner.form(content), headers=TYPE)
            assert uploaded.status_code == 201, uploaded.text
            downloaded = await client.get(f"/files/{uploaded.json()['id']}")
        assert downloaded.content == content
    assert max(memory) - memory[0] < LARGE // 2


async def test_a_paused_download_is_not_buffered(owner: ProOwner) -> None:
    content = image_files.pdf(filling=LARGE)
    async with owner.client() as client:
        file = (await client.post("/files", content=owner.form(content), headers=TYPE)).json()
        with sampled_memory(owner) as memory:
            async with client.stream("GET", f"/files/{file['id']}") as response:
                pieces = response.aiter_raw()
                first = await anext(pieces)
                await asyncio.sleep(0.5)
                rest = [piece async for piece in pieces]
        assert first + b"".join(rest) == content
    assert max(memory) - memory[0] < LARGE // 2


async def test_a_too_large_upload_gets_a_413(owner: ProOwner) -> None:
    """The client is still sending when the upload is rejected: it gets the response, not a broken connection."""
    for size in (524_289, 3 * MIB):
        body = owner.form(image_files.png_of(size), category="grid_tile_icon")
        response = await asyncio.to_thread(send_then_receive, owner, body)
        assert response.startswith(b"HTTP/1.1 413 ")


def send_then_receive(owner: ProOwner, body: bytes) -> bytes:
    """The response for a client that reads only after it has sent everything."""
    import socket

    with socket.create_connection(("127.0.0.1", owner.server.port), 60) as connection:
        head = {"host": "127.0.0.1", "connection": "close", "content-length": str(len(body)), **TYPE, **owner.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        connection.sendall(f"POST /api/files HTTP/1.1\r\n{lines}\r\n".encode() + body)
        return connection.recv(65_536)


async def test_a_disconnected_upload_leaves_no_file(owner: ProOwner, files: Path) -> None:
    stored, disconnects = names_in(files / "files"), owner.server.log.count("client disconnected")
    body = owner.form(image_files.pdf(filling=MIB))

    async def interrupted() -> AsyncIterator[bytes]:
        yield body[: MIB // 2]
        raise ConnectionError

    async with owner.client() as client:
        listed = (await client.get(f"/workshops/{owner.workshop}/files")).json()
        for _ in range(3):
            with contextlib.suppress(ConnectionError, httpx.TransportError):
                await client.post("/files", content=interrupted(), headers=TYPE)
        await asyncio.to_thread(wait_for, lambda: owner.server.log.count("client disconnected") == disconnects + 3)
        assert names_in(files / "files") == stored
        assert (await client.get(f"/workshops/{owner.workshop}/files")).json() == listed
    assert "Traceback" not in owner.server.log


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    assert condition()


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("rounds", [1, pytest.param(60, marks=pytest.mark.prove)])
async def test_after_a_kill_records_and_blobs_match(tmp_path: Path, rounds: int) -> None:
    url = new_file(tmp_path)
    places: dict[str, Any] = {"BACKBENCH_FILES_URL": f"file://{tmp_path}/files"}
    async with running_app(url) as app:
        anna = await app.owner()
        await app.put_on_pro(anna.workshop)
    acknowledged: list[str] = []
    for number in range(rounds):
        with running_server(url, **places) as server:
            owner = ProOwner(url, server, session_headers(anna), anna.workshop)
            uploads = [asyncio.create_task(upload_until_killed(owner, acknowledged)) for _ in range(3)]
            await wait_for_one_more(acknowledged)
            await asyncio.sleep(number % 7 * 0.04)
            server.kill()
            await asyncio.gather(*uploads)
    assert acknowledged
    async with running_app(url, files_url=f"file://{tmp_path}/files") as app:
        await delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(times.now(), 25 * 3600))
        async with app.db.read() as db:
            recorded = set(await db.all(str, "SELECT id FROM files"))
            taken = await db.value("SELECT storage_used_bytes FROM workshops WHERE id = :id", id=anna.workshop)
            sizes = await db.value("SELECT sum(size_bytes) FROM files")
    assert set(acknowledged) <= recorded
    assert names_in(tmp_path / "files") == recorded
    assert taken == sizes


async def wait_for_one_more(acknowledged: list[str]) -> None:
    before = len(acknowledged)
    await asyncio.to_thread(wait_for, lambda: len(acknowledged) > before)


async def upload_until_killed(owner: ProOwner, acknowledged: list[str]) -> None:
    body = owner.form(image_files.pdf(filling=200_000))
    with contextlib.suppress(httpx.TransportError):
        async with owner.client() as client:
            while True:
                response = await client.post("/files", content=body, headers=TYPE)
                if response.status_code == 201:
                    acknowledged.append(response.json()["id"])


async def test_files_in_a_bucket_are_served_like_files_in_a_folder(tmp_path: Path) -> None:
    with s3_server.running_s3_server() as port:
        settings: dict[str, Any] = {"BACKBENCH_FILES_URL": f"s3://{s3_server.BUCKET}/anna", **s3_server.CREDENTIALS}
        async with (
            running_owner(tmp_path, **settings, AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}") as owner,
            owner.client() as client,
        ):
            content = image_files.pdf(filling=12 * MIB)
            file = (await client.post("/files", content=owner.form(content), headers=TYPE)).json()
            path = f"/files/{file['id']}"
            assert (await client.get(path)).content == content
            part = await client.get(path, headers={"range": "bytes=1000000-7000000"})
            assert (part.status_code, part.content) == (206, content[1_000_000:7_000_001])
            estimate = (await client.post(f"/workshops/{owner.workshop}/estimates", json={"name": "Kitchen"})).json()
            await client.post(f"/estimates/{estimate['id']}/confirm")
            exports = f"/estimates/{estimate['id']}/pdf-exports"
            export = (await client.post(exports, json={"locale": "en", "preliminary": False})).json()
            assert (await client.get(f"{exports}/{export['id']}")).content.startswith(b"%PDF-")
            assert (await client.delete(path)).status_code == 204
