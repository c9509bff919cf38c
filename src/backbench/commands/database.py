"""Database access of a command: opens the database, calls a function, closes it, and turns errors into one line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from backbench.commands.output import CommandError
from backbench.domain.values.errors import Conflict, DomainError, NotFound, Unavailable
from backbench.settings import BadSetting, Settings, load
from backbench.storage.engine.database import Database, Work
from backbench.storage.engine.migrations import NewerSchema
from backbench.storage.engine.urls import open_database

Result = TypeVar("Result")


def settings(check: Callable[[Settings], None] = lambda _: None) -> Settings:
    """Raises CommandError if a setting is unknown or malformed, or if `check` raises BadSetting."""
    try:
        loaded = load()
        check(loaded)
    except BadSetting as error:
        raise CommandError(str(error)) from None
    return loaded


def run_transaction(work: Work[Result], not_found: str) -> Result:
    """Runs one write transaction. `not_found` is the error text if it raises NotFound."""
    return with_database(lambda db: db.write(work), not_found)


def with_database(
    call: Callable[[Database], Awaitable[Result]], not_found: str = "not found", *, migrate: bool = True
) -> Result:
    """Returns the result of `call`; migrates the schema first unless `migrate` is false.

    Raises CommandError instead of DomainError.
    """
    url = settings().database_url

    async def run() -> Result:
        db = open_database(url)
        try:
            if migrate:
                await db.migrate()
            return await call(db)
        finally:
            await db.close()

    try:
        return asyncio.run(run())
    except (DomainError, NewerSchema) as error:
        raise CommandError(_error_text(error, not_found)) from None


def _error_text(error: Exception, not_found: str) -> str:
    if isinstance(error, NotFound):
        return not_found
    if isinstance(error, Conflict | Unavailable):
        return f"{error.detail[:1].lower()}{error.detail[1:]}{_members(error)}"
    return str(error)


def _members(error: Any) -> str:
    """The further members of a conflict, such as the id of the workshop that prevents a deletion."""
    members = getattr(error, "members", {})
    return f" ({', '.join(f'{name}: {value}' for name, value in members.items())})" if members else ""
