"""Live changes: wakes the event streams of a workshop when it has a new version.

A worker's own writes wake its streams at once. Those of other workers and nodes are found by polling: SQLite counts the
commits of other connections, and PostgreSQL is asked for the versions of the workshops that have streams. No message
bus is needed, and a wake-up that is lost is found by the next poll.
"""

import asyncio
from types import TracebackType

from backbench.engine.database import Database
from backbench.logs import log
from backbench.values.errors import RateLimited, Unavailable
from backbench.workshops import audit

STREAMS_PER_ACCOUNT = 10
_RETRY_AFTER_SECONDS = 60
_WORKSHOPS_PER_STATEMENT = 1_000


class Subscription:
    """The stream of one client: `wait` returns when the workshop may have changed."""

    __slots__ = ("_changes", "_is_due", "_uid", "_waiter", "workshop_id")

    def __init__(self, changes: "LiveChanges", uid: str, workshop_id: str) -> None:
        self._changes = changes
        self._uid = uid
        self.workshop_id = workshop_id
        self._is_due = False
        self._waiter: asyncio.Future[None] | None = None

    def __enter__(self) -> "Subscription":
        self._changes.add(self, self._uid)
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self._changes.remove(self, self._uid)

    def wake(self) -> None:
        self._is_due = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self, seconds: float) -> None:
        """Until it is woken, or for that time. Wake-ups since the last call count."""
        if not self._is_due:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = loop.call_later(seconds, self._expire)
            try:
                await self._waiter
            finally:
                timer.cancel()
                self._waiter = None
        self._is_due = False

    def _expire(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class LiveChanges:
    """The subscriptions of this worker, and the job that polls for changes of others."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._task: asyncio.Task[None] | None = None
        self._subscriptions: dict[str, set[Subscription]] = {}
        # By workshop: the version that its streams were last woken for.
        self._versions: dict[str, int] = {}
        self._streams_by_account: dict[str, int] = {}
        self.is_closing = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        self.end_streams()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def end_streams(self) -> None:
        """Ends every stream: the server stops, and waits for the responses in progress."""
        self.is_closing = True
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.wake()

    def subscribe(self, uid: str, workshop_id: str) -> Subscription:
        return Subscription(self, uid, workshop_id)

    def add(self, subscription: Subscription, uid: str) -> None:
        """Raises RateLimited where the account has 10 streams in this worker already."""
        streams = self._streams_by_account.get(uid, 0)
        if streams >= STREAMS_PER_ACCOUNT:
            raise RateLimited("streams", STREAMS_PER_ACCOUNT, _RETRY_AFTER_SECONDS, _RETRY_AFTER_SECONDS)
        self._streams_by_account[uid] = streams + 1
        self._subscriptions.setdefault(subscription.workshop_id, set()).add(subscription)
        if self.is_closing:
            subscription.wake()

    def remove(self, subscription: Subscription, uid: str) -> None:
        self._streams_by_account[uid] -= 1
        if not self._streams_by_account[uid]:
            del self._streams_by_account[uid]
        subscriptions = self._subscriptions[subscription.workshop_id]
        subscriptions.discard(subscription)
        if not subscriptions:
            del self._subscriptions[subscription.workshop_id]
            self._versions.pop(subscription.workshop_id, None)

    def changed(self, workshop_id: str) -> None:
        """Wakes the streams of a workshop, after a write of this worker."""
        for subscription in self._subscriptions.get(workshop_id, ()):
            subscription.wake()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._db.poll_seconds)
            try:
                if self._subscriptions and await self._db.may_have_changed():
                    await self._wake_changed()
            except Unavailable as error:
                log.info("live changes postponed", reason=error.detail)
            except Exception:  # an unhandled error must not end the job: streams would miss the changes of others
                log.exception("live changes failed")

    async def _wake_changed(self) -> None:
        workshop_ids = list(self._subscriptions)
        for start in range(0, len(workshop_ids), _WORKSHOPS_PER_STATEMENT):
            asked = workshop_ids[start : start + _WORKSHOPS_PER_STATEMENT]
            async with self._db.read() as db:
                found = await audit.list_versions(db, self._db.catalog, asked)
            for workshop in found:
                if self._versions.get(workshop.workshop_id) != workshop.version:
                    self._versions[workshop.workshop_id] = workshop.version
                    self.changed(workshop.workshop_id)
            # Between statements, so that thousands of streams do not block other requests.
            await asyncio.sleep(0)
