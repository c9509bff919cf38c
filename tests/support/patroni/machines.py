"""Machines of a test: network namespaces with addresses of their own, so that configurations are used as they are.

`office` has the nodes, the proxies and the test itself. Traffic does not leave these namespaces: none of them has a
route to anywhere else.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_CLONE_NEWNET = 0x40000000
# Ends a test that hangs.
_SECONDS = 60.0
# A restore of a million orders.
_COMMAND_SECONDS = 3_600.0


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Machine:
    """A namespace behind a cable to the one of the office. `folder` has its files."""

    def __init__(self, namespace: str, name: str, address: str, folder: Path) -> None:
        self.name = name
        self.address = address
        self.folder = folder
        self._namespace = namespace
        self._started: list[subprocess.Popen[bytes]] = []
        folder.mkdir()

    def connect(self, office: str, bridge: str) -> None:
        self._cable = self._namespace[-15:]
        _run("ip", "netns", "add", self._namespace)
        _run("ip", "-n", office, "link", "add", self._cable, "type", "veth", "peer", "eth0", "netns", self._namespace)
        _run("ip", "-n", office, "link", "set", self._cable, "master", bridge, "up")
        _run("ip", "-n", self._namespace, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            _run("ip", "-n", self._namespace, "link", "set", device, "up")
        self._office = office

    def pull_cable(self) -> None:
        _run("ip", "-n", self._office, "link", "set", self._cable, "down")

    def plug_cable(self) -> None:
        _run("ip", "-n", self._office, "link", "set", self._cable, "up")

    def block(self, *ports: int) -> None:
        """No packet leaves the machine that goes to these ports of others, or comes from its own."""
        self._change_rules("add", ports)

    def unblock(self, *ports: int) -> None:
        self._change_rules("delete", ports)

    def _change_rules(self, change: str, ports: Sequence[int]) -> None:
        for port in ports:
            for side in ("dport", "sport"):
                rule = ("pref", "100", "ipproto", "tcp", side, str(port), "prohibit")
                _run("ip", "-n", self._namespace, "rule", change, *rule)

    def start(self, *command: str, user: str, environment: Mapping[str, str]) -> None:
        """Its output is appended to a file in its folder, named after the program."""
        with (self.folder / f"{Path(command[0]).name}.log").open("ab") as log:
            started = subprocess.Popen(
                self._command(user, command),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        self._started.append(started)

    @property
    def data(self) -> Path:
        """Of PostgreSQL."""
        return self.folder / "postgresql" / "15" / "backbench"

    def run(self, *command: str, user: str = "root", typed: str = "", **environment: str) -> str:
        """Standard output; `typed` is standard input. Raises AssertionError where it fails."""
        ran = subprocess.run(
            self._command(user, command),
            capture_output=True,
            text=True,
            input=typed,
            cwd=self.folder,
            env={**os.environ, **environment},
            check=False,
            timeout=_COMMAND_SECONDS,
        )
        if ran.returncode:
            raise AssertionError(f"{command}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def _command(self, user: str, command: Sequence[str]) -> list[str]:
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user != "root" else []
        return ["ip", "netns", "exec", self._namespace, *as_user, *command]

    def processes(self) -> set[int]:
        return set(map(int, _run("ip", "netns", "pids", self._namespace).split()))

    def signal_all(self, number: signal.Signals) -> None:
        """To every process, also to those that are started meanwhile."""
        signalled: set[int] = set()
        while new := self.processes() - signalled:
            for process in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            signalled |= new

    def kill(self) -> None:
        """Every process at once, as by a power cut."""
        self.signal_all(signal.SIGSTOP)
        self.signal_all(signal.SIGKILL)
        deadline = time.monotonic() + _SECONDS
        while self.processes():
            assert time.monotonic() < deadline, f"processes of {self.name} do not end"
            time.sleep(0.01)
        for ended in self._started:
            ended.wait()
        self._started.clear()


@contextlib.contextmanager
def connected_machines(folder: Path, addresses: Mapping[str, str], office_address: str) -> Iterator[list[Machine]]:
    """The machines, by their names. Inside, the calling thread and what it starts are in the office."""
    prefix = f"bb{os.getpid()}"
    office = f"{prefix}-office"
    machines = [Machine(f"{prefix}-{name}", name, address, folder / name) for name, address in addresses.items()]
    with contextlib.ExitStack() as stack:
        _run("ip", "netns", "add", office)
        stack.callback(_run, "ip", "netns", "delete", office)
        _run("ip", "-n", office, "link", "add", "bridge", "type", "bridge")
        _run("ip", "-n", office, "address", "add", f"{office_address}/24", "dev", "bridge")
        for device in ("lo", "bridge"):
            _run("ip", "-n", office, "link", "set", device, "up")
        for machine in machines:
            stack.callback(_delete, machine)
            machine.connect(office, "bridge")
        with _inside(office):
            yield machines


def _delete(machine: Machine) -> None:
    namespace = machine._namespace
    if namespace in _run("ip", "netns", "list"):
        machine.kill()
        _run("ip", "netns", "delete", namespace)


@contextlib.contextmanager
def _inside(namespace: str) -> Iterator[None]:
    """Threads that exist already stay where they are."""
    with Path("/proc/self/ns/net").open("rb") as before:
        with Path(f"/var/run/netns/{namespace}").open("rb") as wanted:
            _enter(wanted.fileno())
        try:
            yield
        finally:
            _enter(before.fileno())


def _enter(descriptor: int) -> None:
    # `os.setns` came with Python 3.12.
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(descriptor, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
