"""Where the bytes of files are kept: a folder, or a bucket of an S3 service, behind one interface.

Bytes are written once, under an id that nothing else has, and are durable when `write` returns. What they mean, who
may read them and when they go is the database's business.
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

from backbench.domain.values.errors import Unavailable

T = TypeVar("T")

_PIECE = 256 * 1024
_THREADS = 4
_PART = ".part"
# S3 takes parts of five MiB and more; what is smaller goes in one request.
_S3_PART = 5 * 1024 * 1024
_S3_PIECE = 1024 * 1024


class Blobs(Protocol):
    async def write(self, blob_id: str, pieces: AsyncIterator[bytes]) -> None:
        """Keeps all the pieces, or, when one of them raises, nothing. Raises Unavailable."""
        ...

    def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        """The bytes from `start` up to `end`. Raises Unavailable, also where there are none."""
        ...

    async def delete(self, blob_id: str) -> None:
        """Nothing happens where there is nothing. Raises Unavailable."""
        ...

    async def close(self) -> None: ...


def open_blobs(url: str) -> Blobs:
    """`file:relative/folder`, `file:///absolute/folder` or `s3://bucket/prefix`. Nothing is made or asked yet."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        return Bucket(url)
    return Folder(Path(unquote(parts.path)))


def _place(blob_id: str) -> str:
    """Spread over 256 folders by the end of the id, which is chance; the beginning of an id is its moment."""
    return f"{blob_id[-2:]}/{blob_id}"


class Folder:
    """Every change is on the disk, file and folder, before it is answered for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._threads = ThreadPoolExecutor(_THREADS, "files")

    async def write(self, blob_id: str, pieces: AsyncIterator[bytes]) -> None:
        path = self._root / _place(blob_id)
        part = path.with_name(path.name + _PART)
        descriptor = await self._beside(_create, part)
        try:
            try:
                async for piece in pieces:
                    await self._beside(_write_all, descriptor, piece)
                await self._beside(os.fsync, descriptor)
            finally:
                os.close(descriptor)
            await self._beside(_settle, part, path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise

    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        path = self._root / _place(blob_id)
        while start < end:
            piece = await self._beside(_read_piece, path, start, min(_PIECE, end - start))
            yield piece
            start += len(piece)

    async def delete(self, blob_id: str) -> None:
        await self._beside(_remove, self._root / _place(blob_id))

    async def close(self) -> None:
        self._threads.shutdown()

    async def _beside(self, call: Callable[..., T], *values: Any) -> T:
        """In a thread, since a disk may take its time."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call, *values)
        except OSError as error:
            raise _unavailable(error) from error


def _create(part: Path) -> int:
    if not part.parent.exists():
        part.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        _sync_folder(part.parent.parent)
    return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _write_all(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _settle(part: Path, path: Path) -> None:
    part.rename(path)
    _sync_folder(path.parent)


def _read_piece(path: Path, start: int, length: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        piece = file.read(length)
    if not piece:
        raise OSError(errno.EIO, "shorter than it was written", str(path))
    return piece


def _remove(path: Path) -> None:
    for leftover in (path, path.with_name(path.name + _PART)):
        leftover.unlink(missing_ok=True)
    if path.parent.exists():
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # pragma: no cover - Windows cannot open folders, and orders their changes itself
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unavailable(error: OSError) -> Unavailable:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Unavailable("unavailable", "The disk that holds the files is full", wait=30)
    return Unavailable("unavailable", f"The files cannot be used now ({type(error).__name__})", wait=5)


class Bucket:
    """A bucket of S3 or of a service like it. Address and credentials come from the environment's AWS_ variables.

    Requests that fail are tried again for a while; the service's answer decides when bytes are durable.
    """

    def __init__(self, url: str, *, patience: timedelta = timedelta(seconds=20)) -> None:
        # Only those who keep their files in a bucket pay for the library.
        from obstore.store import S3Store

        endpoints = (os.environ.get(name, "") for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"))
        self._store = S3Store.from_url(
            url,
            client_options={
                "allow_http": any(endpoint.startswith("http://") for endpoint in endpoints),
                "connect_timeout": patience / 4,
                "timeout": patience,
            },
            retry_config={"max_retries": 4, "retry_timeout": patience},
        )

    async def write(self, blob_id: str, pieces: AsyncIterator[bytes]) -> None:
        import obstore

        beginning, is_all = await _gathered(pieces, _S3_PART)
        with _as_refusals():
            if is_all:
                await obstore.put_async(self._store, _place(blob_id), beginning, use_multipart=False)
            else:
                whole = _joined(beginning, pieces)
                await obstore.put_async(self._store, _place(blob_id), whole, chunk_size=_S3_PART, max_concurrency=2)

    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        import obstore

        while start < end:
            with _as_refusals():
                piece = bytes(
                    await obstore.get_range_async(
                        self._store, _place(blob_id), start=start, end=min(start + _S3_PIECE, end)
                    )
                )
            if not piece:
                raise Unavailable("unavailable", "The files are shorter than they were written")
            yield piece
            start += len(piece)

    async def delete(self, blob_id: str) -> None:
        import obstore

        with _as_refusals(), contextlib.suppress(FileNotFoundError):
            await obstore.delete_async(self._store, _place(blob_id))

    async def close(self) -> None:
        """Nothing is held open."""


@contextlib.contextmanager
def _as_refusals() -> Any:
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError, TimeoutError) as error:
        raise Unavailable(
            "unavailable", f"The service that holds the files cannot be used now ({type(error).__name__})", wait=5
        ) from error


async def _gathered(pieces: AsyncIterator[bytes], most: int) -> tuple[bytes, bool]:
    """What comes first, up to about `most` bytes, and whether that is all."""
    gathered = bytearray()
    async for piece in pieces:
        gathered += piece
        if len(gathered) >= most:
            return bytes(gathered), False
    return bytes(gathered), True


async def _joined(beginning: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield beginning
    async for piece in pieces:
        yield piece
