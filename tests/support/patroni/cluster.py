"""PostgreSQL under Patroni: etcd and a server on each of three machines, with the files of deploy/patroni."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.patroni.machines import Machine, connected_machines

FILES = Path(__file__).parents[3] / "deploy" / "patroni"
_ADDRESSES = {"db1": "10.0.0.21", "db2": "10.0.0.22", "db3": "10.0.0.23"}
_OFFICE = "10.0.0.10"
POSTGRES = Path("/usr/lib/postgresql/15/bin")
_ETCD_PORTS = (2379, 2380)
# Ends a test that hangs; a machine that others keep busy may take many minutes to copy a server.
_SECONDS = 600.0
# Of one request to Patroni.
_REQUEST_SECONDS = 3.0


def require_programs() -> None:
    """Skips the test where something is not installed."""
    lacking = [name for name in ("patroni", "etcd", "haproxy", "ip", "setpriv") if _program(name) is None]
    if lacking or not POSTGRES.is_dir():
        pytest.skip(f"not installed: {lacking}: apt-get install patroni etcd-server postgresql-15 haproxy iproute2")
    if subprocess.run(["ip", "netns", "list"], capture_output=True, check=False).returncode or not _is_root():
        pytest.skip("only root may make network namespaces")


def _program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def _is_root() -> bool:
    return os.geteuid() == 0


def environment(file: Path, machine: Machine) -> dict[str, str]:
    """The variables in a file of deploy/patroni, which is that of db1, for this machine."""
    text = file.read_text().replace("=db1\n", f"={machine.name}\n").replace("/var/lib", str(machine.folder))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    variables = dict(line.split("=", 1) for line in lines)
    return {
        name: value if name == "ETCD_INITIAL_CLUSTER" else value.replace(_ADDRESSES["db1"], machine.address)
        for name, value in variables.items()
    }


class Primary:
    """The machine that is the primary, for statements as the superuser."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def run(self, sql: str, database: str = "postgres") -> str:
        return run_on(self.machine, sql, database)


