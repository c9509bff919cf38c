"""Reads: credentials and action in one read transaction, and the ETag of what an operation reads."""

from typing import Any

import xxhash

from backbench.accounts.calls import NOBODY, Call, Caller
from backbench.accounts.credentials import JoinedLookup, SeparateLookup
from backbench.engine.database import Read
from backbench.http.arguments import Bound, values_of
from backbench.http.context import Context
from backbench.http.operations import Operation
from backbench.http.representations import Representations, linked
from backbench.http.requests import Request
from backbench.http.responses import Response, etag, tag_of, with_first_piece
from backbench.http.streaming.large_lists import json_pieces, large_list
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
        self._action = Bound(operation, operation.action)
        self._access = operation.access
        self._query = operation.query
        self._on = operation.on

    async def respond(self, request: Request, now: Instant) -> Response:
        """Credentials and action in one statement where the path names an object."""
        async with self._db.read() as db:
            caller = NOBODY
            if self._access.needs_session:
                lookup = (
                    SeparateLookup(db) if self._on is None else JoinedLookup(db, self._on, request.params[self._on.key])
                )
                caller = await self._authenticator.caller(lookup, request, self._access, now)
                db = lookup.db
            result = await self._act(db, request, caller, now)
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
            async for piece in json_pieces(db, result, self._operation.response(())):
                digest.update(piece)
            return tag_of(digest)
        return result.header(b"etag") if isinstance(result, Response) else etag(self._representations.encode(result))

    async def _act(self, db: Read, request: Request, caller: Caller, now: Instant) -> Any:
        call = Call(caller, now, new_id, request.quotas, lambda: request.client(self._context.trusted_proxies))
        values = values_of(self._query, request, call, self._context.services)
        values["db"] = db
        if self._on is not None:
            values |= await self._on.arguments(db, call, request.params[self._on.key])
        return await self._action(values)

    async def _large_list(self, page: Page[Any], request: Request, caller: Caller) -> Response:
        empty_list = self._operation.response(())
        response = await large_list(request, self._db, page, empty_list, caller.uid, self._context.large_lists)
        return linked(response, page, request)
