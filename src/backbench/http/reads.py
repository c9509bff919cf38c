"""The way of a read: credentials, object and verb in one read transaction, ETags, and If-Match against them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import xxhash

from backbench.accounts.sessions import JoinedLookup, SeparateLookup
from backbench.engine.database import Read, Row, Value, Write
from backbench.engine.rows import RowWriter
from backbench.http.bodies import Bound, Values, values_of
from backbench.http.context import Context
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import (
    Representations,
    Response,
    etag,
    linked,
    matches,
    plain_tags,
    tag_of,
    with_first_piece,
)
from backbench.http.streaming import json_pieces, large_list
from backbench.values.calls import NOBODY, Call, Caller
from backbench.values.errors import PreconditionFailed
from backbench.values.ids import new_id
from backbench.values.pagination import Page
from backbench.values.times import Instant


class Reads:
    def __init__(self, operation: Operation, context: Context, representations: Representations) -> None:
        self._operation = operation
        self._context = context
        self._db = context.db
        self._authenticator = context.authenticator
        self._representations = representations
        self._verb = Bound(operation, operation.verb)
        self._access = operation.access
        self._query = operation.query
        self._on = operation.on

    async def respond(self, request: Request, now: Instant) -> Response:
        """Credentials and verb in one statement where the path names an object."""
        async with self._db.read() as db:
            caller, row = NOBODY, None
            if self._access.needs_session:
                if self._on is None:
                    caller = await self._authenticator.caller(SeparateLookup(db), request, self._access, now)
                else:
                    lookup = JoinedLookup(db, self._on, request.params[self._on.key])
                    caller = await self._authenticator.caller(lookup, request, self._access, now)
                    row = lookup.row
            result = await self._act(db, request, caller, now, row)
            is_large = isinstance(result, Page) and result.pieces is not None
            response = None if is_large else self._representations.response(result, request)
        if response is None:
            return await self._large_list(result, request, caller)
        if response.pieces is None:
            return response
        return await with_first_piece(response, response.pieces, request.method)

    async def tag(self, db: Read, request: Request, caller: Caller, now: Instant) -> bytes:
        """The ETag of this representation, also for a request to a path below it. Raises NotFound, Forbidden."""
        result = await self._act(db, request, caller, now)
        if isinstance(result, Page) and result.pieces is not None:
            digest = xxhash.xxh3_128()
            async for piece in json_pieces(db, result, self._empty(result)):
                digest.update(piece)
            return tag_of(digest)
        return result.header(b"etag") if isinstance(result, Response) else etag(self._representations.encode(result))

    async def _act(
        self, db: Read, request: Request, caller: Caller, now: Instant, row: Sequence[Any] | None = None
    ) -> Any:
        """`row`: that of the object, where it was read with the credentials."""
        call = Call(caller, now, new_id, request.quotas, lambda: request.client(self._context.trusted_proxies))
        values = values_of(self._query, request, call, self._context.services)
        values["db"] = db
        if self._on is not None:
            values |= (
                await self._on.arguments(db, call, request.params[self._on.key])
                if row is None
                else self._on.arguments_of(row, call)
            )
        return await self._verb(values)

    def _empty(self, page: Page[Any]) -> Any:
        """The list without its items."""
        return page.in_shape(self._operation.response, ())

    async def _large_list(self, page: Page[Any], request: Request, caller: Caller) -> Response:
        response = await large_list(request, self._db, page, self._empty(page), caller.uid, self._context.large_lists)
        return linked(response, page, request)


Permit = Callable[[Read, Call, Request], Awaitable[None]]


class Preconditions:
    """The precondition of one operation."""

    def __init__(self, permit: Permit) -> None:
        self._permit = permit
        # The GET of what the operation changes. Where there is none, there is no entity tag that could match.
        self.representation: Reads | None = None

    async def act(self, db: Write, verb: Bound, values: Values, if_match: bytes) -> Any:
        """Runs the verb under the precondition. Raises PreconditionFailed."""
        request, call = values["request"], values["call"]
        if self.representation is None:
            # Rejected with the transaction: what the verb rejects by its own rules comes first.
            result = await verb({**values, "db": db})
            if if_match.strip() != b"*":
                raise PreconditionFailed
            return result

        async def require(db: Write) -> None:
            # Locks the row of the representation, so that nothing changes it before the verb does.
            if not await self._matches(db.locking(), request, call, if_match):
                await self._permit(db, call, request)
                raise PreconditionFailed

        conditional = PreconditionedWrite(db, require)
        result = await verb({**values, "db": conditional})
        # A verb that changed nothing has not evaluated it.
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

    By then the verb has taken its locks and judged its rules, so a request that is rejected without If-Match is
    rejected for the same reason with it (RFC 9110, 13.2.1), and everybody takes the same locks in the same order:
    those of the verb first, then the row that `require` locks, which is the one that is about to change.
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

    async def change(self, table: str, sql: str, values: Mapping[str, Value], /) -> None:
        await self.evaluate()
        await self._db.change(table, sql, values)

    async def value_after_changes(self, sql: str, is_last: bool, values: Mapping[str, Value], /) -> Any:
        await self.evaluate()
        return await self._db.value_after_changes(sql, is_last, values)

    async def lock(self, name: str, /) -> None:
        await self._db.lock(name)

    def locking(self, *tables: str) -> Read:
        return self._db.locking(*tables)

    async def _before(self, sql: str) -> None:
        if not sql.lstrip().startswith("SELECT"):
            await self.evaluate()
