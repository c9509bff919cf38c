"""Read path: authentication and action in one read transaction, and the ETag of what an operation reads."""

from typing import Any

import xxhash

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.pagination import Page
from backbench.domain.values.times import Instant
from backbench.http.arguments import Arguments
from backbench.http.authentication import Authenticator
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.endpoints.results import Results, linked
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import Response, etag, started, tag_of
from backbench.http.streaming.large_lists import json_pieces, large_list
from backbench.storage.accounts.credentials import Alone, WithRead
from backbench.storage.engine.database import Database, Read


class Reads:
    def __init__(
        self,
        operation: Operation,
        db: Database,
        authenticator: Authenticator,
        arguments: Arguments,
        results: Results,
        large_lists: ConcurrencyLimit,
    ) -> None:
        self._operation = operation
        self._db = db
        self._authenticator = authenticator
        self._arguments = arguments
        self._results = results
        self._large_lists = large_lists
        self._action = operation.action
        self._access = operation.access
        self._reads = operation.reads

    async def respond(self, request: Request, now: Instant) -> Response:
        """Authentication and action in one read transaction, and in one statement where the operation says what."""
        async with self._db.read() as db:
            caller = None
            if self._access.needs_session:
                lookup = (
                    Alone(db) if self._reads is None else WithRead(db, self._reads, request.params[self._reads.key])
                )
                caller = await self._authenticator.caller(lookup, request, self._access, now)
                db = lookup.db
            result = await self._action(**self._arguments.bind(request, caller, now, db))
            is_large = isinstance(result, Page) and result.pieces is not None
            response = None if is_large else self._results.response(result, request)
        if response is None:
            return await self._large_list(result, request, caller)
        return response if response.pieces is None else await started(response, response.pieces, request.method)

    async def tag(self, db: Read, request: Request, caller: Caller | None, now: Instant) -> bytes:
        """The ETag of this representation, also for a request to a path below it. Raises NotFound, Forbidden."""
        values = self._arguments.bind(request, caller, now, db)
        result = await self._action(**{name: values[name] for name in values if name in self._arguments.names})
        if isinstance(result, Page) and result.pieces is not None:
            digest = xxhash.xxh3_128()
            async for piece in json_pieces(db, result, self._operation.response(())):
                digest.update(piece)
            return tag_of(digest)
        return result.header(b"etag") if isinstance(result, Response) else etag(self._results.encode(result))

    async def _large_list(self, page: Page[Any], request: Request, caller: Caller | None) -> Response:
        assert caller is not None
        empty_list = self._operation.response(())
        response = await large_list(request, self._db, page, empty_list, caller.uid, self._large_lists)
        return linked(response, page, request)
