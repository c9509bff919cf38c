"""A command's way to the database: opened for the call, closed after it, refusals turned into words."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from backbench.commands.output import Failure
from backbench.domain.values.errors import Conflict, DomainError, NotFound, Unavailable
from backbench.settings import BadSetting, Settings, load
from backbench.storage.engine.database import Database, Work
from backbench.storage.engine.migrations import NewerSchema
from backbench.storage.engine.urls import open_database

Result = TypeVar("Result")


def settings(check: Callable[[Settings], None] = lambda _: None) -> Settings:
    """Raises Failure where one is unknown or malformed, or `check` raises BadSetting."""
    try:
        found = load()
        check(found)
    except BadSetting as error:
        raise Failure(str(error)) from None
    return found


def write(work: Work[Result], missing: str) -> Result:
    """Runs one transaction; `missing` is what to say when it finds nothing to act on."""
    return in_database(lambda db: db.write(work), missing)


def in_database(
    call: Callable[[Database], Awaitable[Result]], missing: str = "there is no such thing", *, migrates: bool = True
) -> Result:
    """What `call` gives; a refusal becomes a Failure. The schema is brought up to date first, unless told not to."""
    url = settings().database_url

    async def work() -> Result:
        db = open_database(url)
        try:
            if migrates:
                await db.migrate()
            return await call(db)
        finally:
            await db.close()

    try:
        return asyncio.run(work())
    except (DomainError, NewerSchema) as error:
        raise Failure(_line(error, missing)) from None


def _line(error: Exception, missing: str) -> str:
    if isinstance(error, NotFound):
        return missing
    if isinstance(error, Conflict | Unavailable):
        return f"{error.detail[:1].lower()}{error.detail[1:]}{_members(error)}"
    return str(error)


def _members(error: Any) -> str:
    """What else a conflict names, such as the workshop that stands in the way."""
    members = getattr(error, "members", {})
    return f" ({', '.join(f'{name}: {value}' for name, value in members.items())})" if members else ""
