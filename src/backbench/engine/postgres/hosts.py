"""Hosts of a PostgreSQL cluster: which is the primary, and whether it is the same cluster."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import asyncpg
from msgspec import Struct

from backbench.engine.postgres.errors import UNAVAILABLE_ERRORS, ConnectionLost, NoResponse
from backbench.engine.postgres.pool import DatabaseConnection
from backbench.logs import log
from backbench.values.errors import DatabaseUnavailable

# The setting `off` acknowledges commits which a crash would lose.
_SESSION = "current_setting('synchronous_commit') AS synchronous_commit, pg_backend_pid() AS process"
# Stricter settings stay. A wait for a lock ends at the server before the time of the statement is over at the client,
# and with an error that says so.
_OVERRIDE = """
    SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END,
        CASE current_setting('lock_timeout') WHEN '0' THEN set_config('lock_timeout', '25s', false) END
"""
# A standby knows the timeline that it has restored up to; its last checkpoint may be on an older one. A primary knows
# the new timeline before its first checkpoint on it. Every role may call these functions, unless the host revoked that.
_STATEMENT = f"""
    SELECT s.system_identifier, pg_is_in_recovery() AS is_standby,
        CASE WHEN pg_is_in_recovery() THEN greatest(c.timeline_id, r.min_recovery_end_timeline)
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END AS timeline,
        {_SESSION}
    FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r
