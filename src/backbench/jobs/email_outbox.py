"""Sending what is in the outbox: one mail at a time, tried again until it is sent or given up.

Every worker of every node does this. A mail belongs to whoever claimed it until the lease runs out, which is longer
than sending can take; so two send the same mail only when one of them stood still or died between sending and noting
it, and then both carry the same Message-ID.
"""

import asyncio
import contextlib
from collections.abc import Callable

import structlog

from backbench.domain.mail.emails import Envelope, QueuedEmail
from backbench.domain.values.errors import NotFound, Unavailable
from backbench.domain.values.times import Instant
from backbench.integrations.email_transport import Carrier, NotDelivered
from backbench.jobs.email_renderer import Writer
from backbench.storage.engine.database import Database
from backbench.storage.operations import email_outbox

log = structlog.get_logger()

_POLL_SECONDS = 1.0
_PAUSE_SECONDS = 5.0
_LEASE_SECONDS = 300.0
# A mail under way when the server stops is finished first.
_FAREWELL_SECONDS = 15.0


class OutboxWorker:
    """Sends mails for one worker, from `start` to `stop`."""

    def __init__(self, db: Database, writer: Writer, carrier: Carrier, clock: Callable[[], Instant]) -> None:
        self._db = db
        self._writer = writer
        self._carrier = carrier
        self._clock = clock
        self._is_stopping = asyncio.Event()
        self._round: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._is_stopping.clear()
        self._round = asyncio.create_task(self._go_round())

    async def stop(self) -> None:
        if self._round is None:
            return
        self._is_stopping.set()
        _, late = await asyncio.wait([self._round], timeout=_FAREWELL_SECONDS)
        for task in late:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _go_round(self) -> None:
        while not self._is_stopping.is_set():
            pause = _POLL_SECONDS
            try:
                if await self.send_next():
                    continue
            except Unavailable as refusal:
                log.warning("mails wait for the database", reason=refusal.detail)
                pause = _PAUSE_SECONDS
            except Exception:  # a fault of ours must not end the round: the others' mails still go out
                log.exception("fault while sending mails")
                pause = _PAUSE_SECONDS
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_stopping.wait(), pause)

    async def send_next(self) -> bool:
        """Sends the mail that has been due longest; False when none is due."""
        now = self._clock()
        async with self._db.read() as read:
            has_due = await email_outbox.has_due(read, now)
        if not has_due:
            return False
        mail = await self._db.write(lambda write: email_outbox.claim(write, now, _LEASE_SECONDS))
        if mail is None:
            return False
        try:
            await self._send(mail)
        except NotDelivered as trouble:
            await self._put_back(mail, trouble)
        except Unavailable:
            raise
        except Exception as fault:
            log.exception("mail could not be written", mail=mail.id, kind=mail.kind)
            await self._put_back(mail, NotDelivered(f"fault of ours: {type(fault).__name__}"))
        return True

    async def _send(self, mail: QueuedEmail) -> None:
        envelope = await self._written(mail)
        if envelope is not None:
            place = await self._carrier.carry(envelope, mail.kind)
            log.info("mail sent", mail=mail.id, kind=mail.kind, to=place)
        await self._db.write(lambda write: email_outbox.delete(write, mail))

    async def _written(self, mail: QueuedEmail) -> Envelope | None:
        try:
            return await self._db.write(lambda write: self._writer.write(write, mail, self._clock()))
        except NotFound:
            return None

    async def _put_back(self, mail: QueuedEmail, trouble: NotDelivered) -> None:
        now = self._clock()
        again = None if trouble.is_final else mail.next_try(now)
        if again is None:
            log.error("mail given up", mail=mail.id, kind=mail.kind, tries=mail.tries, cause=trouble.cause)
            await self._db.write(lambda write: email_outbox.save_failure(write, mail, trouble.words, now))
        else:
            log.warning("mail postponed", mail=mail.id, kind=mail.kind, tries=mail.tries, cause=trouble.cause)
            await self._db.write(lambda write: email_outbox.save_retry(write, mail, trouble.words, again))
