"""Blob storage: the same behaviour in a folder and in a bucket, and with a failing disk or service."""

import asyncio
import errno
import os
import random
import threading
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from backbench.integrations import blobs as blobs_module
from backbench.integrations.blobs import Blobs, FolderBlobs, S3Blobs, open_blobs
from backbench.values.errors import Unavailable, UnsupportedMedia
from tests.support.providers import s3_server

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def s3() -> Iterator[int]:
    with s3_server.running_s3_server() as port:
        yield port


@pytest.fixture(params=["folder", "bucket"])
async def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Blobs]:
    if request.param == "folder":
        opened = open_blobs(f"file://{tmp_path}/files")
        yield opened
        await opened.close()
        return
    with s3_server.environment(request.getfixturevalue("s3")):
        yield open_blobs(f"s3://{s3_server.BUCKET}/some/prefix")


async def chunks_of(content: bytes, size: int = 64 * 1024) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def read(blobs: Blobs, blob_id: str, start: int, end: int) -> bytes:
    return b"".join([chunk async for chunk in blobs.read(blob_id, start, end)])


def new_id() -> str:
    return str(uuid.uuid4())


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("size", [1, 256 * 1024, 5 * MIB - 1, 5 * MIB, 10 * MIB + 7])
async def test_a_blob_is_read_as_it_was_written(blobs: Blobs, size: int) -> None:
    blob_id, content = new_id(), random.Random(size).randbytes(size)
    await blobs.write(blob_id, chunks_of(content))
    assert await read(blobs, blob_id, 0, size) == content


async def test_a_range_of_a_blob_is_read(blobs: Blobs) -> None:
    blob_id, content = new_id(), random.Random(1).randbytes(3 * MIB)
    await blobs.write(blob_id, chunks_of(content))
    assert await read(blobs, blob_id, 10, 11) == content[10:11]
    assert await read(blobs, blob_id, MIB - 1, 2 * MIB + 5) == content[MIB - 1 : 2 * MIB + 5]


@pytest.mark.parametrize("size", [100, 7 * MIB])
async def test_an_aborted_write_stores_nothing(blobs: Blobs, size: int, request: pytest.FixtureRequest) -> None:
    async def broken() -> AsyncIterator[bytes]:
        async for chunk in chunks_of(b"x" * size):
            yield chunk
        raise UnsupportedMedia("after all")

    blob_id = new_id()
    with pytest.raises(UnsupportedMedia):
        await blobs.write(blob_id, broken())
    with pytest.raises(Unavailable):
        await read(blobs, blob_id, 0, 1)
    if isinstance(blobs, S3Blobs):
        assert s3_server.unfinished_uploads(request.getfixturevalue("s3")) == 0


async def test_deleting_a_blob_is_idempotent(blobs: Blobs) -> None:
    blob_id = new_id()
    await blobs.write(blob_id, chunks_of(b"wood"))
    await blobs.delete(blob_id)
    await blobs.delete(blob_id)
    with pytest.raises(Unavailable):
        await read(blobs, blob_id, 0, 4)


async def test_the_size_of_a_blob_is_known_without_reading_it(blobs: Blobs) -> None:
    blob_id = new_id()
    assert await blobs.size(blob_id) is None
    await blobs.write(blob_id, chunks_of(b"wood"))
    assert await blobs.size(blob_id) == 4


async def test_reading_past_the_end_is_an_error(blobs: Blobs) -> None:
    blob_id = new_id()
    await blobs.write(blob_id, chunks_of(b"wood"))
    with pytest.raises(Unavailable):
        await read(blobs, blob_id, 0, 5)


# A folder


