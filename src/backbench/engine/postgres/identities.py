"""Identity of a PostgreSQL server: its database cluster, its timeline, and whether it is a standby.

Each promotion of a standby begins a new timeline with a higher number. A server of a lower timeline than one that has
been seen was the primary before a failover: what it still accepts is lost when it becomes a standby of the new one.
"""

from typing import Any

import asyncpg
from msgspec import Struct

from backbench.values.errors import DatabaseUnavailable

# The setting `off` acknowledges commits which a crash would lose.
_SESSION = "current_setting('synchronous_commit') AS synchronous_commit, pg_backend_pid() AS process"
# Stricter settings stay. A wait for a lock ends at the server before the time of the statement is over at the client,
# and with an error that says so.
_OVERRIDE = """
    SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END,
        CASE current_setting('lock_timeout') WHEN '0' THEN set_config('lock_timeout', '25s', false) END
"""
# A standby knows the timeline that it has restored up to; its last checkpoint may be on an older one. A primary knows
# the new timeline before its first checkpoint on it. Every role may call these functions, unless the host revoked that.
_STATEMENT = f"""
    SELECT s.system_identifier, pg_is_in_recovery() AS is_standby,
        CASE WHEN pg_is_in_recovery() THEN greatest(c.timeline_id, r.min_recovery_end_timeline)
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END AS timeline,
        {_SESSION}
    FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r
"""
_WITHOUT_TIMELINE = f"SELECT 0 AS system_identifier, pg_is_in_recovery() AS is_standby, 0 AS timeline, {_SESSION}"
_UNREADABLE_ERRORS = (
    asyncpg.InsufficientPrivilegeError,
    asyncpg.UndefinedFunctionError,
    asyncpg.FeatureNotSupportedError,
)


class Identity(Struct, frozen=True):
    """`system_identifier` is the same for a primary and its standbys. Both numbers are 0 where they cannot be read."""

    system_identifier: int
    is_standby: bool
    timeline: int
    # Whether a pooler is between, such as PgBouncer.
    is_pooled: bool = False


async def identity_of(connection: Any, seconds: float) -> Identity:
    """Its identity; commits on this connection are durable from now on. Raises DatabaseUnavailable."""
    try:
        row = await connection.fetchrow(_STATEMENT, timeout=seconds)
    except _UNREADABLE_ERRORS:
        row = await connection.fetchrow(_WITHOUT_TIMELINE, timeout=seconds)
    # A pooler makes up a process id for each of its clients.
    is_pooled = row["process"] != connection.get_server_pid()
    # Behind a pooler each transaction may be on another connection, where an override would not be in force.
    if not is_pooled:
        await connection.execute(_OVERRIDE, timeout=seconds)
    elif row["synchronous_commit"] == "off":
        raise DatabaseUnavailable("synchronous_commit is off; behind a pooler, it has to be set on the server")
    return Identity(row["system_identifier"], row["is_standby"], row["timeline"], is_pooled)