"""
_WITHOUT_TIMELINE = f"SELECT 0 AS system_identifier, pg_is_in_recovery() AS is_standby, 0 AS timeline, {_SESSION}"
_UNREADABLE_ERRORS = (
    asyncpg.InsufficientPrivilegeError,
    asyncpg.UndefinedFunctionError,
    asyncpg.FeatureNotSupportedError,
)


class Identity(Struct, frozen=True):
    """`system_identifier` is the same for a primary and its standbys. Both numbers are 0 where they cannot be read."""

    system_identifier: int
    is_standby: bool
    timeline: int
    # Whether a pooler is between, such as PgBouncer.
    is_pooled: bool = False


async def identity_of(connection: Any, seconds: float) -> Identity:
    """Its identity; commits on this connection are durable from now on. Raises DatabaseUnavailable."""
    try:
        row = await connection.fetchrow(_STATEMENT, timeout=seconds)
    except _UNREADABLE_ERRORS:
        row = await connection.fetchrow(_WITHOUT_TIMELINE, timeout=seconds)
    # A pooler makes up a process id for each of its clients.
    is_pooled = row["process"] != connection.get_server_pid()
    # Behind a pooler each transaction may be on another connection, where an override would not be in force.
    if not is_pooled:
        await connection.execute(_OVERRIDE, timeout=seconds)
    elif row["synchronous_commit"] == "off":
        raise DatabaseUnavailable("synchronous_commit is off; behind a pooler, it has to be set on the server")
    return Identity(row["system_identifier"], row["is_standby"], row["timeline"], is_pooled)


# How often hosts that did not respond are asked again: one of them may be the primary of a higher timeline.
_ASK_AGAIN_SECONDS = 10.0


class RefusedServer(ConnectionLost):
    """A server that responds, and that nothing may be read from or written to."""


def split_hosts(url: str) -> list[str]:
    """One URL for each host of the URL, so that a host that does not respond uses up its own time-out only."""
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    return [parts._replace(netloc=f"{credentials}{at}{host}").geturl() for host in hosts.split(",")]


class Hosts:
    """`seconds`: for a host to respond. `on_newer_timeline`: existing connections lead to a server that is refused."""

    def __init__(self, url: str, seconds: float, on_newer_timeline: Callable[[], None]) -> None:
        # The last known primary first.
        self.urls = split_hosts(url)
        # The URL can say which servers it means; otherwise the primary is meant, unless there is no choice.
        self._needs_primary = len(self.urls) > 1 and "target_session_attrs=" not in url
        self._seconds = seconds
        # How long `connect` takes where the known primary does not respond, and another one does.
        self.seconds = seconds if len(self.urls) == 1 else 2 * seconds
        self._on_newer_timeline = on_newer_timeline
        self._newest: Identity | None = None
        self._is_chosen = len(self.urls) == 1
        self._survey: asyncio.Task[None] | None = None
        self._asking_again: asyncio.Task[None] | None = None
        self._reported: set[tuple[str, object]] = set()

    async def connect(self, **options: Any) -> Any:
        """A connection to the primary. Raises RefusedServer, and what the driver raises."""
        if self._is_chosen:
            try:
                return await self._open(self.urls[0], **options)
            except (RefusedServer, *UNAVAILABLE_ERRORS):
                if len(self.urls) == 1:
                    raise
                self._is_chosen = False
        await self._choose()
        return await self._open(self.urls[0], **options)

    def ask_all_next(self) -> None:
        """After a connection was lost: a primary that has restarted may not be the primary any longer."""
        self._is_chosen = len(self.urls) == 1

    def look_for_newer(self) -> None:
        """Where connections do not respond: a newer primary ends them. Nobody waits for the result."""
        if len(self.urls) > 1:
            self._start_survey()

    @property
    def is_known(self) -> bool:
        """Whether a server of this database has responded yet."""
        return self._newest is not None

    def close(self) -> None:
        for task in (self._survey, self._asking_again):
            if task is not None:
                task.cancel()

    async def _choose(self) -> None:
        """Asks all hosts; those who need the answer at the same time share it."""
        await asyncio.shield(self._start_survey())

    def _start_survey(self) -> asyncio.Task[None]:
        if self._survey is None or self._survey.done():
            self._survey = asyncio.get_running_loop().create_task(self._ask_all())
            # Those who wait may be cancelled, and nobody is left to see the error.
            self._survey.add_done_callback(lambda survey: survey.cancelled() or survey.exception())
        return self._survey

    async def _ask_all(self) -> None:
        found = await self._answers(self.urls)
        answers = {url: one for url, one in found.items() if isinstance(one, Identity)}
        self._require_one_cluster(answers)
        for identity in sorted(answers.values(), key=lambda identity: -identity.timeline):
            self._note(identity)
        failures = [one for one in found.values() if isinstance(one, Exception)]
        usable: list[str] = []
        for url, identity in answers.items():
            try:
                self._require_usable(url, identity)
            except (RefusedServer, asyncpg.TargetServerAttributeNotMatched) as error:
                failures.insert(0, error)
            else:
                usable.append(url)
        if not usable:
            raise next((error for error in failures if isinstance(error, RefusedServer)), failures[0])
        if self._needs_primary and len(usable) > 1:
            log.error("several primaries of one timeline", hosts=[_host(url) for url in usable], used=_host(usable[0]))
        self.urls.sort(key=lambda url: url != usable[0])
        self._is_chosen = True
        silent = [url for url in found if url not in answers]
        if silent and self._asking_again is None:
            self._asking_again = asyncio.get_running_loop().create_task(self._ask_again(silent))

    async def _ask_again(self, silent: Sequence[str]) -> None:
        try:
            while silent:
                await asyncio.sleep(_ASK_AGAIN_SECONDS)
                found = await self._answers(silent)
                for one in found.values():
                    if isinstance(one, Identity):
                        self._note(one)
                silent = [url for url, one in found.items() if not isinstance(one, Identity)]
        finally:
            self._asking_again = None

    async def _answers(self, urls: Sequence[str]) -> dict[str, Identity | Exception]:
        """The server of each URL, or why it cannot be reached."""

        async def answer(url: str) -> Identity | Exception:
            try:
                return await self._ask(url)
            except UNAVAILABLE_ERRORS as error:
                return error

        return dict(zip(urls, await asyncio.gather(*map(answer, urls)), strict=True))

    async def _ask(self, url: str) -> Identity:
        connection, identity = await self._opened(url, command_timeout=self._seconds)
        connection.terminate()
        return identity

    async def _open(self, url: str, **options: Any) -> Any:
        connection, identity = await self._opened(url, **options)
        try:
            self._note(identity)
            self._require_usable(url, identity)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _opened(self, url: str, **options: Any) -> tuple[Any, Identity]:
        try:
            connection = await asyncpg.connect(
                url, timeout=self._seconds, connection_class=DatabaseConnection, **options
            )
            try:
                return connection, await identity_of(connection, self._seconds)
            except BaseException:
                connection.terminate()
                raise
        except TimeoutError:
            raise NoResponse from None

    def _note(self, identity: Identity) -> None:
        newest = self._newest
        if newest is None or newest.timeline == 0:
            self._newest = identity
        elif identity.system_identifier == newest.system_identifier and identity.timeline > newest.timeline:
            self._newest = identity
            self.ask_all_next()
            log.warning("newer timeline of the database", timeline=identity.timeline, before=newest.timeline)
            self._on_newer_timeline()

    def _require_one_cluster(self, answers: dict[str, Identity]) -> None:
        """Before one of them is known, none of several database clusters is the right one."""
        clusters = {identity.system_identifier for identity in answers.values() if identity.system_identifier}
        if self._newest is None and len(clusters) > 1:
            raise RefusedServer("the hosts of its URL belong to different database clusters")

    def _require_usable(self, url: str, identity: Identity) -> None:
        newest = self._newest
        assert newest is not None
        is_known = identity.timeline > 0 and newest.timeline > 0
        if is_known and identity.system_identifier != newest.system_identifier:
            self._report(url, identity, "server of another database cluster refused")
            raise RefusedServer(
                "the server belongs to another database cluster than before; restart Backbench if that is intended"
            )
        if is_known and identity.timeline < newest.timeline:
            self._report(url, identity, "old primary refused")
            raise RefusedServer(
                f"the server was the primary before a failover: its timeline is {identity.timeline}, "
                f"and the newest is {newest.timeline}",
                is_unreachable=True,
            )
        if identity.is_standby and self._needs_primary:
            raise asyncpg.TargetServerAttributeNotMatched

    def _report(self, url: str, identity: Identity, event: str) -> None:
        """Once for each server, since every attempt finds it again."""
        if (url, identity) not in self._reported:
            self._reported.add((url, identity))
            assert self._newest is not None
            log.error(event, host=_host(url), timeline=identity.timeline, newest=self._newest.timeline)


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]
