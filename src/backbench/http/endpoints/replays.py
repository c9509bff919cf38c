"""Replays: the stored response of a request with an Idempotency-Key, for a repetition of it."""

from backbench.domain.operations.idempotency import IdempotentRequest, StoredResponse
from backbench.http.endpoints.permissions import Permission
from backbench.http.endpoints.results import Results
from backbench.http.endpoints.runs import Run
from backbench.http.idempotency import (
    first_failed,
    idempotent_request,
    replayed_response,
    require_same_form,
    require_same_payload,
)
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.storage.engine.database import Read, Write
from backbench.storage.operations import idempotency


class Replays:
    def __init__(self, operation: Operation, results: Results, permission: Permission, seconds: int) -> None:
        self.seconds = seconds
        self._results = results
        self._permission = permission
        self._takes_key = operation.takes_key
        self._is_secret = operation.is_secret
        self._has_form = operation.form is not None

    def request(self, run: Run, body: bytes) -> IdempotentRequest | None:
        """The request with its Idempotency-Key; None without one. Raises ValidationError for a malformed key."""
        if run.caller is None or not self._takes_key:
            return None
        return idempotent_request(run.request, run.caller, body, run.now, self.seconds)

    async def replay(self, db: Write, run: Run, repeated: IdempotentRequest) -> StoredResponse:
        """Raises Forbidden where the caller may no longer do what it repeats."""
        stored = await idempotency.lookup(db, repeated)
        await self._permission.require(db, run)
        return require_same_payload(stored, repeated)

    async def find(self, db: Read, run: Run, repeated: IdempotentRequest) -> StoredResponse | None:
        """The same for an action that makes its own transactions, whose payload `compared` compares."""
        stored = await idempotency.lookup(db, repeated)
        await self._permission.require(db, run, stored)
        return stored

    async def compared(self, run: Run, repeated: IdempotentRequest, stored: StoredResponse | None) -> StoredResponse:
        if not self._has_form:
            return require_same_payload(stored, repeated)
        if stored is None:
            raise first_failed()
        await require_same_form(run.request, stored)
        return stored

    def response(self, stored: StoredResponse, request: Request) -> Response:
        response = replayed_response(stored)
        response.headers += self._results.returned.stored_headers(request.params, response.body)
        return response

    def stored(self, fingerprint: str, response: Response) -> StoredResponse:
        body = None if self._is_secret else response.body.decode()
        return StoredResponse(fingerprint, response.status, body)
