"""Log of the demo: the audit entries that its steps would have left if they had been requests."""

from backbench.engine.database import Write
from backbench.values.calls import Caller
from backbench.values.ids import NewId
from backbench.values.times import Instant
from backbench.workshops import audit
from backbench.workshops.audit import Change, ChangeSource, actor_of


class Log:
    """Entries are added at the end, in the order of their times: steps of different objects overlap."""

    def __init__(self, workshop_id: str, new_id: NewId) -> None:
        self._workshop_id = workshop_id
        self._new_id = new_id
        self._changes: list[Change] = []

    def record(self, caller: Caller, event: str, object_id: str, at: Instant) -> None:
        source = ChangeSource(actor_of(caller), at, self._new_id)
        self._changes.append(source.change(self._workshop_id, event, object_id))

    async def save(self, db: Write) -> None:
        for each in sorted(self._changes, key=lambda change: change.at):
            await audit.add(db, each)
