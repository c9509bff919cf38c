"""Two writes at once on PostgreSQL: one is committed just before the first change of the other, from one state.

The state is kept in a schema of the database, and every run begins from it with the same ids.
"""

import asyncio
import contextlib
import itertools
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import Context, ContextVar
from http import HTTPStatus
from typing import Any
from zlib import crc32

import httpx
import pytest

from backbench.engine.postgres.handles import TransactionHandle
from backbench.http.concurrency import ConcurrencyLimit

Send = Callable[[], Awaitable[httpx.Response]]
# Rows, each with 1 where it has been added and -1 where it has been removed.
Changes = Counter[str]
# Where they differ, nobody has lost anything: counts of requests, when a session was last used, bytes that are counted.
_IGNORED_TABLES = {"attempts", "migrations"}
# The size of a PDF depends on the ids and times in it.
_IGNORED_COLUMNS = (
    "last_seen_at",
    "idle_until",
    "last_used_at",
    "data_bytes",
    "counted_version",
    "size_bytes",
    "storage_used_bytes",
    # Whose entry is added first, which neither order of the two decides for all of their entries.
    "version",
)
_IGNORED = "'{" + ",".join(_IGNORED_COLUMNS) + "}'::text[]"
# Ids, times and secrets. New ones differ from run to run.
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_VALUES = re.compile(rf"{_UUID}|\d{{4}}-\d\d-\d\dT[\d:.]+Z|[\w+/=-]{{20,}}")
_IDS = re.compile(_UUID)
_WAITING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
_KEYS = """
    SELECT c.table_name::text, k.column_name::text FROM information_schema.table_constraints c
    JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
    WHERE c.table_schema = 'public' AND c.constraint_type = 'PRIMARY KEY' ORDER BY 1, k.ordinal_position
"""
_NOTES = f"""
    SET session_replication_role = replica;
    CREATE SCHEMA saved;
    CREATE TABLE saved.changes (name text, removed text, added text);
    CREATE FUNCTION saved.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO saved.changes
        VALUES (TG_TABLE_NAME, (to_jsonb(OLD) - {_IGNORED})::text, (to_jsonb(NEW) - {_IGNORED})::text);
        RETURN NULL;
    END $$
"""
_RESTORES_BEFORE_VACUUM = 100
# Requests that wait for a slot, which another request of the account has.
_in_queues = 0


class _Moment:
    """The moment at which a request is about to send a statement that changes something.

    `transaction` and `change` are its number among those of the request that change something, and the number of the
    change in it, from 1.
    """

    def __init__(self, transaction: int = 0, change: int = 0, act: Callable[[], Awaitable[None]] | None = None) -> None:
        self._at = (transaction, change)
        self._act = act
        self._db: Any = None
        self._has_read = False
        self.transactions = 0
        # Of the latest of them.
        self.changes = 0
        self.after_reads: list[int] = []

    async def before(self, db: Any, sql: str) -> None:
        if sql.lstrip().startswith("SELECT"):
            self._has_read = True
            return
        if self._db is not db:
            self._db, self.changes, self.after_reads = db, 0, []
            self.transactions += 1
        self.changes += 1
        if self._has_read:
            self.after_reads.append(self.changes)
        self._has_read = False
        if self._act is not None and (self.transactions, self.changes) == self._at:
            act, self._act = self._act, None
            await act()


_moment: ContextVar[_Moment | None] = ContextVar("_moment", default=None)


