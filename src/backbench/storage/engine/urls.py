"""Which engine a database URL names."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from backbench.storage.engine.database import Database


def open_database(url: str, *, exists: bool = False) -> Database:
    """`sqlite:///relative.db`, `sqlite:////absolute.db` or `postgresql://…`. Nothing is opened or changed yet.

    `exists`: a file that is missing is lost, and not to be begun.
    """
    file = file_of(url)
    if file is not None:
        from backbench.storage.engine.sqlite import SQLite

        return SQLite(file, exists=exists)
    from backbench.storage.engine.postgres import Postgres

    return Postgres(url)


def file_of(url: str) -> Path | None:
    """The file of an embedded database; None where a server holds it."""
    if urlsplit(url).scheme != "sqlite":
        return None
    return Path(unquote(url.removeprefix("sqlite:///")))
