"""Settings that a library refuses: `serve` ends with one line and no traceback, as for one that is malformed."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from backbench import serving
from backbench.app import Backbench
from backbench.commands import server, waiting
from backbench.settings import BadSetting, Settings, load
from tests.support.command_line import CommandLine
from tests.support.violations import violations

_TEXTS = ("\udcff", "ż%00%zz \\{}", "a@" + "b" * 300, "http://..", "smtp://..")
# Each is one that a library has refused.
_PLACES = (
    "s3://a b/c",
    "s3://b//c",
    "s3://b:99999/c",
    "sqlite:///%00",
    "postgresql://h:1,h:x/a",
    "postgresql://../a",
    "postgresql://h/a?%zz",
    "postgresql://127.0.0.1:1/a?sslrootcert=%00&sslmode=verify-full",
    "postgresql://127.0.0.1:1/a?sslmode=verify-ca",
)
_AWS_VARIABLES = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ALLOW_HTTP",
    "AWS_CHECKSUM_ALGORITHM",
    "AWS_IMDSV1_FALLBACK",
    "AWS_REQUEST_PAYER",
    "AWS_S3_EXPRESS",
    "AWS_SERVER_SIDE_ENCRYPTION",
    "AWS_SKIP_SIGNATURE",
    "AWS_UNSIGNED_PAYLOAD",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
)
# Refused alone; the others are tried together.
_ALONE = ("BACKBENCH_DATABASE_URL", "BACKBENCH_FILES_URL", "BACKBENCH_HOST")
# Without the others, these are refused as incomplete.
_COMPLETE = {
    "BACKBENCH_AI_PROVIDER": "openai",
    "BACKBENCH_AI_MODEL": "m",
    "BACKBENCH_AI_KEY": "k",
    "BACKBENCH_GOOGLE_CLIENT_ID": "g",
    "BACKBENCH_GOOGLE_CLIENT_SECRET": "g",
    "BACKBENCH_STRIPE_SECRET_KEY": "s",
    "BACKBENCH_STRIPE_WEBHOOK_SECRET": "s",
    "BACKBENCH_STRIPE_PRICE": "s",
}


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """`serve` makes the application as its workers do, and ends."""

    def build(settings: Settings, *_: object) -> None:
        Backbench(settings)

    monkeypatch.setattr(serving, "run", build)
    monkeypatch.setattr(server, "_try_port", lambda *_: None)
    # A wait for the database, which would have no end, is an error.
    monkeypatch.setattr(waiting, "_FIRST_WAIT_SECONDS", -1)
    # Without certificates of the machine's user.
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    return CommandLine(f"sqlite:///{tmp_path}/office.db", tmp_path, monkeypatch, capsys)


def accepted(value: str) -> Iterator[str]:
    """The names of the settings that are well-formed with the value."""
    for field in Settings.__struct_fields__:
        name = f"BACKBENCH_{field.upper()}"
        try:
            load({name: value})
        except BadSetting:
            continue
        yield name


@contextlib.contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as changed:
        for name, value in values.items():
            changed.setenv(name, value)
        yield


def require_one_line(commands: CommandLine, name: str = "") -> None:
    """Where `serve` refuses what the setting is, its one line names it."""
    ended = commands.run("serve")
    if ended.status:
        assert (ended.status, ended.err.count("\n"), ended.err[:11]) == (1, 1, "backbench: "), ended
        assert name in ended.err


def test_settings_that_a_library_refuses_are_one_line(commands: CommandLine) -> None:
    with violations() as case:
        for value in _TEXTS:
            together = {name: value for name in accepted(value) if name not in _ALONE}
            with case(f"{', '.join(together)} = {value!r}"), environment({**_COMPLETE, **together}):
                require_one_line(commands)
        for value in (*_TEXTS, *_PLACES):
            for name in [name for name in accepted(value) if name in _ALONE]:
                with case(f"{name} = {value!r}"), environment({name: value}):
                    require_one_line(commands)


def test_variables_that_the_library_of_buckets_refuses_are_one_line(commands: CommandLine) -> None:
    with violations() as case, environment({"BACKBENCH_FILES_URL": "s3://bucket/files"}):
        for name in _AWS_VARIABLES:
            with case(name), environment({name: "x"}):
                require_one_line(commands, name)
