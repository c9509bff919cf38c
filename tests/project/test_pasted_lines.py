"""Lines that hosts paste: each command of a page exists with its options, and the backup of a service comes back."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from backbench import cli
from tests.people import PASSWORD
from tests.project.test_docs import FENCED, READING, ROOT, commands, name_of, options
from tests.support.violations import violations

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *READING, *sorted((ROOT / "deploy").rglob("*.md"))]
# What can be given anywhere in a command.
ANYWHERE = {"--json", "--env-file", "--help"}
PROGRAM = Path(sys.executable).with_name("backbench")


def blocks(page: Path) -> list[str]:
    """The contents of code blocks, with lines that go on joined."""
    return [
        re.sub(r"^ *```.*\n|^ *```$", "", block, flags=re.MULTILINE).replace("\\\n", " ")
        for block in FENCED.findall(page.read_text("utf-8"))
    ]


def called(line: str) -> list[list[str]]:
    """The arguments of each call of the program in a line of a shell."""
    found = []
    for match in re.finditer(r"(?:^|[\s/])backbench(?= +(?P<rest>[^|;&#)\n]+))", line):
        try:
            words = shlex.split(match["rest"])
        except ValueError:
            continue
        if "--env-file" in words:
            words = words[: words.index("--env-file")] + words[words.index("--env-file") + 2 :]
        if words[:1] in (["exec"], ["run"]):
            continue
        found.append(words)
    return found


def test_every_command_of_a_page_exists_with_its_options() -> None:
    known = commands()
    groups = {name.split()[0] for name in known}
    checked = 0
    with violations() as case:
        for page in PAGES:
            for line in "\n".join(blocks(page)).splitlines():
                for words in called(line):
                    # Users, images, services and stanzas have the same name.
                    if not words or words[0] not in groups:
                        continue
                    with case(f"{name_of(page)}: {line.strip()}"):
                        name = words[0] if words[0] in known else " ".join(words[:2])
                        assert name in known
                        given = {word.partition("=")[0] for word in words if word.startswith("--")}
                        assert given - options(known[name]) - ANYWHERE == set()
                        checked += 1
    assert checked > 35


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder in place of `/`, with the settings of the systemd page, and programs that change nothing beyond it."""
    for folder in ("bin", "etc", "var/lib/backbench/data", "var/backups/backbench"):
        (tmp_path / folder).mkdir(parents=True)
    stubs = {"sudo": 'shift 2\nexec "$@"', "systemctl": ":", "journalctl": ":"}
    for name, script in stubs.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    page = (ROOT / "docs" / "guide" / "install" / "systemd.md").read_text("utf-8")
    (lines,) = re.findall(r"`/etc/backbench\.env`:\n\n```\n(.*?)```", page, re.DOTALL)
    # There is no mail server to sign in to.
    kept = [line for line in lines.splitlines() if "SMTP" not in line]
    (tmp_path / "etc" / "backbench.env").write_text(here("\n".join(kept), tmp_path) + "\n")
    return tmp_path


def here(lines: str, machine: Path) -> str:
    """The lines with the paths of this machine, and the program that is installed here."""
    lines = lines.replace("/opt/backbench/bin/backbench", str(PROGRAM))
    return re.sub(r"(?<=[\s/\"'=(])/(?=(?:etc|var)/)", f"{machine}/", lines)


def paste(lines: str, machine: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BACKBENCH_")}
    path = f"{machine / 'bin'}:{os.environ['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", here(lines, machine)]
    ran = subprocess.run(command, env=inherited | {"PATH": path}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_backup_of_the_service_comes_back_by_the_lines_of_the_page(
    machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = ROOT / "docs" / "guide" / "backups.md"
    every_night, newest, restore, trial = (
        next(block for block in blocks(page) if text in block)
        for text in ("backup --into", "doctor --backups", "systemctl stop backbench\n", "trial=")
    )
    added = ("accounts", "add", "you@example.com", "--name", "Your Name", "--password", PASSWORD, "--create")
    assert run(machine, *added) == 0
    paste(every_night, machine)
    paste(newest, machine)
    (made,) = (machine / "var" / "backups" / "backbench").iterdir()
    paste(trial, machine)
    assert run(machine, "accounts", "suspend", "you@example.com") == 0
    paste(re.sub(r"\d{4}-\d\d-\d\dT\d{6}Z", made.name, restore), machine)
    capsys.readouterr()
    assert run(machine, "accounts", "list", "--json") == 0
    assert '"status":"active"' in capsys.readouterr().out


# Runs what a container would run, as its user or the one that the line names, without the capabilities that the compose
# files drop.
DOCKER = f"""#!{sys.executable}
import os, shutil, sys

words = sys.argv[2:]
command = words.pop(0)
if command == "cp":
    shutil.copytree(words[0], os.path.join("backups", os.path.basename(words[0])))
if command != "run":
    sys.exit()
user, program, capabilities = "10001", "backbench", "-all"
while words[0].startswith("-"):
    option = words.pop(0)
    if option == "--user":
        user = words.pop(0)
    elif option == "--entrypoint":
        program = words.pop(0)
    elif option == "--cap-add":
        capabilities += ",+" + words.pop(0).lower()
call = [program, *(word.replace("/backups", "backups") for word in words[1:])]
if program == "backbench":
    call = ["{PROGRAM}", "--env-file", "etc/backbench.env", *call[1:]]
elif os.geteuid() == 0:
    drop = ["--bounding-set=" + capabilities, "--inh-caps=-all", "--no-new-privs"]
    call = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", *drop, *call]
os.execvp(call[0], call)
"""


def test_a_backup_is_restored_into_containers_by_the_lines_of_the_page(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = ROOT / "docs" / "guide" / "install" / "docker.md"
    (lines,) = [block for block in blocks(page) if " restore /backups/" in block]
    monkeypatch.chdir(machine)
    machine.chmod(0o711)
    (machine / "bin" / "docker").write_text(DOCKER)
    (machine / "bin" / "docker").chmod(0o755)
    # As the volume of a new installation.
    (machine / "backups").mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown("backups", 10001, 10001)
    added = ("accounts", "add", "you@example.com", "--name", "Your Name", "--password", PASSWORD, "--create")
    assert run(machine, *added) == 0
    assert run(machine, "backup", "--into", "var/backups/backbench") == 0
    (made,) = (machine / "var" / "backups" / "backbench").iterdir()
    (machine / "var" / "lib" / "backbench" / "data").rename("before")
    (machine / "var" / "lib" / "backbench" / "data").mkdir()
    paste(re.sub(r"\d{4}-\d\d-\d\dT\d{6}Z", made.name, lines), machine)
    unpacked = [path.stat() for path in (machine / "backups").rglob("*")]
    assert {each.st_uid for each in unpacked} == {10001 if os.geteuid() == 0 else os.geteuid()}
    assert {each.st_mode & 0o077 for each in unpacked} == {0}
    capsys.readouterr()
    assert run(machine, "accounts", "list", "--json") == 0
    assert "you@example.com" in capsys.readouterr().out


def test_no_line_is_root_in_a_container_without_a_capability() -> None:
    """It could not even read what belongs to another user: the compose files drop all of them."""
    root = re.compile(r"\b(?:docker|podman)\b.* (?:--user|-u)[ =](?:0|root)\b")
    lines = [line for page in PAGES for block in blocks(page) for line in block.splitlines()]
    assert [line for line in lines if root.search(line) and "--cap-add" not in line] == []


def run(machine: Path, *arguments: str) -> int:
    """The status of a command that no page has, in this process."""
    return cli.run(["--env-file", f"{machine}/etc/backbench.env", *arguments])
