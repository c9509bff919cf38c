"""`backbench` of a next release: `python -m tests.support.cluster.next_release serve`.

It has one more migration, with all that a migration may do beside nodes of the release before, and a web app of another
version.
"""

import sys
from collections.abc import Mapping

from backbench.cli import main
from backbench.engine import migrations
from backbench.engine.migrations import Migration
from backbench.site import web_app

_SQL = """-- Usable from {latest}.
CREATE TABLE shelves (
    id TEXT PRIMARY KEY,
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE
);
ALTER TABLE orders ADD COLUMN shelf TEXT;
ALTER TABLE orders ADD COLUMN weight INTEGER NOT NULL DEFAULT 0;
CREATE INDEX orders_by_shelf ON orders (shelf);
"""

# At the level of the module: a worker that is spawned instead of forked imports it again.
_known = migrations.known
_version = web_app._version


def known(engine: str) -> tuple[Migration, ...]:
    present = _known(engine)
    latest = present[-1].number
    return (*present, Migration(latest + 1, "next_release", _SQL.format(latest=latest)))


def version(files: Mapping[str, bytes]) -> str:
    return f"next-{_version(files)}"


migrations.known = known  # type: ignore[assignment]
web_app._version = version

if __name__ == "__main__":
    sys.exit(main())
