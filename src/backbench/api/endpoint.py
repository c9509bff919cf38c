"""The adapter between HTTP and an action: access, body, the transaction, the answer. One for every operation."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct

from backbench.api.access import Door
from backbench.api.answers import Answer, empty, etag, json_answer, matches, streamed, tagged
from backbench.api.bodies import Body, query_values
from backbench.api.operations import Operation
from backbench.api.requests import Request, known_ids
from backbench.domain import times
from backbench.domain.errors import PreconditionFailed
from backbench.domain.ids import new_id
from backbench.domain.numbers import to_json
from backbench.domain.pages import Page
from backbench.domain.sessions import Caller
from backbench.storage.database import Database, Read, Write

Act = Callable[..., Awaitable[Any]]


class Endpoint:
    """Answers requests for one operation. `parts` are what actions may ask for by name beside the request's own."""

    def __init__(self, operation: Operation, db: Database, door: Door, parts: Mapping[str, Any]) -> None:
        self.operation = operation
        self._db = db
        self._door = door
        self._act: Act = operation.does
        names = operation.takes_names
        self._handle = operation.handle
        self._body = Body(operation.body) if operation.body is not None else None
        self._gives_body = "body" in names
        self._query = operation.query
        self._gives_now = "now" in names
        self._gives_caller = "caller" in names
        self._gives_request = "request" in names
        self._fixed = {name: part for name, part in parts.items() if name in names}
        if "new_id" in names:
            self._fixed["new_id"] = new_id
        # The GET of the same path: what If-Match is held against.
        self.representation: Endpoint | None = None

    async def answer(self, request: Request) -> Answer:
        now = times.now()
        known_ids(request.params)
        if self._handle is Read:
            async with self._db.read() as db:
                caller = await self._caller(db, request, now)
                return self._shown(await self._act(**self._values(request, caller, now, db=db)), request)
        caller = await self._let_in(request, now)
        values = self._values(request, caller, now, db=self._db)
        if self._body is not None and self._gives_body:
            values["body"] = self._body.read(await request.json_body())
        if self._handle is not Write:
            return self._shown(await self._called(values), request)
        return self._shown(await self._written(request, caller, values, now), request)

    async def _caller(self, db: Read, request: Request, now: str) -> Caller | None:
        if not self.operation.access.needs_session:
            return None
        return await self._door.caller(db, request, self.operation.access, now)

    async def _let_in(self, request: Request, now: str) -> Caller | None:
        if not self.operation.access.needs_session:
            return None
        async with self._db.read() as db:
            return await self._door.caller(db, request, self.operation.access, now)

    def _values(self, request: Request, caller: Caller | None, now: str, db: Any) -> dict[str, Any]:
        """The action's arguments."""
        values = {**self._fixed, **request.params}
        if self._handle is not None:
            values["db"] = db
        if self._gives_caller:
            values["caller"] = caller
        if self._gives_now:
            values["now"] = now
        if self._gives_request:
            values["request"] = request
        if self._query is not None:
            values["query"] = self._read_query(request)
        return values

    def _read_query(self, request: Request) -> Any:
        text: bytes = request.scope["query_string"]
        pairs = parse_qsl(text.decode("latin-1"), keep_blank_values=True, errors="surrogateescape") if text else []
        return query_values(self._query, pairs)

    async def _called(self, values: dict[str, Any]) -> Any:
        """An action that makes its own transactions, or one that answers piece by piece."""
        result = self._act(**values)
        if isinstance(result, AsyncIterator):
            # The first piece is made before the status goes out: until then the action may still refuse.
            first = await anext(result)
            return streamed(_preceded(first, result))
        return await result

    async def _written(self, request: Request, caller: Caller | None, values: dict[str, Any], now: str) -> Any:
        expected = request.headers.get(b"if-match") if self.operation.method != "POST" else None

        async def work(db: Write) -> Any:
            if expected is not None and self.representation is not None:
                await self.representation.must_match(db, request, caller, now, expected)
            return await self._act(**{**values, "db": db})

        return await self._db.write(work, alone=expected is not None)

    async def must_match(
        self, db: Read, request: Request, caller: Caller | None, now: str, expected: bytes
    ) -> None:
        """Raises PreconditionFailed unless the representation, read in the same transaction, has the tag.

        Reading it authorizes as well, so that a stranger learns nothing from an If-Match.
        """
        shown = await self._act(**self._values(request, caller, now, db=db))
        if not matches(etag(_encoded(shown)), expected, weakly=False):
            raise PreconditionFailed

    def _shown(self, result: Any, request: Request) -> Answer:
        if isinstance(result, Answer):
            return result
        if result is None:
            return empty(self.operation.status)
        answer = json_answer(self.operation.status, _encoded(result))
        if isinstance(result, Page) and result.following is not None:
            answer.headers.append((b"link", _link(request, result.following)))
        if request.method in ("GET", "HEAD"):
            return tagged(answer, request.headers.get(b"if-none-match"))
        return answer


def _encoded(result: Any) -> bytes:
    if isinstance(result, bytes):
        return result
    if isinstance(result, Page):
        return result.json
    assert isinstance(result, Struct)
    return to_json(result)


async def _preceded(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


def _link(request: Request, cursor: str) -> bytes:
    """Where the list goes on: the same query with the next cursor."""
    query: bytes = request.scope["query_string"]
    kept = [pair for pair in query.split(b"&") if pair and not pair.startswith(b"cursor=")]
    following = b"&".join([*kept, b"cursor=" + cursor.encode()])
    path: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    return b"<%s?%s>; rel=\"next\"" % (path, following)
