"""pgBackRest on machines under Patroni, with deploy/pgbackrest, and a restore as the guide describes it."""

import shutil
import time
from pathlib import Path

import pytest

from tests.support.patroni.cluster import POSTGRES, PatroniCluster, run_on
from tests.support.patroni.machines import Machine

_CONFIGURATION = Path(__file__).parents[3] / "deploy" / "pgbackrest" / "pgbackrest.conf"
# What the guide adds to config.yml.
_ARCHIVING = """\
    archive_mode: on
    archive_command: pgbackrest --stanza=backbench archive-push %p
    archive_timeout: 60s
"""
_SECONDS = 1_800.0


def require_pgbackrest() -> None:
    if shutil.which("pgbackrest") is None:
        pytest.skip("pgbackrest is not installed: apt-get install pgbackrest")


def configure(machine: Machine) -> dict[str, str]:
    """Before Patroni starts. The variables for its processes. A folder that all machines see stands for the bucket."""
    repository = machine.folder.parent / "repository"
    if not repository.exists():
        repository.mkdir()
        shutil.chown(repository, "postgres", "postgres")
    lines = [
        line for line in _CONFIGURATION.read_text().splitlines() if not line.startswith(("repo1-type", "repo1-s3"))
    ]
    text = "\n".join(lines).replace("/var/lib", str(machine.folder)).replace("/var/run/postgresql", str(machine.folder))
    text = text.replace("repo1-path=/postgresql", f"repo1-path={repository}")
    # Apart from those of the other machines.
    text = text.replace("[global]\n", f"[global]\nlock-path={machine.folder}/lock\nlog-level-file=off\n")
    file = machine.folder / "pgbackrest.conf"
    file.write_text(text + "\n")
    configuration = machine.folder / "config.yml"
    configuration.write_text(configuration.read_text().replace("  pg_hba:", f"{_ARCHIVING}  pg_hba:"))
    return {"PGBACKREST_CONFIG": str(file)}


class PointInTime:
    def __init__(self, cluster: PatroniCluster) -> None:
        self._cluster = cluster

    def pgbackrest(self, machine: Machine, *arguments: str) -> str:
        file = str(machine.folder / "pgbackrest.conf")
        return machine.run("pgbackrest", "--stanza=backbench", *arguments, user="postgres", PGBACKREST_CONFIG=file)

    def create_stanza(self) -> None:
        primary = self._cluster.primary.machine
        self.pgbackrest(primary, "stanza-create")
        self.pgbackrest(primary, "check")

    def back_up(self) -> float:
        """A full backup. Returns how long it took, in seconds."""
        began = time.monotonic()
        self.pgbackrest(self._cluster.primary.machine, "--type=full", "backup")
        return time.monotonic() - began

    def stop(self) -> None:
        """Patroni, and PostgreSQL with it, on every machine: the primary last, so that it archives everything."""
        primary = self._cluster.primary.machine
        for machine in sorted(self._cluster.machines, key=lambda each: each is primary):
            self._cluster.stop_patroni(machine)

    def restore(self, target: str) -> float:
        """On the first machine; the others copy it. Returns how long it took until there was a primary, in seconds."""
        began = time.monotonic()
        first, *others = self._cluster.machines
        self.pgbackrest(first, "--delta", "--type=time", f"--target={target}", "--target-action=promote", "restore")
        self._recover(first)
        self._cluster.forget()
        self._cluster.start_patroni(first)
        assert self._cluster.primary.machine is first
        seconds = time.monotonic() - began
        for machine in others:
            shutil.move(machine.data, machine.data.with_name("before-restore"))
            self._cluster.start_patroni(machine)
        self._cluster.until_complete()
        return seconds

    def _recover(self, machine: Machine) -> None:
        control = (str(POSTGRES / "pg_ctl"), "-D", str(machine.data), "-t", "3600", "-w")
        variables = {"PGBACKREST_CONFIG": str(machine.folder / "pgbackrest.conf")}
        # The configuration in the backup is that of the machine that was the primary; folders differ in this test only.
        folder = ("-o", f"-k {machine.folder}")
        machine.run(*control, *folder, "-l", str(machine.folder / "restore.log"), "start", user="postgres", **variables)
        deadline = time.monotonic() + _SECONDS
        while run_on(machine, "SELECT pg_is_in_recovery()") == "t":
            assert time.monotonic() < deadline, (machine.folder / "restore.log").read_text()
            time.sleep(0.2)
        machine.run(*control, "-m", "fast", "stop", user="postgres")
