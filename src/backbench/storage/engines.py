"""Which engine a database URL names."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from backbench.storage.database import Database


def open_database(url: str) -> Database:
    """`sqlite:///relative.db`, `sqlite:////absolute.db` or `postgresql://…`. Nothing is opened or changed yet."""
    if urlsplit(url).scheme == "sqlite":
        from backbench.storage.sqlite import SQLite

        return SQLite(Path(unquote(url.removeprefix("sqlite:///"))))
    from backbench.storage.postgres import Postgres

    return Postgres(url)