def observe(patch: pytest.MonkeyPatch) -> None:
    """From now on requests know when they are about to change something, and those that wait for a slot are counted."""

    def observed(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(self: Any, *arguments: Any, **values: Any) -> Any:
            if (moment := _moment.get()) is not None:
                await moment.before(self, [each for each in arguments if isinstance(each, str)][-1])
            return await method(self, *arguments, **values)

        return call

    for name in ("one", "all", "value", "run", "change", "value_after_changes"):
        patch.setattr(TransactionHandle, name, observed(getattr(TransactionHandle, name)))
    slot = ConcurrencyLimit.slot

    @contextlib.asynccontextmanager
    async def counted(limit: ConcurrencyLimit, uid: str) -> AsyncIterator[Callable[[], None]]:
        global _in_queues
        _in_queues += 1
        async with contextlib.AsyncExitStack() as stack:
            try:
                stop_counting = await stack.enter_async_context(slot(limit, uid))
            finally:
                _in_queues -= 1
            yield stop_counting

    patch.setattr(ConcurrencyLimit, "slot", counted)


class SavedState:
    """The rows of a database at one moment, to which it returns as often as wanted.

    Triggers note each row that changes: to read and compare all rows after each run would take most of its time.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._changed: set[str] = set()
        self._restored: Counter[str] = Counter()
        self._known: set[str] = set()
        self._keys: dict[str, list[str]] = {}

    @classmethod
    async def of(cls, connection: Any) -> "SavedState":
        self = cls(connection)
        sql = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'"
        tables = sorted({row[0] for row in await connection.fetch(sql)} - {"migrations"})
        for table, column in await connection.fetch(_KEYS):
            self._keys.setdefault(table, []).append(column)
        await connection.execute(_NOTES)
        for table in tables:
            await connection.execute(f"CREATE TABLE saved.{table} AS TABLE public.{table}")
            if table not in _IGNORED_TABLES:
                await connection.execute(
                    f"CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON public.{table}"
                    " FOR EACH ROW EXECUTE FUNCTION saved.note()"
                )
                texts = await connection.fetch(f"SELECT to_jsonb(t)::text FROM {table} t")
                self._known.update(_VALUES.findall("\n".join(row[0] for row in texts)))
        # In a function, the statements are planned once.
        restored = "".join(
            f"IF '{table}' = ANY (tables) THEN"
            f" DELETE FROM public.{table}; INSERT INTO public.{table} SELECT * FROM saved.{table}; END IF; "
            for table in tables
        )
        await connection.execute(
            "CREATE FUNCTION saved.restore(tables text[]) RETURNS void LANGUAGE plpgsql AS"
            f" $$ BEGIN DELETE FROM saved.changes; {restored} END $$"
        )
        return self

    def key_of(self, row: str) -> str:
        """The value of the primary key of the row; with several columns their names and the table as well."""
        table, _, text = row.partition(" ")
        values = json.loads(text)
        key = {column: values[column] for column in self._keys[table] if column in values}
        return str(*key.values()) if len(key) == 1 else f"{table} {key}"

    async def restore(self) -> None:
        """Only tables that have changed, and the counts of requests."""
        tables = {*self._changed, "attempts"}
        await self._connection.fetchval("SELECT saved.restore($1)", tables)
        self._changed.clear()
        self._restored.update(tables)
        # What has been deleted is read by each statement until then.
        if self._restored["attempts"] == _RESTORES_BEFORE_VACUUM:
            await self._connection.execute(f"VACUUM saved.changes, {', '.join(self._restored)}")
            self._restored.clear()

    async def changes(self) -> Changes:
        """What differs from the saved rows, with the same word for every new id, time and secret."""
        changes: Changes = Counter()
        for table, removed, added in await self._connection.fetch("SELECT * FROM saved.changes"):
            self._changed.add(table)
            # What a row was between two changes is added once and removed once.
            if removed is not None:
                changes[f"{table} {removed}"] -= 1
            if added is not None:
                changes[f"{table} {added}"] += 1
        compared: Changes = Counter()
        for row, number in changes.items():
            if number == 0:
                continue
            if number > 0:
                row = _VALUES.sub(lambda found: found[0] if found[0] in self._known else "new", row)
            compared[row] += number
        return compared

    async def is_waited(self) -> bool:
        """Whether a transaction waits for a lock."""
        return bool(await self._connection.fetchval(_WAITING))


class Write:
    """A request of the races, of an operation of the table."""

    def __init__(self, operation: str, name: str, send: Send) -> None:
        self.operation = operation
        self.name = name
        self.send = send
        # Of the request alone: its status, the number of its transactions that change something, and in the last one
        # the numbers of the changes before which something was read.
        self.status = 0
        self.transactions = 0
        self.changes: list[int] = []
        # The keys of the rows that it changes or deletes, and those with all that its rows refer to.
        self.changed: set[str] = set()
        self.named: set[str] = set()

    async def learn(self, state: SavedState) -> None:
        await state.restore()
        moment = _Moment()
        token = _moment.set(moment)
        response = await self.send()
        _moment.reset(token)
        self.status, self.transactions = response.status_code, moment.transactions
        self.changes = moment.after_reads
        changes = await state.changes()
        self.changed = {state.key_of(row) for row in -changes}
        self.named = self.changed | {
            id_ for row in changes if not row.startswith("audit_entries ") for id_ in _IDS.findall(row)
        }


class Outcome:
    """The changes of requests, and their statuses."""

    def __init__(self, changes: Changes, statuses: tuple[int, ...]) -> None:
        self.changes = changes
        self.statuses = statuses

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and (self.changes, self.statuses) == (other.changes, other.statuses)

    __hash__ = None  # type: ignore[assignment]

    def differs_from(self, other: "Outcome") -> list[str]:
        """What is not as in the other: rows that are missing (-) and those that should not be (+)."""
        more = Counter(self.changes)
        more.subtract(other.changes)
        lines = [f"- {row}" for row in (-more).elements()] + [f"+ {row}" for row in (+more).elements()]
        if self.statuses != other.statuses:
            lines.append(f"statuses {self.statuses} instead of {other.statuses}")
        return lines


class Races:
    def __init__(self, state: SavedState) -> None:
        self._state = state
        self._serial: dict[tuple[str, ...], Outcome] = {}

    async def violation(self, first: Write, rival: Write, change: int) -> str:
        """How `first`, with `rival` just before that change, differs from the two in either order.

        Empty if it does not, or if one was refused with a conflict because of the other, and changed nothing.
        """
        raced = await self._race(first, rival, change)
        expected = [await self._in_order(first, rival)]
        if raced != expected[0]:
            turned = await self._in_order(rival, first)
            expected.append(Outcome(turned.changes, turned.statuses[::-1]))
        if raced.statuses[0] == HTTPStatus.CONFLICT:
            alone = await self._in_order(rival)
            expected.append(Outcome(alone.changes, (HTTPStatus.CONFLICT, *alone.statuses)))
        if raced.statuses[1] == HTTPStatus.CONFLICT:
            alone = await self._in_order(first)
            expected.append(Outcome(alone.changes, (*alone.statuses, HTTPStatus.CONFLICT)))
        if raced in expected:
            return ""
        closest = min((raced.differs_from(other) for other in expected), key=len)
        return "\n    ".join(closest)

    async def _in_order(self, *writes: Write) -> Outcome:
        key = tuple(write.name for write in writes)
        if key not in self._serial:
            await self._state.restore()
            statuses = tuple([(await write.send()).status_code for write in writes])
            self._serial[key] = Outcome(await self._state.changes(), statuses)
        return self._serial[key]

    async def _race(self, first: Write, rival: Write, change: int) -> Outcome:
        await self._state.restore()
        running: list[asyncio.Task[httpx.Response]] = []

        async def run_rival() -> None:
            running.append(asyncio.create_task(_sent(rival), context=Context()))
            # Most end within this time, and are not looked for among what waits.
            while not (await asyncio.wait(running, timeout=0.01))[0]:
                if _in_queues or await self._state.is_waited():
                    return

        token = _moment.set(_Moment(first.transactions, change, run_rival))
        status = (await first.send()).status_code
        _moment.reset(token)
        assert running, f"{first.name} has no change {change}"
        statuses = status, (await running[0]).status_code
        return Outcome(await self._state.changes(), statuses)


async def _sent(write: Write) -> httpx.Response:
    return await write.send()


def pairs_of(writes: list[Write]) -> list[tuple[Write, Write]]:
    """Pairs of which the second changes or deletes a row that the first changes as well, or refers to.

    What most writes name is no reason: their workshop, its owner, its version.
    """
    named = Counter(name for write in writes for name in write.named)
    common = {name for name, number in named.items() if number > len(writes) / 2}
    return [
        (first, rival) for first, rival in itertools.product(writes, repeat=2) if (first.named & rival.changed) - common
    ]


def _chance(first: Write, rival: Write) -> int:
    """The same for the two in either order, and in any process."""
    return crc32(" ".join(sorted((first.operation, rival.operation))).encode())


def part_of(first: Write, rival: Write, parts: int) -> int:
    """The part of all pairs to which the two belong."""
    return _chance(first, rival) % parts


def some_of_each(pairs: list[tuple[Write, Write]], number: int) -> list[tuple[Write, Write]]:
    """As many that each operation has that many rivals, or all that it has."""
    rivals: dict[str, set[str]] = {write.operation: set() for pair in pairs for write in pair}
    for first, rival in sorted(pairs, key=lambda pair: _chance(*pair)):
        one, other = rivals[first.operation], rivals[rival.operation]
        if min(len(one), len(other)) < number:
            one.add(rival.operation)
            other.add(first.operation)
    return [(first, rival) for first, rival in pairs if rival.operation in rivals[first.operation]]


def one_of_each(pairs: list[tuple[Write, Write]]) -> list[tuple[Write, Write]]:
    """For each two operations the requests that have most in common, in both orders; of equals, different ones."""

    def rank(pair: tuple[Write, Write]) -> tuple[int, bool]:
        return len(pair[0].named & pair[1].changed), pair[0] is not pair[1]

    best: dict[frozenset[str], frozenset[str]] = {}
    for first, rival in sorted(pairs, key=rank):
        best[frozenset((first.operation, rival.operation))] = frozenset((first.name, rival.name))
    chosen = set(best.values())
    return [(first, rival) for first, rival in pairs if frozenset((first.name, rival.name)) in chosen]
