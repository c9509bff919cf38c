"""Reads from PostgreSQL, outside of a transaction: a statement whose connection is lost is repeated on another one."""

from time import monotonic
from typing import Any

from backbench.storage.engine.database import Read, Value
from backbench.storage.engine.postgres.cluster import TRIES, Cluster
from backbench.storage.engine.postgres.errors import UNAVAILABLE_ERRORS
from backbench.storage.engine.postgres.handles import ENDED, PostgresHandle


class Reading(PostgresHandle):
    """A read, from the acquisition of its connection to the release. Each of its statements sees what is committed, on
    this connection or on another one."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._connection = ENDED

    async def __aenter__(self) -> Read:
        self._connection = await self._cluster.acquire()
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        connection, self._connection = self._connection, ENDED
        if connection is not ENDED:
            self._cluster.release(connection, error)

    async def _repeat(self, error: Exception, method: str, text: str, arguments: list[Value]) -> Any:
        since = monotonic()
        for _ in range(TRIES):
            if not self._cluster.is_lost(error, self._connection):
                break
            connection, self._connection = self._connection, ENDED
            self._connection = await self._cluster.acquire_again(connection, error, since)
            try:
                return await getattr(self._connection, method)(text, *arguments)
            except UNAVAILABLE_ERRORS as next_error:
                error = next_error
        raise error
