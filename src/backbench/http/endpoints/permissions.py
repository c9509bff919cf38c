"""Permission of a caller where the action itself does not run: before a replay, or before a failed precondition."""

from inspect import signature
from typing import Any

import msgspec

from backbench.domain.operations.idempotency import StoredResponse
from backbench.http.endpoints.runs import Run
from backbench.http.operations import Operation
from backbench.storage.engine.database import Read


class Permission:
    def __init__(self, operation: Operation) -> None:
        self._authorize = operation.authorize
        self._takes_stored = self._authorize is not None and "stored" in signature(self._authorize).parameters
        self._shape = operation.response

    async def require(self, db: Read, run: Run, stored: StoredResponse | None = None) -> None:
        """Checks the permission without running the action. Raises NotFound, Forbidden."""
        if self._authorize is None:
            return
        values: dict[str, Any] = {"db": db, "caller": run.caller, **run.request.params}
        if self._takes_stored:
            if stored is None or stored.body is None:
                return
            values["stored"] = msgspec.json.decode(stored.body, type=self._shape)
        await self._authorize(**values)
