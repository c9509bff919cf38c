"""Migrations: the schema as numbered SQL files, applied in order and never undone.

A file `….postgres.sql` replaces the file of the same number on PostgreSQL. Applied migrations are recorded by number;
the name is for people, so a file may be renamed.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources

from msgspec import Struct

CREATE_TABLE = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)"


class Migration(Struct, frozen=True):
    number: int
    name: str
    sql: str


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


def next_pending(applied: Sequence[int], engine: str, to: int | None = None) -> Migration | None:
    """The next migration to apply, none after `to`; or None. `applied` are numbers in order. Raises NewerSchema."""
    available = known(engine)
    latest = available[-1].number
    if applied and applied[-1] > latest:
        raise NewerSchema(
            f"the database is at migration {applied[-1]}, this version of Backbench supports up to {latest}"
        )
    wanted = (migration for migration in available if to is None or migration.number <= to)
    return next((migration for migration in wanted if migration.number not in applied), None)
