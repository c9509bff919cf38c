"""Configuration of a command: settings from the environment and from the settings file of `--env-file`."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path

import msgspec

from backbench import setting_values as parse
from backbench.commands.output import CommandError
from backbench.env_file import export_aws_variables
from backbench.integrations.blobs import ENDPOINT_VARIABLES
from backbench.settings import BadSetting, Settings, load

_DEFAULT_FILE = Path(".env")
_env_file: ContextVar[Path] = ContextVar("env_file", default=_DEFAULT_FILE)


@contextlib.contextmanager
def settings_file(path: str | None) -> Iterator[None]:
    """Within the context, settings come from this file instead of `.env`. Raises CommandError if it is no file."""
    file = _DEFAULT_FILE if path is None else Path(path).absolute()
    try:
        if path is not None and stat.S_ISDIR(file.stat().st_mode):
            raise CommandError(f"{file} is a folder, not a settings file")
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(f"there is no settings file {file}") from None
    except OSError:
        # Reading it reports why it cannot be read.
        pass
    token = _env_file.set(file)
    try:
        yield
    finally:
        _env_file.reset(token)


def read_settings(*, host: str | None = None, port: int | None = None) -> Settings:
    """Raises BadSetting."""
    file = _env_file.get()
    loaded = load(file=file, host=host, port=port)
    if loaded.files_url.startswith("s3:"):
        export_aws_variables(file)
        _require_endpoints()
    return loaded


def _require_endpoints() -> None:
    """Raises BadSetting for an address at which the S3 library ends its thread, not the request."""
    for name in ENDPOINT_VARIABLES:
        value = os.environ.get(name)
        if value == "":
            # Empty counts as not set, as for settings.
            del os.environ[name]
        elif value is not None:
            try:
                parse.endpoint_url(value)
            except ValueError as error:
                raise BadSetting(f"{name} is not understood: {error}") from None


def settings(
    check: Callable[[Settings], None] = lambda _: None, *, host: str | None = None, port: int | None = None
) -> Settings:
    """Raises CommandError if a setting is unknown or malformed, or if `check` raises BadSetting."""
    try:
        loaded = read_settings(host=host, port=port)
        check(loaded)
    except BadSetting as error:
        raise CommandError(str(error)) from None
    return loaded


def of_demo(configured: Settings) -> Settings:
    """The same with a folder of the demo's own, so that its account is not in the default database.

    A database that the settings name is used: this is how the demo is tried on PostgreSQL.
    """
    if configured.database_url != Settings().database_url:
        return configured
    return msgspec.structs.replace(
        configured,
        database_url="sqlite:///data-demo/backbench.db",
        files_url="file:data-demo/files",
        mail_folder="data-demo/mail",
    )


def file_in_use() -> Path | None:
    """The full path of the settings file; None if there is none."""
    file = _env_file.get().absolute()
    return file if file.is_file() else None
