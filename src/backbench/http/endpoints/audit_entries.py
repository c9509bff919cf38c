"""Audit entry of a write, with the quota of data that the workshop has, in the transaction of the write."""

from collections.abc import Mapping
from typing import Any

from backbench.domain.values.ids import new_id
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited, Unchanged, actor_of, change
from backbench.http.audit import subject_of
from backbench.http.endpoints.runs import Run
from backbench.http.operations import Operation
from backbench.storage.engine.database import Write
from backbench.storage.workshops import audit


class AuditEntries:
    def __init__(self, operation: Operation, provided: Mapping[str, Any]) -> None:
        self._event = operation.event
        self._subject = None if operation.event is None else subject_of(operation)
        self._data_quota = provided["data_quota"] if operation.counts_data else None
        self._is_deletion = operation.method == "DELETE"

    async def add(self, db: Write, run: Run, result: Any, returned: int, at: Instant) -> None:
        """`returned`: the bytes of the body of the response."""
        if self._subject is not None and run.caller is not None and not isinstance(result, Unchanged):
            assert self._event is not None
            workshop_id, object_id = self._subject(result, run.request.params)
            event = (result.event if isinstance(result, Audited) else "") or self._event
            made = change(actor_of(run.caller), workshop_id, event, object_id, at, new_id)
            copied = result.copied if isinstance(result, Audited) else 0
            added = 0 if self._is_deletion else audit.most_added(run.received, returned, copied)
            held = await audit.add(db, made, added)
            if self._data_quota is not None:
                await self._data_quota.require(db, workshop_id, held, at)
            run.request.changed_workshop = workshop_id
