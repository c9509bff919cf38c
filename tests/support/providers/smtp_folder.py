"""Test server of SMTP in a thread of this process, which writes the emails that it takes to a folder."""

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.server import free_port

_numbers = itertools.count(1)


class _Folder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def handle_DATA(self, server: SMTP, session: Session, transaction: Envelope) -> str:  # noqa: N802 - of aiosmtpd
        assert isinstance(transaction.content, bytes)
        part = self._folder / f"{next(_numbers)}.part"
        part.write_bytes(transaction.content)
        part.replace(part.with_suffix(".eml"))
        return "250 OK"


@contextlib.contextmanager
def smtp_into(folder: Path) -> Iterator[str]:
    """The URL of the server."""
    folder.mkdir(parents=True, exist_ok=True)
    controller = Controller(_Folder(folder), hostname="127.0.0.1", port=free_port(), enable_SMTPUTF8=True)
    controller.start()
    try:
        yield f"smtp://127.0.0.1:{controller.port}"
    finally:
        controller.stop()
