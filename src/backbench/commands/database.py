"""Database access of a command: opens the database, calls a function, closes it, and turns errors into one line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from backbench.commands.configuration import settings
from backbench.commands.output import CommandError
from backbench.engine.database import Database, Read, Work
from backbench.engine.migrations import NewerSchema
from backbench.engine.urls import name_of, open_database, sqlite_path
from backbench.env_file import user_name
from backbench.hosting import backups
from backbench.settings import Settings
from backbench.values.errors import Conflict, DatabaseUnavailable, DomainError, NotFound, Unavailable
from backbench.values.os_errors import reason_of

Result = TypeVar("Result")


class DatabaseUnreachable(CommandError):
    """The server of the database does not respond, but may when it has started."""


def run_transaction(work: Work[Result], not_found: str) -> Result:
    """Runs one write transaction. `not_found` is the error text if it raises NotFound."""
    return with_database(lambda db: db.write(work), not_found)


def run_read(work: Callable[[Read], Awaitable[Result]], not_found: str = "not found") -> Result:
    """Runs one read transaction. `not_found` is the error text if it raises NotFound."""

    async def read(db: Database) -> Result:
        async with db.snapshot() as snapshot:
            return await work(snapshot)

    return with_database(read, not_found)


def with_database(
    call: Callable[[Database], Awaitable[Result]],
    not_found: str = "not found",
    *,
    configured: Settings | None = None,
    may_create: bool = False,
    migrate: bool = True,
) -> Result:
    """Returns the result of `call`; migrates the schema first unless `migrate` is false.

    Raises CommandError instead of DomainError, and for a database that does not exist unless `may_create` is true.
    """
    url = (configured or settings()).database_url
    if not may_create:
        _require_file(url)

    async def ready(db: Database) -> Result:
        if not may_create:
            await _require_tables(db, url)
        if migrate:
            await db.migrate()
        return await call(db)

    try:
        return asyncio.run(_opened(url, ready, must_exist=not may_create))
    except (DomainError, NewerSchema) as error:
        text = error_text(error, url, not_found)
        if isinstance(error, DatabaseUnavailable) and error.is_unreachable:
            raise DatabaseUnreachable(text) from None
        raise CommandError(text) from None


async def _opened(url: str, call: Callable[[Database], Awaitable[Result]], *, must_exist: bool) -> Result:
    db = open_database(url, must_exist=must_exist)
    try:
        return await call(db)
    finally:
        await db.close()


def changed(text: str) -> str:
    """The text of a command that has changed the database, with the database: it may not be the one that was meant."""
    return f"{text}\nDatabase: {name_of(settings().database_url)}"


def unusable(url: str, reason: str) -> str:
    by = f" by user {user_name()}" if sqlite_path(url) is not None else ""
    return f"the database {name_of(url)} cannot be used now{by}: {reason}"


def error_text(error: Exception, url: str, not_found: str = "not found") -> str:
    if isinstance(error, NotFound):
        return not_found
    if isinstance(error, DatabaseUnavailable):
        return unusable(url, error.reason)
    if isinstance(error, Conflict | Unavailable):
        return f"{error.detail[:1].lower()}{error.detail[1:]}{_members(error)}"
    return str(error)


def _require_file(url: str) -> None:
    path = sqlite_path(url)
    try:
        if path is not None:
            path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(_no_database(url)) from None
    except OSError as error:
        raise CommandError(unusable(url, reason_of(error))) from None


async def _require_tables(db: Database, url: str) -> None:
    async with db.read() as read:
        if await backups.schema_number(read, db.catalog) == 0:
            raise CommandError(_no_database(url))


def _no_database(url: str) -> str:
    return (
        f"there is no database {name_of(url)}; if it should exist, check the settings (--env-file FILE) and the mount: "
        "only serve, migrate, restore and accounts add --create make a new one"
    )


def _members(error: Any) -> str:
    """The further members of a conflict, such as the id of the workshop that prevents a deletion."""
    members = getattr(error, "members", {})
    return f" ({', '.join(f'{name}: {value}' for name, value in members.items())})" if members else ""