def run_on(machine: Machine, sql: str, database: str = "postgres") -> str:
    """The unaligned output of psql, as the superuser."""
    psql = (str(POSTGRES / "psql"), "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(machine.folder))
    return machine.run(*psql, "-d", database, "-c", sql, user="postgres").strip()


class PatroniCluster:
    """`variables`: further ones for Patroni and PostgreSQL on a machine."""

    scope = "backbench"

    def __init__(self, machines: list[Machine], variables: Mapping[str, Mapping[str, str]]) -> None:
        self.machines = machines
        self._variables = variables

    # As the guide says

    def start(self, machine: Machine) -> None:
        """Starts what systemd would start at boot."""
        self.start_etcd(machine)
        self.start_patroni(machine)

    def start_etcd(self, machine: Machine, **further: str) -> None:
        machine.start("etcd", user="postgres", environment=environment(FILES / "etcd.env", machine) | further)

    def start_patroni(self, machine: Machine) -> None:
        variables = {**environment(FILES / "patroni.env", machine), **self._variables[machine.name]}
        machine.start("patroni", str(machine.folder / "config.yml"), user="postgres", environment=variables)

    def stop_patroni(self, machine: Machine) -> None:
        """As systemd does: PostgreSQL ends with it."""
        self._end(machine, "patroni")
        self._until_gone(machine, "postgres")

    def forget(self) -> None:
        """Removes what etcd knows of the servers, which do not run."""
        self.control("remove", self.scope, typed=f"{self.scope}\nYes I am aware\n")

    def create_database(self, name: str) -> None:
        """An empty database of the role `backbench`."""
        self.primary.run("CREATE ROLE backbench LOGIN PASSWORD 'secret'")
        self.primary.run(f"CREATE DATABASE {name} OWNER backbench")

    def control(self, *arguments: str, typed: str = "") -> str:
        """patronictl on a machine that runs; `typed` is what it asks for."""
        machine = next(each for each in self.machines if each.processes())
        command = ("patronictl", "-c", str(machine.folder / "config.yml"), *arguments)
        return machine.run(*command, user="postgres", typed=typed, **environment(FILES / "patroni.env", machine))

    # State

    @property
    def primary(self) -> Primary:
        """Waits until there is one."""
        deadline = time.monotonic() + _SECONDS
        while True:
            for machine in self.machines:
                if self._status(machine, "primary") == 200:
                    return Primary(machine)
            assert time.monotonic() < deadline, f"no primary:\n{self.logs()}"
            time.sleep(0.05)

    def other_primary(self, before: Machine) -> Machine:
        """Waits until another machine than `before` is the primary."""
        deadline = time.monotonic() + _SECONDS
        while (found := self.primary.machine) is before:
            assert time.monotonic() < deadline, f"{before.name} remains the primary:\n{self.logs()}"
            time.sleep(0.05)
        return found

    @property
    def synchronous_standby(self) -> Machine:
        return next(each for each in self.machines if self._status(each, "synchronous") == 200)

    def until_complete(self) -> None:
        """Waits until there is a primary with two standbys that stream, one of them synchronous."""
        deadline = time.monotonic() + _SECONDS
        while not self._is_complete():
            assert time.monotonic() < deadline, f"not complete: {self._members()}\n{self.logs()}"
            time.sleep(0.2)

    def _is_complete(self) -> bool:
        members = self._members()
        roles = sorted(each["role"] for each in members if each["state"] in ("running", "streaming"))
        timelines = {each.get("timeline") for each in members}
        if roles != ["leader", "replica", "sync_standby"] or len(timelines) != 1:
            return False
        with contextlib.suppress(AssertionError):
            return self.primary.run("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == "2"
        return False

    def _members(self) -> list[Any]:
        for machine in self.machines:
            with contextlib.suppress(httpx.TransportError, json.JSONDecodeError):
                answer = httpx.get(f"http://{machine.address}:8008/cluster", timeout=_REQUEST_SECONDS, trust_env=False)
                return list(answer.json().get("members", []))
        return []

    def _status(self, machine: Machine, role: str) -> int:
        with contextlib.suppress(httpx.TransportError):
            url = f"http://{machine.address}:8008/{role}"
            return httpx.get(url, timeout=_REQUEST_SECONDS, trust_env=False).status_code
        return 0

    def logs(self) -> str:
        """The ends of what Patroni printed."""
        return "\n".join(f"{each.name}:\n{(each.folder / 'patroni.log').read_text()[-3000:]}" for each in self.machines)

    # Failures

    def kill_postgres(self, machine: Machine) -> None:
        """kill -9 on the server alone; Patroni and etcd go on."""
        for process in self._named(machine, "postgres"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def block_etcd(self, machine: Machine) -> None:
        """Neither Patroni nor the etcd of this machine reaches the others; everything else goes on."""
        machine.block(*_ETCD_PORTS)

    def unblock_etcd(self, machine: Machine) -> None:
        machine.unblock(*_ETCD_PORTS)

    def stop_etcd(self, machine: Machine) -> None:
        self._end(machine, "etcd")

    def _end(self, machine: Machine, program: str) -> None:
        for process in self._named(machine, program):
            os.kill(process, signal.SIGTERM)
        self._until_gone(machine, program)

    def _until_gone(self, machine: Machine, program: str) -> None:
        deadline = time.monotonic() + _SECONDS
        while self._named(machine, program):
            assert time.monotonic() < deadline, f"{program} does not stop"
            time.sleep(0.02)

    def hang(self, machine: Machine) -> None:
        machine.signal_all(signal.SIGSTOP)

    def go_on(self, machine: Machine) -> None:
        machine.signal_all(signal.SIGCONT)

    def _named(self, machine: Machine, program: str) -> list[int]:
        return [process for process in machine.processes() if _name_of(process) == program]


def _name_of(process: int) -> str:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/comm").read_text().strip()
    return ""


@contextlib.contextmanager
def patroni_cluster(prepare: Callable[[Machine], Mapping[str, str]] = lambda _: {}) -> Iterator[PatroniCluster]:
    """Complete: a primary and two standbys. The calling thread is in the office's namespace meanwhile.

    `prepare` is called before a machine starts, and returns variables for its Patroni."""
    require_programs()
    # Not below a folder that only root may enter.
    with tempfile.TemporaryDirectory(prefix="backbench-patroni-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        with connected_machines(folder, _ADDRESSES, _OFFICE) as machines:
            for machine in machines:
                install(machine)
            cluster = PatroniCluster(machines, {machine.name: prepare(machine) for machine in machines})
            for machine in machines:
                cluster.start(machine)
            cluster.until_complete()
            yield cluster


def install(machine: Machine) -> None:
    """The folders, and deploy/patroni/config.yml with other ones."""
    for each in (machine.folder, machine.folder / "postgresql", machine.folder / "etcd"):
        each.mkdir(exist_ok=True)
        shutil.chown(each, "postgres", "postgres")
    (machine.folder / "etcd").chmod(0o700)
    text = (FILES / "config.yml").read_text()
    text = text.replace("/var/lib", str(machine.folder)).replace("/var/run/postgresql", str(machine.folder))
    (machine.folder / "config.yml").write_text(text)


@contextlib.contextmanager
def database_proxy() -> Iterator[None]:
    """HAProxy with deploy/patroni/haproxy.cfg as it is."""
    program = _program("haproxy")
    assert program is not None
    process = subprocess.Popen([program, "-db", "-q", "-f", str(FILES / "haproxy.cfg")])
    try:
        yield
    finally:
        process.kill()
        process.wait()
