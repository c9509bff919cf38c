"""Waiting for a database server that does not respond yet, as after a reboot.

The reasons: docs/decisions/serve-waits-for-the-database.md.
"""

import time

from backbench import __version__
from backbench.commands.database import DatabaseUnreachable, with_database
from backbench.engine import migrations
from backbench.engine.database import Database
from backbench.logs import log, set_up
from backbench.service_manager import notify
from backbench.settings import Settings

_FIRST_WAIT_SECONDS = 0.25
_LONGEST_WAIT_SECONDS = 5.0
_REPORT_SECONDS = 60.0


def migrate_when_reachable(configured: Settings) -> None:
    """Migrates the database, which it creates if necessary; waits for its server without a limit.

    Logs the reason when it changes, and every minute. Raises CommandError for what waiting does not mend, such as a
    rejected password.
    """
    wait, reported, reported_at = _FIRST_WAIT_SECONDS, "", 0.0
    while True:
        try:
            applied = with_database(_migrate, configured=configured, may_create=True, migrate=False)
        except DatabaseUnreachable as error:
            if str(error) != reported or time.monotonic() > reported_at + _REPORT_SECONDS:
                reported, reported_at = str(error), time.monotonic()
                set_up(configured.log_level)
                log.warning("waiting for the database", reason=reported)
                notify(f"STATUS=waiting for the database: {reported}")
        else:
            if applied:
                set_up(configured.log_level)
                log.info("database migrated", migrations=applied, version=__version__)
            return
        time.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_SECONDS)


async def _migrate(db: Database) -> int:
    """The number of migrations of a database that existed; 0 for a new one."""
    applied = await db.migrate()
    return applied if applied < len(migrations.known(db.engine)) else 0
