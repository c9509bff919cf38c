"""Blob storage: the contents of files, in a folder or in a bucket of an S3 service, behind one interface.

A blob is written once, under a unique id, and is durable when `write` returns. Its meaning, access to it and the time
of its deletion are in the database.
"""

import asyncio
import contextlib
import errno
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from backbench.integrations.temporary_files import sync_folder
from backbench.values.errors import Unavailable
from backbench.values.os_errors import reason_of

T = TypeVar("T")

_CHUNK_BYTES = 256 * 1024
_THREADS = 4
_PART_SUFFIX = ".part"
# S3 requires parts of at least 5 MiB; a smaller blob is one request.
_S3_PART_BYTES = 5 * 1024 * 1024
_S3_CHUNK_BYTES = 1024 * 1024
# The addresses of a service other than Amazon's.
ENDPOINT_VARIABLES = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")


class BlobMissing(Unavailable):
    """The blob is not in the store, is shorter than when it was written, or its part of the disk cannot be read.

    The store itself works.
    """

    def __init__(self) -> None:
        super().__init__("unavailable", "A file is missing from file storage", wait=5)


class Blobs(Protocol):
    async def write(self, blob_id: str, chunks: AsyncIterator[bytes]) -> None:
        """Stores all chunks, or nothing if the iterator raises. Raises Unavailable.

        Replaces a blob of the same id once all chunks are stored.
        """
        ...

    def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        """The bytes from `start` up to `end`. Raises Unavailable, and BlobMissing if the blob is missing or shorter."""
        ...

    async def size(self, blob_id: str) -> int | None:
        """In bytes; None if there is no such blob. Raises Unavailable."""
        ...

    async def delete(self, blob_id: str) -> None:
        """Does nothing if there is no such blob. Raises Unavailable."""
        ...

    async def close(self) -> None: ...


def open_blobs(url: str) -> Blobs:
    """`file:relative/folder`, `file:///absolute/folder` or `s3://bucket/prefix`. Does not connect yet.

    Raises Unavailable where the library does not understand the settings of the bucket.
    """
    parts = urlsplit(url)
    if parts.scheme == "s3":
        return S3Blobs(url)
    return FolderBlobs(Path(unquote(parts.path)))


def place_of(url: str) -> str:
    """The full path of a folder, or the URL of a bucket."""
    parts = urlsplit(url)
    return url if parts.scheme == "s3" else str(Path(unquote(parts.path)).absolute())


def _key(blob_id: str) -> str:
    """Distributes blobs over 256 folders by the random end of the id; its beginning is a timestamp."""
    return f"{blob_id[-2:]}/{blob_id}"


class FolderBlobs:
    """Blobs as files. Each change is synced, file and folder, before the call returns."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._threads = ThreadPoolExecutor(_THREADS, "files")

    async def write(self, blob_id: str, chunks: AsyncIterator[bytes]) -> None:
        path = self._root / _key(blob_id)
        part = path.with_name(path.name + _PART_SUFFIX)
        descriptor = await self._in_thread(_create, part, self._root)
        try:
            try:
                async for chunk in chunks:
                    await self._in_thread(_write_all, descriptor, chunk)
                await self._in_thread(os.fsync, descriptor)
            finally:
                os.close(descriptor)
            await self._in_thread(_publish, part, path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise

    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        path = self._root / _key(blob_id)
        while start < end:
            chunk = await self._in_thread(_read_chunk, path, start, min(_CHUNK_BYTES, end - start))
            yield chunk
            start += len(chunk)

    async def size(self, blob_id: str) -> int | None:
        return await self._in_thread(_size, self._root / _key(blob_id))

    async def delete(self, blob_id: str) -> None:
        await self._in_thread(_delete, self._root / _key(blob_id))

    async def close(self) -> None:
        self._threads.shutdown()

    async def _in_thread(self, call: Callable[..., T], *values: Any) -> T:
        """In a thread, since disk operations block. Raises Unavailable for OSError."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, call, *values)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # Its caller closes the file, whose number may then be that of another: not before the thread is done.
            await asyncio.wait([running])
            raise
        except OSError as error:
            raise _unavailable(error) from error


def _create(part: Path, root: Path) -> int:
    if not part.parent.exists():
        # `mode` is that of the last folder alone, not of its parents.
        root.mkdir(parents=True, mode=0o700, exist_ok=True)
        part.parent.mkdir(mode=0o700, exist_ok=True)
        sync_folder(part.parent.parent)
    # What a write that was killed has left. Only a restore writes a blob of the same id again.
    part.unlink(missing_ok=True)
    return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _write_all(descriptor: int, chunk: bytes) -> None:
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _publish(part: Path, path: Path) -> None:
    part.rename(path)
    sync_folder(path.parent)


