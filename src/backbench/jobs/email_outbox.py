"""Email outbox worker: sends queued emails, and retries each until it is sent or given up.

Every worker of every node runs one, which sends two emails at a time: one that the server takes minutes for does not
delay the others. An email belongs to the worker that claimed it until the lease ends. The lease is
longer than sending can take, so an email is sent twice only if a worker stalls or ends after sending it and before
deleting it from the outbox. Both copies then have the same Message-ID.
"""

import asyncio
from collections.abc import Callable

from msgspec import structs

from backbench.engine.database import Database
from backbench.integrations.blobs import BlobMissing, Blobs
from backbench.jobs.email_renderer import EmailRenderer
from backbench.jobs.repeated import Repeated
from backbench.logs import log
from backbench.mail import outbox
from backbench.mail.messages import DeliveryError
from backbench.mail.outbox import Attachment, OutgoingEmail, QueuedEmail
from backbench.mail.transport import EmailTransport
from backbench.values.errors import NotFound, Unavailable
from backbench.values.times import Instant

_POLL_SECONDS = 1.0
_ERROR_PAUSE_SECONDS = 5.0
_CONCURRENT_EMAILS = 2
# More than an SMTP server gets for one (mail/smtp.py), with time to render it and to read its files.
_LEASE_SECONDS = 900.0
# Time for the emails that are being sent when the server stops.
_SHUTDOWN_SECONDS = 15.0


class OutboxWorker:
    """Sends queued emails from `start` to `stop`."""

    def __init__(
        self,
        db: Database,
        renderer: EmailRenderer,
        transport: EmailTransport,
        clock: Callable[[], Instant],
        blobs: Blobs | None = None,
    ) -> None:
        """`blobs`: the files that emails have as attachments; without them none has."""
        self._db = db
        self._blobs = blobs
        self._renderer = renderer
        self._transport = transport
        self._clock = clock
        self._senders = [
            Repeated(
                "email outbox", self.send_next, _POLL_SECONDS, error_pause=_ERROR_PAUSE_SECONDS, begins_at_once=True
            )
            for _ in range(_CONCURRENT_EMAILS)
        ]

    def start(self) -> None:
        for each in self._senders:
            each.start()

    async def stop(self) -> None:
        """Waits for the emails that are being sent, then cancels them after 15 seconds."""
        await asyncio.gather(*[each.stop(_SHUTDOWN_SECONDS) for each in self._senders])

    async def send_next(self) -> bool:
        """Sends the next email that is due. Returns False if none is due."""
        now = self._clock()
        async with self._db.read() as read:
            has_due = await outbox.has_due(read, now)
        if not has_due:
            return False
        email = await self._db.write(lambda write: outbox.claim(write, now, _LEASE_SECONDS))
        if email is None:
            return False
        try:
            await self._send(email)
        except DeliveryError as error:
            await self._save_failed_attempt(email, error)
        except Unavailable:
            raise
        except Exception as error:
            log.exception("email not rendered", email_id=email.id, kind=email.kind)
            await self._save_failed_attempt(email, DeliveryError(f"internal error: {type(error).__name__}"))
        return True

    async def _send(self, email: QueuedEmail) -> None:
        outgoing = await self._rendered(email)
        if outgoing is not None:
            outgoing = await self._with_attachments(outgoing, email)
            try:
                destination = await self._transport.send(outgoing, email.kind)
            except asyncio.CancelledError:
                # Else it waited for the end of its lease after the start of the next server.
                await self._save_failed_attempt(email, DeliveryError("the server stopped"))
                raise
            log.info("email sent", email_id=email.id, kind=email.kind, to=destination)
        await self._db.write(lambda write: outbox.delete(write, email))

    async def _rendered(self, email: QueuedEmail) -> OutgoingEmail | None:
        """None if the email has no recipient any more."""
        try:
            return await self._db.write(lambda write: self._renderer.render(write, email, self._clock()))
        except NotFound:
            return None

    async def _with_attachments(self, outgoing: OutgoingEmail, email: QueuedEmail) -> OutgoingEmail:
        """A file that is missing is left out; where the store does not answer, the email is sent later."""
        if self._blobs is None:
            return outgoing
        attached = []
        for file in outgoing.files:
            try:
                content = b"".join([piece async for piece in self._blobs.read(file.id, 0, file.size_bytes)])
            except BlobMissing:
                log.error("email sent without its file", email_id=email.id, kind=email.kind, file_id=file.id)
                continue
            except Unavailable as error:
                raise DeliveryError("file storage unavailable", error.detail) from None
            attached.append(Attachment(file.download_name, file.content_type, content))
        return structs.replace(outgoing, attachments=tuple(attached))

    async def _save_failed_attempt(self, email: QueuedEmail, error: DeliveryError) -> None:
        now = self._clock()
        next_try = None if error.is_permanent else email.next_try(now)
        if next_try is None:
            log.error("email given up", email_id=email.id, kind=email.kind, tries=email.tries, cause=error.cause)
            await self._db.write(lambda write: outbox.save_failure(write, email, error.reply, now))
        else:
            log.warning("email postponed", email_id=email.id, kind=email.kind, tries=email.tries, cause=error.cause)
            await self._db.write(lambda write: outbox.save_retry(write, email, error.reply, next_try))
