"""Endpoint: the way of a request to one operation.

    caller    credentials, and the CSRF token of a session                        authentication.py
    body      with its limits, decoded into its Struct                            requests.py, bodies.py
    read      action in one read transaction                                      reads.py
    write     prepare, then in one transaction: replay? precondition? action,
              audit entry with version and quota, stored response                 writes.py
    response  encoded, with its ETag and the path of what was created             representations.py

The line of the table says which it is: by the annotation of the action's `db`.
"""

from collections.abc import Mapping

from backbench.engine.database import Read
from backbench.http.compression import MIN_SIZE, VARY, compressed, encoding_for
from backbench.http.context import Context
from backbench.http.operations import Operation
from backbench.http.reads import Reads
from backbench.http.representations import Representations, ReturnedResource
from backbench.http.requests import Request, known_ids
from backbench.http.responses import Response
from backbench.http.writes import Writes
from backbench.values import times
from backbench.values.errors import Unauthenticated


class Endpoint:
    """Handles the requests of one operation."""

    def __init__(self, operation: Operation, context: Context) -> None:
        """Raises TypeError where the line of the operation contradicts its action."""
        operation.require_consistent()
        self.operation = operation
        self.path = operation.path
        self.max_json_size = operation.max_json_size
        # Properties of the operation are worked out from its action at each use.
        self._takes_link = operation.access.takes_link
        self._sends_bytes = operation.sends_bytes
        self._on_change = context.on_change
        self._count_bad_token = context.count_bad_token
        self._representations = Representations(operation)
        self.reads = Reads(operation, context, self._representations) if operation.handle is Read else None
        self._writes = Writes(operation, context, self._representations) if self.reads is None else None
        path = self.reads or self._writes
        assert path is not None
        self._respond = path.respond

    def connect(self, readable: Mapping[str, "Endpoint"], prefix: str) -> None:
        """Finds the GET of the same path, or of the nearest above it, with whose ETag If-Match is compared, and the GET
        of what this operation returns. `readable` are all GET operations by their path."""
        compared = readable.get(self.operation.read_at(readable) or "")
        if self._writes is not None and compared is not None:
            self._writes.preconditions.representation = compared.reads
        returned = [get.operation for get in readable.values()]
        self._representations.returned = ReturnedResource(self.operation, returned, prefix)

    async def respond(self, request: Request) -> Response:
        known_ids(request.params)
        now = times.now()
        try:
            response = await self._respond(request, now)
        except Unauthenticated as error:
            if self._takes_link and error.has_token and self._count_bad_token is not None:
                await self._count_bad_token(request, now)
            raise
        if request.changed_workshop is not None and self._on_change is not None:
            self._on_change(request.changed_workshop)
        if len(response.body) >= MIN_SIZE and request.method in ("GET", "HEAD") and not self._sends_bytes:
            response.headers.append(VARY)
            encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
            if encoding is not None:
                return await compressed(response, encoding)
        return response
