"""If-Match of a write: compared with the ETag of what it changes, in its transaction, just before the first change."""

from collections.abc import Awaitable, Callable
from typing import Any

from backbench.accounts.calls import Call
from backbench.engine.database import Read, Row, Value, Write
from backbench.engine.rows import RowWriter
from backbench.http.arguments import Bound, Values
from backbench.http.compression import plain_tags
from backbench.http.reads import Reads
from backbench.http.requests import Request
from backbench.http.responses import matches
from backbench.values.errors import PreconditionFailed

Permit = Callable[[Read, Call, Request], Awaitable[None]]


class Preconditions:
    """The precondition of one operation."""

    def __init__(self, permit: Permit) -> None:
        self._permit = permit
        # The GET of what the operation changes. Where there is none, there is no entity tag that could match.
        self.representation: Reads | None = None

    async def act(self, db: Write, action: Bound, values: Values, if_match: bytes) -> Any:
        """Runs the action under the precondition. Raises PreconditionFailed."""
        request, call = values["request"], values["call"]
        if self.representation is None:
            # Rejected with the transaction: what the action rejects by its own rules comes first.
            result = await action({**values, "db": db})
            if if_match.strip() != b"*":
                raise PreconditionFailed
            return result

        async def require(db: Write) -> None:
            # Locks the row of the representation, so that nothing changes it before the action does.
            if not await self._matches(db.locking(), request, call, if_match):
                await self._permit(db, call, request)
                raise PreconditionFailed

        conditional = PreconditionedWrite(db, require)
        result = await action({**values, "db": conditional})
        # An action that changed nothing has not evaluated it.
        await conditional.evaluate()
        return result

    async def require(self, db: Read, request: Request, call: Call) -> None:
        """The same before a `prepare`, which would be for nothing. Raises PreconditionFailed."""
        if_match = request.headers.get(b"if-match")
        if self.representation is None or if_match is None:
            return
        if not await self._matches(db, request, call, if_match):
            raise PreconditionFailed

    async def _matches(self, db: Read, request: Request, call: Call, if_match: bytes) -> bool:
        """Whether If-Match holds. Reading the representation authorizes, so that a stranger learns nothing from it."""
        assert self.representation is not None
        tag = await self.representation.tag(db, request, call.caller, call.now)
        return matches(tag, plain_tags(if_match), weakly=False)


class PreconditionedWrite(RowWriter):
    """A transaction that evaluates a precondition before its first statement that changes something.

    By then the action has taken its locks and judged its rules, so a request that is rejected without If-Match is
    rejected for the same reason with it (RFC 9110, 13.2.1), and everybody takes the same locks in the same order:
    those of the action first, then the row that `require` locks, which is the one that is about to change.
    """

    def __init__(self, db: Write, require: Callable[[Write], Awaitable[None]]) -> None:
        """`require` raises PreconditionFailed; what it finds must hold until the end of the transaction."""
        self._db = db
        self._require = require
        self._is_evaluated = False
        self.catalog = db.catalog
        self.skip_locked = db.skip_locked
        self.has_changes_in_with = db.has_changes_in_with

    async def evaluate(self) -> None:
        """Evaluates the precondition, once. Raises PreconditionFailed."""
        if not self._is_evaluated:
            self._is_evaluated = True
            await self._require(self._db)

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        await self._before(sql)
        return await self._db.one(type_, sql, **values)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        await self._before(sql)
        return await self._db.all(type_, sql, **values)

    async def value(self, sql: str, /, **values: Value) -> Any:
        await self._before(sql)
        return await self._db.value(sql, **values)

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        return await self._db.utf8(sql, **values)

    async def run(self, sql: str, /, **values: Value) -> int:
        await self._before(sql)
        return await self._db.run(sql, **values)

    async def lock(self, name: str, /) -> None:
        await self._db.lock(name)

    def locking(self, *tables: str) -> Read:
        return self._db.locking(*tables)

    async def _before(self, sql: str) -> None:
        if not sql.lstrip().startswith("SELECT"):
            await self.evaluate()
