"""Reads from PostgreSQL, outside of a transaction: a statement whose connection is lost is repeated on another one.

A statement that has run for a quarter of a second is cancelled, and run again (slow_statements.py): ten of them
would otherwise take every connection of the pool.
"""

from collections.abc import Mapping
from time import monotonic
from typing import Any

from backbench.engine.database import Read, Value
from backbench.engine.parameters import positional
from backbench.engine.postgres.cluster import TRIES, Cluster
from backbench.engine.postgres.errors import UNAVAILABLE_ERRORS
from backbench.engine.postgres.handles import ENDED, PostgresHandle
from backbench.engine.slow_statements import SlowStatements

_SHORT_SECONDS = 0.25


class Reading(PostgresHandle):
    """A read, from the acquisition of its connection to the release. Each of its statements sees what is committed, on
    this connection or on another one."""

    def __init__(self, cluster: Cluster, slow: SlowStatements) -> None:
        self._cluster = cluster
        self._slow = slow
        self._connection = ENDED

    async def __aenter__(self) -> Read:
        self._connection = await self._cluster.acquire()
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        connection, self._connection = self._connection, ENDED
        if connection is not ENDED:
            self._cluster.release(connection, error)

    async def _result(self, method: str, sql: str, values: Mapping[str, Value]) -> Any:
        text, names = positional(sql)
        arguments = [values[name] for name in names]
        interruption: TimeoutError | None = None
        if not self._slow.is_known(sql, values):
            try:
                return await getattr(self._connection, method)(text, *arguments, timeout=_SHORT_SECONDS)
            except TimeoutError as error:
                interruption = error
                self._slow.remember(sql, values)
            except UNAVAILABLE_ERRORS as error:
                return await self._repeat(error, method, text, arguments)
        # While it waits for its turn, others use the connection.
        connection, self._connection = self._connection, ENDED
        self._cluster.put_back(connection, interruption)
        async with self._slow.place(values):
            self._connection = await self._cluster.acquire()
            try:
                return await getattr(self._connection, method)(text, *arguments)
            except UNAVAILABLE_ERRORS as error:
                return await self._repeat(error, method, text, arguments)

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
