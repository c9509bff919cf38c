"""Endpoint: answers the requests to one operation. It chooses the path: `reads.py`, `writes.py` or `actions.py`."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from backbench.domain.operations.idempotency import STORED_SECONDS
from backbench.domain.values import times
from backbench.domain.values.errors import Unauthenticated
from backbench.domain.values.times import Instant
from backbench.http.arguments import Arguments
from backbench.http.authentication import Authenticator
from backbench.http.compression import MIN_SIZE, VARY, compressed, encoding_for
from backbench.http.endpoints.actions import OwnTransactions
from backbench.http.endpoints.audit_entries import AuditEntries
from backbench.http.endpoints.checks import require_consistent
from backbench.http.endpoints.credentials import Credentials
from backbench.http.endpoints.permissions import Permission
from backbench.http.endpoints.preconditions import Preconditions
from backbench.http.endpoints.reads import Reads
from backbench.http.endpoints.replays import Replays
from backbench.http.endpoints.results import Results
from backbench.http.endpoints.writes import Writes
from backbench.http.operations import Operation
from backbench.http.requests import Request, known_ids
from backbench.http.responses import Response
from backbench.http.writes.representations import ReturnedResource
from backbench.storage.engine.database import Database, Read, Write


class Endpoint:
    """Handles requests of one operation. `provided` are the arguments that the application has for actions."""

    def __init__(
        self,
        operation: Operation,
        db: Database,
        authenticator: Authenticator,
        provided: Mapping[str, Any],
    ) -> None:
        self.operation = operation
        self.path = operation.path
        self.max_json_size = operation.max_json_size
        # Properties of the operation are worked out from its action at each use.
        self._takes_link = operation.access.takes_link
        self._sends_bytes = operation.sends_bytes
        # Called with the id of a workshop, once a change of it is committed.
        self._on_change: Callable[[str], None] = provided.get("on_change", _ignore)
        # Called for a request whose token no link has. Raises RateLimited.
        self._count_bad_token: Callable[[Request, Instant], Awaitable[None]] | None = provided.get("count_bad_token")
        arguments = Arguments(operation, provided)
        require_consistent(operation, arguments)
        self._results = Results(operation)
        self._reads = Reads(operation, db, authenticator, arguments, self._results, provided["large_lists"])
        permission = Permission(operation)
        self._preconditions = Preconditions(operation, db, permission)
        credentials = Credentials(operation, db, authenticator)
        seconds = provided.get("stored_response_seconds", STORED_SECONDS)
        replays = Replays(operation, self._results, permission, seconds)
        entries = AuditEntries(operation, provided)
        path = Writes if operation.handle is Write else OwnTransactions
        parts = (operation, db, arguments, credentials, self._preconditions, self._results, replays, entries)
        self._respond = self._reads.respond if operation.handle is Read else path(*parts).respond

    def connect(self, readable: Mapping[str, "Endpoint"], prefix: str) -> None:
        """Finds the GET of the same path, or of the nearest above it, with whose ETag If-Match is compared, and the GET
        of what this operation returns. `readable` are all GET operations by their path."""
        compared = readable.get(self.operation.read_at(readable) or "")
        self._preconditions.representation = None if compared is None else compared._reads
        returned = [get.operation for get in readable.values()]
        self._results.returned = ReturnedResource(self.operation, returned, prefix)

    async def respond(self, request: Request) -> Response:
        known_ids(request.params)
        now = times.now()
        try:
            response = await self._respond(request, now)
        except Unauthenticated as error:
            if self._takes_link and error.has_token and self._count_bad_token is not None:
                await self._count_bad_token(request, now)
            raise
        if request.changed_workshop is not None:
            self._on_change(request.changed_workshop)
        if len(response.body) >= MIN_SIZE and request.method in ("GET", "HEAD") and not self._sends_bytes:
            response.headers.append(VARY)
            encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
            if encoding is not None:
                return await compressed(response, encoding)
        return response


def _ignore(_workshop_id: str) -> None:
    """For applications without live changes."""