def _read_chunk(path: Path, start: int, length: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        chunk = file.read(length)
    if not chunk:
        raise BlobMissing
    return chunk


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def _delete(path: Path) -> None:
    for leftover in (path, path.with_name(path.name + _PART_SUFFIX)):
        leftover.unlink(missing_ok=True)
    if path.parent.exists():
        sync_folder(path.parent)


def _unavailable(error: OSError) -> Unavailable:
    if error.errno in (errno.ENOENT, errno.EIO):
        return BlobMissing()
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Unavailable("unavailable", "The disk for files is full", wait=30)
    return Unavailable("unavailable", f"File storage is unavailable: {reason_of(error)}", wait=5)


class S3Blobs:
    """Blobs as objects in a bucket of S3 or a compatible service.

    The endpoint and credentials come from the AWS_ environment variables. Failed requests are retried until `patience`
    ends. A blob is durable once the service has confirmed it.
    """

    def __init__(self, url: str, *, patience: timedelta = timedelta(seconds=20)) -> None:
        # Imported here, so that only installations with a bucket load the library.
        from obstore.exceptions import BaseError
        from obstore.store import S3Store

        endpoints = (os.environ.get(name, "") for name in ENDPOINT_VARIABLES)
        try:
            self._store = S3Store.from_url(
                url,
                client_options={
                    "allow_http": any(endpoint.startswith("http://") for endpoint in endpoints),
                    "connect_timeout": patience / 4,
                    "timeout": patience,
                },
                retry_config={"max_retries": 4, "retry_timeout": patience},
            )
        except (BaseError, ValueError) as error:
            # The library's first line names what it did not understand; the others are its own structures.
            raise Unavailable("unavailable", f"The bucket's settings: {str(error).partition(chr(10))[0]}") from error

    async def write(self, blob_id: str, chunks: AsyncIterator[bytes]) -> None:
        import obstore

        first, is_complete = await _first_bytes(chunks, _S3_PART_BYTES)
        with _errors_as_unavailable():
            if is_complete:
                await obstore.put_async(self._store, _key(blob_id), first, use_multipart=False)
            else:
                all_chunks = _joined(first, chunks)
                await obstore.put_async(
                    self._store, _key(blob_id), all_chunks, chunk_size=_S3_PART_BYTES, max_concurrency=2
                )

    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        import obstore

        while start < end:
            with _errors_as_unavailable():
                chunk = bytes(
                    await obstore.get_range_async(
                        self._store, _key(blob_id), start=start, end=min(start + _S3_CHUNK_BYTES, end)
                    )
                )
            if not chunk:
                raise BlobMissing
            yield chunk
            start += len(chunk)

    async def size(self, blob_id: str) -> int | None:
        import obstore

        try:
            with _errors_as_unavailable():
                return (await obstore.head_async(self._store, _key(blob_id)))["size"]
        except BlobMissing:
            return None

    async def delete(self, blob_id: str) -> None:
        import obstore

        with _errors_as_unavailable(), contextlib.suppress(FileNotFoundError):
            await obstore.delete_async(self._store, _key(blob_id))

    async def close(self) -> None:
        """Does nothing: no connection is open between calls."""


@contextlib.contextmanager
def _errors_as_unavailable() -> Any:
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError, TimeoutError) as error:
        if isinstance(error, FileNotFoundError):
            raise BlobMissing from error
        reason = _bucket_reason(error)
        raise Unavailable("unavailable", f"The storage service for files is unavailable: {reason}", wait=5) from error


def _bucket_reason(error: Exception) -> str:
    from obstore.exceptions import NotFoundError, PermissionDeniedError, UnauthenticatedError

    # obstore raises a missing bucket as FileNotFoundError too, and a rejected signature as PermissionError.
    if isinstance(error, NotFoundError | FileNotFoundError):
        return "no such bucket or file"
    if isinstance(error, PermissionDeniedError | UnauthenticatedError | PermissionError):
        return "it does not accept these credentials"
    return reason_of(error) if isinstance(error, OSError) and error.errno else "it does not respond as expected"


async def _first_bytes(chunks: AsyncIterator[bytes], limit: int) -> tuple[bytes, bool]:
    """The first chunks, up to about `limit` bytes, and whether the iterator is exhausted."""
    gathered = bytearray()
    async for chunk in chunks:
        gathered += chunk
        if len(gathered) >= limit:
            return bytes(gathered), False
    return bytes(gathered), True


async def _joined(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in chunks:
        yield chunk
