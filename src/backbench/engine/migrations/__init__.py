"""Migrations: the schema as numbered SQL files, applied in order and never undone.

A file `….postgres.sql` replaces the file of the same number on PostgreSQL. Applied migrations are recorded by number;
the name is for people, so a file may be renamed.

A file that begins with `-- Usable from N.` leaves the schema usable for versions that know migration N and none after
it: they may start on it, and go on beside newer nodes (docs/decisions/availability.md). Without that
line, a migration is for its own version and newer ones alone.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from msgspec import Struct

from backbench.engine.database import Read
from backbench.values.errors import DatabaseUnavailable

CREATE_TABLE = (
    "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, usable_from BIGINT)"
)
# Databases of earlier versions do not have it.
ADD_COLUMN = "ALTER TABLE migrations ADD COLUMN usable_from BIGINT"
_TOO_NEW = "SELECT number FROM migrations WHERE number > :newest AND coalesce(usable_from, number) > :newest LIMIT 1"
_USABLE_FROM = re.compile(r"-- Usable from (\d+)\.")


class Migration(Struct, frozen=True):
    number: int
    name: str
    sql: str

    @property
    def usable_from(self) -> int | None:
        """The newest migration that a version must know to use the schema after this one; None for this one itself."""
        stated = _USABLE_FROM.match(self.sql)
        return None if stated is None else int(stated[1])


class Applied(Struct, frozen=True):
    """A migration in the database, perhaps of a newer version."""

    number: int
    usable_from: int | None


class NewerSchema(Exception):
    """The database was migrated by a newer version of Backbench, which this version could damage."""


@cache
def known(engine: str) -> tuple[Migration, ...]:
    """Every migration for the engine, in order."""
    chosen: dict[int, Migration] = {}
    special = f".{engine}.sql"
    for file in sorted(resources.files(__name__).iterdir(), key=lambda file: len(file.name)):
        stem, _, ending = file.name.partition(".")
        if file.name.endswith(special) or ending == "sql":
            number, _, name = stem.partition("_")
            # The engine's own file has the longer name, so it is read later and replaces the shared one.
            chosen[int(number)] = Migration(int(number), name, file.read_text("utf-8"))
    return tuple(chosen[number] for number in sorted(chosen))


def next_pending(applied: Sequence[Applied], engine: str, to: int | None = None) -> Migration | None:
    """The next migration to apply, none after `to`; or None. `applied` are in order. Raises NewerSchema."""
    available = known(engine)
    latest = available[-1].number
    if any(each.number > latest and (each.usable_from or each.number) > latest for each in applied):
        raise NewerSchema(
            f"the database is at migration {applied[-1].number}, this version of Backbench supports up to {latest}"
        )
    present = {each.number for each in applied}
    wanted = (migration for migration in available if to is None or migration.number <= to)
    return next((migration for migration in wanted if migration.number not in present), None)


async def require_usable(db: Read, engine: str) -> None:
    """Raises DatabaseUnavailable where `is_usable` is false."""
    if not await is_usable(db, engine):
        raise DatabaseUnavailable("its schema is too new for this version of Backbench")


async def is_usable(db: Read, engine: str) -> bool:
    """Whether this version can go on with the schema. Another node may have applied migrations of a newer version."""
    return await db.value(_TOO_NEW, newest=known(engine)[-1].number) is None
