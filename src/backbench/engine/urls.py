"""Database URLs: chooses the engine."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from backbench.engine.database import Database


def open_database(url: str, *, must_exist: bool = False) -> Database:
    """`sqlite:///relative.db`, `sqlite:////absolute.db` or `postgresql://…`. Nothing is opened or changed yet.

    `must_exist`: an SQLite file that is missing is an error, and is not created.
    """
    path = sqlite_path(url)
    if path is not None:
        from backbench.engine.sqlite import SQLite

        return SQLite(path, must_exist=must_exist)
    from backbench.engine.postgres.database import Postgres

    return Postgres(url)


def sqlite_path(url: str) -> Path | None:
    """The file of an SQLite database; None for a PostgreSQL server."""
    if urlsplit(url).scheme != "sqlite":
        return None
    return Path(unquote(url.removeprefix("sqlite:///")))


def name_of(url: str) -> str:
    """The full path of an SQLite file, or the name and the host of a PostgreSQL database; never a password."""
    path = sqlite_path(url)
    if path is not None:
        return str(path.absolute())
    parts = urlsplit(url)
    return f"{parts.path.strip('/') or 'of the user'} on {parts.netloc.rpartition('@')[2] or 'this machine'}"
