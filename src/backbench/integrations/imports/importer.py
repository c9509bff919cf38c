"""Import reader: sends files to a process that reads them, and tables to be checked and made into records."""

from backbench.domain.imports.chunks import Records
from backbench.domain.imports.imports import unreadable
from backbench.domain.values.errors import Unavailable
from backbench.integrations.imports.protocol import (
    CheckedTable,
    CheckTable,
    ConvertTable,
    FoundRecords,
    FoundTable,
    ReadFile,
    Refused,
    Reply,
    Request,
    decode_reply,
    encode,
)
from backbench.integrations.processes.pool import LimitExceeded, Limits, PoolUnavailable, ProcessPool, WorkFailed

_MODULE = "backbench.integrations.imports.import_process"
_RETRY_AFTER_SECONDS = 10
# One process: 50,000 rows take some ten seconds of a core and 300 MB.
LIMITS = Limits(processes=1, queued=8, seconds=120, cpu_seconds=40, memory_bytes=1 << 30, reusable_bytes=128 << 20)


class ImportReader:
    """Belongs to one event loop. The process starts with the first file, and ends when there are none."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._processes = ProcessPool(_MODULE, limits, "import")

    async def read(self, file: ReadFile) -> FoundTable:
        """Raises ValidationError for a file that cannot be read, Unavailable."""
        reply = await self._send(file)
        if isinstance(reply, Refused):
            raise unreadable(reply.code, reply.detail)
        assert isinstance(reply, FoundTable)
        return reply

    async def check(self, table: CheckTable) -> CheckedTable:
        """Raises ValidationError, Unavailable."""
        reply = await self._send(table)
        assert isinstance(reply, CheckedTable)
        return reply

    async def convert(self, table: ConvertTable) -> Records:
        """Raises ValidationError, Unavailable."""
        reply = await self._send(table)
        assert isinstance(reply, FoundRecords)
        return reply.records

    async def close(self) -> None:
        await self._processes.close()

    async def _send(self, request: Request) -> Reply:
        try:
            reply: Reply = decode_reply(await self._processes.send(encode(request)))
        except LimitExceeded:
            raise unreadable("too_large", "The file unpacks to more than can be read") from None
        except WorkFailed as error:
            raise unreadable("damaged", str(error)) from None
        except PoolUnavailable as error:
            raise Unavailable("unavailable", str(error), _RETRY_AFTER_SECONDS) from None
        return reply
