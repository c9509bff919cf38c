"""Write path: credentials, body, then the action, its audit entry and its stored response in one transaction."""

from time import monotonic

from backbench.domain.operations.idempotency import IdempotentRequest, StoredResponse
from backbench.domain.values import times
from backbench.domain.values.times import Instant
from backbench.http.arguments import Arguments
from backbench.http.bodies import Body
from backbench.http.endpoints.audit_entries import AuditEntries
from backbench.http.endpoints.credentials import Credentials
from backbench.http.endpoints.preconditions import Preconditions
from backbench.http.endpoints.replays import Replays
from backbench.http.endpoints.results import Results
from backbench.http.endpoints.runs import Run
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.storage.engine.database import Database, Write
from backbench.storage.operations import idempotency


class Writes:
    def __init__(
        self,
        operation: Operation,
        db: Database,
        arguments: Arguments,
        credentials: Credentials,
        preconditions: Preconditions,
        results: Results,
        replays: Replays,
        entries: AuditEntries,
    ) -> None:
        self._db = db
        self._arguments = arguments
        self._credentials = credentials
        self._preconditions = preconditions
        self._results = results
        self._replays = replays
        self._entries = entries
        self._action = operation.action
        self._is_in_transaction = operation.handle is Write
        self._body = Body(operation.body) if operation.body is not None and arguments.takes_body else None

    async def respond(self, request: Request, now: Instant) -> Response:
        run = Run(request, now)
        run.caller = await self._credentials.caller(request, now)
        raw = b""
        if self._body is not None:
            raw = await request.json_body()
            run.received = len(raw)
            if run.is_slow:
                await self._read_again(run)
        run.values = self._arguments.bind(request, run.caller, run.now, self._db)
        if self._body is not None:
            run.values["body"] = self._body.read(raw)
        return await self._act(run, self._replays.request(run, raw))

    async def _read_again(self, run: Run) -> None:
        """Reads the clock after a slow body, and sees to it that the credentials are checked again."""
        run.now = times.now()
        run.must_check = True
        if not self._is_in_transaction:
            run.caller = await self._credentials.caller(run.request, run.now)
            run.must_check, run.checked_at = False, monotonic()

    async def _act(self, run: Run, idempotent: IdempotentRequest | None) -> Response:
        if_match = self._preconditions.if_match(run.request)

        async def work(db: Write) -> Response | StoredResponse:
            if idempotent is not None and not await idempotency.claim(db, idempotent, run.now):
                return await self._replays.replay(db, run, idempotent)
            if if_match is None:
                run.values["db"] = db
                result = await self._action(**run.values)
            else:
                result = await self._preconditions.act(db, run, if_match)
            response = self._results.response(result, run.request)
            await self._entries.add(db, run, result, len(response.body), run.now)
            if idempotent is not None:
                stored = self._replays.stored(idempotent.fingerprint, response)
                await idempotency.save_response(db, idempotent, stored, idempotent.ends_at)
            return response

        response = await self._credentials.transaction(run, work)
        if isinstance(response, StoredResponse):
            # A replay is not counted against a limit a second time.
            run.request.quotas.clear()
            return self._replays.response(response, run.request)
        return response
