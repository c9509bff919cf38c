"""The schema as numbered SQL files, forward only. A file `….postgres.sql` stands in for its namesake on PostgreSQL."""

from collections.abc import Sequence
from functools import cache
from importlib import resources

from msgspec import Struct

REGISTER = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)"


class Migration(Struct, frozen=True):
    number: int
    name: str
    sql: str


class NewerSchema(Exception):
    """The database was migrated by a newer Backbench; this one does not know what it may break."""


@cache
def known(engine: str) -> tuple[Migration, ...]:
    """Every migration for the engine, in order."""
    chosen: dict[int, Migration] = {}
    special = f".{engine}.sql"
    for file in sorted(resources.files(__name__).iterdir(), key=lambda file: len(file.name)):
        stem, _, ending = file.name.partition(".")
        if file.name.endswith(special) or ending == "sql":
            number, _, name = stem.partition("_")
            # The engine's own file has the longer name, so it comes later and replaces the shared one.
            chosen[int(number)] = Migration(int(number), name, file.read_text("utf-8"))
    return tuple(chosen[number] for number in sorted(chosen))


def following(done: Sequence[int], engine: str, to: int | None = None) -> Migration | None:
    """The next migration to apply, none after `to`; or None. Raises NewerSchema."""
    ours = known(engine)
    if done and done[-1] > ours[-1].number:
        raise NewerSchema(f"the database is at migration {done[-1]}, this Backbench knows up to {ours[-1].number}")
    wanted = (migration for migration in ours if to is None or migration.number <= to)
    return next((migration for migration in wanted if migration.number not in done), None)