async def test_a_blob_is_synced_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write, sync the file, rename, sync the folder: after a power cut the blob is complete or missing."""
    happened: list[str] = []
    sync, rename = os.fsync, Path.rename

    def record_sync(descriptor: int) -> None:
        happened.append("sync " + ("folder" if os.path.isdir(f"/proc/self/fd/{descriptor}") else "file"))  # noqa: PTH112
        sync(descriptor)

    def record_rename(source: Path, target: Path) -> Path:
        happened.append("rename")
        return rename(source, target)

    folder = FolderBlobs(tmp_path)
    await folder.write("first-00", chunks_of(b"oak"))
    monkeypatch.setattr(os, "fsync", record_sync)
    monkeypatch.setattr(Path, "rename", record_rename)
    await folder.write("second-00", chunks_of(b"oak"))
    assert happened == ["sync file", "rename", "sync folder"]
    await folder.close()


async def test_deleting_a_blob_deletes_its_unfinished_upload(tmp_path: Path) -> None:
    folder = FolderBlobs(tmp_path)
    await folder.write("kept-00", chunks_of(b"oak"))
    part = tmp_path / "00" / "lost-00.part"
    part.write_bytes(b"oa")
    await folder.delete("lost-00")
    assert files_in(tmp_path) == ["kept-00"]
    await folder.close()


@pytest.mark.parametrize(("error", "detail"), [(errno.ENOSPC, "full"), (errno.EIO, "unavailable")])
async def test_a_disk_error_is_unavailable_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, detail: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(error, "no")

    folder = FolderBlobs(tmp_path)
    with monkeypatch.context() as disk:
        disk.setattr(blobs_module, "_write_all", fail)
        with pytest.raises(Unavailable, match=detail):
            await folder.write("lost-00", chunks_of(b"oak"))
    assert files_in(tmp_path) == []
    await folder.close()


async def test_a_cancelled_write_closes_its_file_after_the_thread_is_done_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number would be that of another file, into which the thread would write."""
    begun, may_end = threading.Event(), threading.Event()
    was_open: list[bool] = []

    def write_late(descriptor: int, _: bytes) -> None:
        begun.set()
        may_end.wait(60)
        was_open.append(Path(f"/proc/self/fd/{descriptor}").exists())

    monkeypatch.setattr(blobs_module, "_write_all", write_late)
    folder = FolderBlobs(tmp_path)
    writing = asyncio.create_task(folder.write("lost-00", chunks_of(b"oak")))
    assert await asyncio.to_thread(begun.wait, 60)
    writing.cancel()
    # The loop gets to the cancellation before the thread ends.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await folder.close()
    assert was_open == [True]
    assert files_in(tmp_path) == []


async def test_only_the_service_may_read_the_folder(tmp_path: Path) -> None:
    folder = FolderBlobs(tmp_path / "files")
    await folder.write("a-00", chunks_of(b"oak"))
    modes = {path.name: path.stat().st_mode & 0o077 for path in [tmp_path / "files", *(tmp_path / "files").rglob("*")]}
    assert set(modes.values()) == {0}
    await folder.close()


# A bucket behind a network


@pytest.fixture
async def network(s3: int) -> AsyncIterator[s3_server.FaultyProxy]:
    async with s3_server.FaultyProxy(s3).running() as proxy:
        with s3_server.environment(proxy.port):
            yield proxy


def impatient() -> S3Blobs:
    return S3Blobs(f"s3://{s3_server.BUCKET}/faults", patience=timedelta(seconds=1))


@pytest.mark.parametrize("failure", ["500", "drop"])
async def test_a_write_is_retried_after_temporary_errors(network: s3_server.FaultyProxy, failure: str) -> None:
    bucket, blob_id = impatient(), new_id()
    network.failures = [failure, failure]
    await bucket.write(blob_id, chunks_of(b"oak"))
    assert await read(bucket, blob_id, 0, 3) == b"oak"
    assert len(network.seen) == 4


@pytest.mark.parametrize("failure", ["500", "drop", "cut"])
async def test_a_read_is_retried_after_temporary_errors(network: s3_server.FaultyProxy, failure: str) -> None:
    bucket, blob_id, content = impatient(), new_id(), random.Random(2).randbytes(3 * MIB)
    await bucket.write(blob_id, chunks_of(content))
    network.failures = [failure, "", failure]
    assert await read(bucket, blob_id, 0, len(content)) == content
    assert network.failures == []


@pytest.mark.parametrize("failure", ["500", "drop", "hang"])
async def test_a_service_that_is_down_is_unavailable_in_time(network: s3_server.FaultyProxy, failure: str) -> None:
    bucket, blob_id = impatient(), new_id()
    await bucket.write(blob_id, chunks_of(b"oak"))
    network.failures = [failure] * 100
    with pytest.raises(Unavailable):
        await bucket.write(new_id(), chunks_of(b"oak"))
    with pytest.raises(Unavailable):
        await read(bucket, blob_id, 0, 3)
    with pytest.raises(Unavailable):
        await bucket.delete(blob_id)


async def test_a_failed_multipart_upload_stores_nothing(network: s3_server.FaultyProxy, s3: int) -> None:
    bucket, blob_id = impatient(), new_id()
    # The upload is created, no part succeeds, and aborting it succeeds.
    network.failures = ["", *["500"] * 10]
    with pytest.raises(Unavailable):
        await bucket.write(blob_id, chunks_of(b"x" * 11 * MIB))
    network.failures = []
    with pytest.raises(Unavailable):
        await read(bucket, blob_id, 0, 1)


async def test_a_missing_bucket_is_unavailable(s3: int) -> None:
    with s3_server.environment(s3):
        nowhere = S3Blobs("s3://no-such-bucket/x")
    with pytest.raises(Unavailable):
        await nowhere.write(new_id(), chunks_of(b"oak"))
