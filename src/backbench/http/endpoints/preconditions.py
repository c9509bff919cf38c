"""If-Match of a write: compared with the ETag of the representation, in the transaction of the write."""

from typing import Any

from backbench.domain.values.errors import PreconditionFailed
from backbench.http.compression import plain_tags
from backbench.http.endpoints.permissions import Permission
from backbench.http.endpoints.reads import Reads
from backbench.http.endpoints.runs import Run
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import matches
from backbench.http.writes.preconditions import PreconditionedWrite
from backbench.storage.engine.database import Database, Read, Write


class Preconditions:
    def __init__(self, operation: Operation, db: Database, permission: Permission) -> None:
        self._db = db
        self._permission = permission
        self._action = operation.action
        self._is_conditional = operation.is_conditional
        # The GET of what the operation changes.
        self.representation: Reads | None = None

    def if_match(self, request: Request) -> bytes | None:
        header = request.headers.get(b"if-match")
        return header if self.representation is not None and self._is_conditional else None

    async def act(self, db: Write, run: Run, if_match: bytes) -> Any:
        """Runs the action, under the precondition of If-Match. Raises PreconditionFailed."""

        async def require(db: Write) -> None:
            # Locks the row of the representation, so that nothing changes it before the action does.
            if not await self._matches(db.locking(), run, if_match):
                await self._permission.require(db, run)
                raise PreconditionFailed

        conditional = PreconditionedWrite(db, require)
        result = await self._action(**{**run.values, "db": conditional})
        # An action that changed nothing has not evaluated it.
        await conditional.evaluate()
        return result

    async def require(self, run: Run) -> None:
        """If-Match before an action that makes its own transactions. Raises PreconditionFailed."""
        if_match = self.if_match(run.request)
        if if_match is not None:
            async with self._db.read() as db:
                if not await self._matches(db, run, if_match):
                    raise PreconditionFailed

    async def _matches(self, db: Read, run: Run, if_match: bytes) -> bool:
        """Whether If-Match holds. Reading the representation authorizes, so that a stranger learns nothing from it."""
        assert self.representation is not None
        tag = await self.representation.tag(db, run.request, run.caller, run.now)
        return matches(tag, plain_tags(if_match), weakly=False)
