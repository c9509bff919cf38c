"""A PostgreSQL primary and its standby: fail over, and make the old primary the new standby."""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.cluster.postgres_cluster import WITHOUT_TLS, Cluster

# Ends a test that hangs.
_SECONDS = 60.0
_ATTACHED = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
_CAUGHT_UP = f"{_ATTACHED} AND flush_lsn >= pg_current_wal_flush_lsn()"


class ReplicatedDatabase:
    """Two servers. `is_synchronous`: the primary acknowledges a commit when the standby has it on its disk."""

    def __init__(self, folder: Path, first: Path, *, is_synchronous: bool = True) -> None:
        self.is_synchronous = is_synchronous
        self.primary = Cluster(first)
        self.primary.create()
        self.primary.start()
        self.standby = self.primary.standby(folder / "second")
        self.standby.start()
        # Their order in URLs does not change: clients have to find out which one is the primary.
        self._hosts = (self.standby.host, self.primary.host)
        self.replicate()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@{','.join(self._hosts)}/{database}?{WITHOUT_TLS}"

    def new_database(self, name: str) -> str:
        self.primary.new_database(name)
        return self.url(name)

    def replicate(self) -> None:
        """Waits until the standby has everything, and from then on commits wait for it."""
        self.wait_for(_ATTACHED)
        if self.is_synchronous:
            self._set("synchronous_standby_names = '*'")
            self.wait_for(f"{_ATTACHED} AND sync_state = 'sync'")
        self.wait_for(_CAUGHT_UP)

    def promote(self) -> None:
        """Makes the standby the primary. It does without a standby until there is one again."""
        self.primary, self.standby = self.standby, self.primary
        self.primary.promote()
        if self.is_synchronous:
            self._set("synchronous_standby_names = ''")

    def rebuild(self, *, by_rewinding: bool = True) -> None:
        """Makes the old primary, which is not running, a standby, and waits until commits wait for it."""
        if by_rewinding:
            self.standby.rewind(self.primary)
        else:
            shutil.rmtree(self.standby.folder)
            self.primary.standby(self.standby.folder, self.standby.port)
        self.standby.start()
        self.replicate()

    def wait_for(self, count: str) -> None:
        """Waits until the statement, on the primary, returns a number above 0."""
        deadline = time.monotonic() + _SECONDS
        while self.primary.run(count) == "0":
            assert time.monotonic() < deadline, f"never above 0: {count}"
            time.sleep(0.05)

    def _set(self, setting: str) -> None:
        self.primary.run(f"ALTER SYSTEM SET {setting}")
        self.primary.run("SELECT pg_reload_conf()")

    def close(self) -> None:
        for server in (self.primary, self.standby):
            with contextlib.suppress(FileNotFoundError):
                # Without its file of the process id it is not running.
                server.kill()


@contextlib.contextmanager
def replicated_database(*, is_synchronous: bool = True, disk: Path | None = None) -> Iterator[ReplicatedDatabase]:
    """A running primary, on that disk, and a standby that has everything; both are killed afterwards."""
    with tempfile.TemporaryDirectory(prefix="backbench-cluster-") as folder:
        # As in `cluster`.
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        database = ReplicatedDatabase(Path(folder), (disk or Path(folder)) / "first", is_synchronous=is_synchronous)
        try:
            yield database
        finally:
            database.close()
