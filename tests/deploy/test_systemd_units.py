"""systemd units of deploy/systemd: valid, and what they permit."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
PAGE = ROOT / "docs" / "guide" / "install" / "systemd.md"
# Of systemd-analyze: exposure from 0 to 10, times ten.
MAX_EXPOSURE = 20

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this machine")


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True)


@needs_systemd
@pytest.mark.parametrize("unit", sorted(ROOT.glob("deploy/*/*.service")), ids=lambda unit: unit.name)
def test_the_exposure_of_a_service_is_at_most_two(unit: Path) -> None:
    ran = analyze("security", "--offline=true", f"--threshold={MAX_EXPOSURE}", unit)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@needs_systemd
def test_a_unit_without_hardening_fails_that_check(tmp_path: Path) -> None:
    unit = tmp_path / "plain.service"
    unit.write_text("[Service]\nExecStart=/usr/bin/true\n")
    assert analyze("security", "--offline=true", f"--threshold={MAX_EXPOSURE}", unit).returncode == 1


@needs_systemd
def test_systemd_understands_every_line(tmp_path: Path) -> None:
    for unit in UNITS.iterdir():
        # The program is not installed here.
        installed = re.sub(r"/opt/backbench/bin/backbench", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(installed)
    ran = analyze("verify", *sorted(tmp_path.iterdir()))
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_backup_service_is_hardened_like_the_service() -> None:
    service, backup = (
        hardening(unit.read_text()) for unit in (UNITS / "backbench.service", UNITS / "backbench-backup.service")
    )
    assert backup - service == {"ReadWritePaths=/var/backups/backbench"}
    assert service - backup == set()


def hardening(unit: str) -> set[str]:
    lines = unit.partition("UMask=")[2].partition("[Install]")[0].splitlines()[1:]
    return {line for line in lines if line and not line.startswith("#")}


def test_the_page_names_the_settings_file_and_program_of_the_units() -> None:
    page = PAGE.read_text("utf-8")
    for unit in SERVICES:
        (program,) = re.findall(r"^ExecStart=(/\S+ --env-file \S+) ", unit.read_text(), re.MULTILINE)
        assert f"{program} doctor" in page
