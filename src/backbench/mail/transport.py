"""Email transport: SMTP, or a folder of files."""

import asyncio
from pathlib import Path
from typing import Protocol

from backbench.logs import log
from backbench.mail.messages import DeliveryError, Sender
from backbench.mail.outbox import OutgoingEmail


class EmailTransport(Protocol):
    async def send(self, email: OutgoingEmail, kind: str) -> str:
        """Returns the destination for the log: a server or a file. Raises DeliveryError."""
        ...


class FileTransport:
    """Writes each email to an .eml file, which any email program opens. For development and hosts without SMTP."""

    def __init__(self, folder: Path, sender: Sender) -> None:
        self._folder = folder
        self._sender = sender

    async def send(self, email: OutgoingEmail, kind: str) -> str:
        timestamp = email.created_at[:19].replace(":", "").replace("-", "")
        file = self._folder / f"{timestamp}-{kind}-{email.id}.eml"
        content = self._sender.content(email)
        try:
            await asyncio.to_thread(_write, file, content)
        except OSError as error:
            raise DeliveryError(type(error).__name__, str(error)) from None
        return str(file)


def open_transport(smtp_url: str, folder: Path, sender: Sender) -> EmailTransport:
    """SMTP if `smtp_url` is not empty, else files in `folder`."""
    if smtp_url:
        from backbench.mail.smtp import SmtpTransport

        return SmtpTransport(smtp_url, sender)
    log.warning("no SMTP server configured: emails are written to files", folder=str(folder))
    return FileTransport(folder, sender)


def _write(file: Path, content: bytes) -> None:
    """Atomic; readable only by the service's own account, since links in emails give access to accounts."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = file.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_bytes(content)
    part.replace(file)
