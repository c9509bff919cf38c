"""PgBouncer in transaction mode before a test's PostgreSQL server.

`PGBOUNCER` is the command, if it is not the installed program.
"""

import asyncio
import contextlib
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.server import free_port

PROGRAM = os.environ.get("PGBOUNCER") or shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@contextlib.asynccontextmanager
async def pgbouncer(host: str, port: int, database: str, **options: str) -> AsyncIterator[str]:
    """The URL of the database through the pooler, whose two connections to the server serve all clients."""
    assert PROGRAM is not None
    listening = free_port()
    settings = {
        "listen_addr": "127.0.0.1",
        "listen_port": str(listening),
        "unix_socket_dir": "",
        "auth_type": "any",
        "pool_mode": "transaction",
        "default_pool_size": "2",
        "max_prepared_statements": "200",
    } | options
    lines = [
        "[databases]",
        f"{database} = host={host} port={port} user=postgres",
        "[pgbouncer]",
        *(f"{name} = {value}" for name, value in settings.items() if value is not None),
    ]
    with TemporaryDirectory(prefix="backbench-pgbouncer-") as folder:
        file = Path(folder) / "pgbouncer.ini"
        file.write_text("\n".join(lines) + "\n")
        # It refuses to run as root.
        as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        file.chmod(0o644)
        file.parent.chmod(0o755)
        process = subprocess.Popen([*as_user, *PROGRAM.split(), "-q", str(file)])  # noqa: ASYNC220 - returns at once
        try:
            await _until_listening(process, listening)
            yield f"postgresql://postgres@127.0.0.1:{listening}/{database}"
        finally:
            process.kill()
            process.wait()


async def _until_listening(process: "subprocess.Popen[bytes]", port: int) -> None:
    async with asyncio.timeout(60):
        while True:
            assert process.poll() is None, "pgbouncer ended"
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return
