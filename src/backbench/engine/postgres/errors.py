"""PostgreSQL errors for which the database cannot be used, in plain words."""

from typing import Any

import asyncpg

from backbench.values.errors import DatabaseUnavailable
from backbench.values.os_errors import reason_of

UNAVAILABLE_ERRORS = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    # The server has announced the end of the connection, and has not ended it yet.
    asyncpg.InternalClientError,
    asyncpg.TargetServerAttributeNotMatched,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.TransactionTimeoutError,
    asyncpg.LockNotAvailableError,
    # In this order: a full disk, no memory or too many connections; a shutdown or a cancelled statement; a disk error.
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresSystemError,
    # Prepared statements that are missing, or there already: behind a pooler.
    asyncpg.InvalidSQLStatementNameError,
    asyncpg.DuplicatePreparedStatementError,
    TimeoutError,
    OSError,
)
_POOLER = "a pooler loses prepared statements; PgBouncer needs version 1.21 or newer, and max_prepared_statements"
# The first that matches applies.
_REASONS: dict[type[Exception], str] = {
    asyncpg.InvalidPasswordError: "the server does not accept this user or password",
    asyncpg.InvalidAuthorizationSpecificationError: "the server does not accept this user or password",
    asyncpg.InvalidCatalogNameError: "no such database",
    asyncpg.InsufficientPrivilegeError: "this user lacks a privilege; it must own the schema",
    asyncpg.ReadOnlySQLTransactionError: "the server is read-only",
    asyncpg.TargetServerAttributeNotMatched: "none of the hosts is the primary",
    asyncpg.CannotConnectNowError: "the server is starting or stopping",
    asyncpg.TooManyConnectionsError: "the server has no free connection",
    asyncpg.DiskFullError: "the disk of the server is full",
    asyncpg.OutOfMemoryError: "the server is out of memory",
    asyncpg.QueryCanceledError: "a statement took too long",
    asyncpg.LockNotAvailableError: "a row or table is locked",
    asyncpg.InvalidSQLStatementNameError: _POOLER,
    asyncpg.DuplicatePreparedStatementError: _POOLER,
    asyncpg.OperatorInterventionError: "the server ended the connection",
    asyncpg.PostgresSystemError: "the disk of the server reported an error",
    asyncpg.PostgresConnectionError: "the connection was lost",
    asyncpg.InterfaceError: "the connection was lost",
    asyncpg.InternalClientError: "the connection was lost",
}
# A server that starts, stops or fails over; the others need a change of the settings or of the server.
_PASSING_ERRORS = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.TargetServerAttributeNotMatched,
    OSError,
)

# The connection is of no use any longer, or leads to a server that does not write: another connection may do better.
_LOST_ERRORS = (
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TargetServerAttributeNotMatched,
    asyncpg.ReadOnlySQLTransactionError,
)
# These have many causes; after one of them the connection itself says whether it was lost.
_AMBIGUOUS_ERRORS = (asyncpg.InterfaceError, OSError)


class ConnectionLost(DatabaseUnavailable):
    """The connection was lost, or there is none to be had. Soon there may be one to the same or to another server."""


class NoResponse(TimeoutError):
    """The server did not respond to a new connection in time."""


def failure(error: BaseException, connection: Any = None) -> DatabaseUnavailable | None:
    """What an error of a statement on `connection` means, or of connecting without one. None: it is another error."""
    if isinstance(error, DatabaseUnavailable):
        return error
    if isinstance(error, asyncpg.ClientConfigurationError):
        return unavailable(error)
    # A value that the statement cannot take is a programming error, which asyncpg counts as InterfaceError.
    if not isinstance(error, UNAVAILABLE_ERRORS) or isinstance(error, ValueError):
        return None
    # A missing certificate file is an OSError as well, and so is the end of the wait for a connection of the pool.
    is_passing = not isinstance(error, FileNotFoundError | PermissionError | TimeoutError)
    is_ended = is_passing and (isinstance(error, OSError) if connection is None else connection.is_closed())
    if isinstance(error, (*_LOST_ERRORS, NoResponse)) or (isinstance(error, _AMBIGUOUS_ERRORS) and is_ended):
        return ConnectionLost(_reason(error), is_unreachable=_is_unreachable(error))
    return unavailable(error)


def unavailable(error: BaseException) -> DatabaseUnavailable:
    return DatabaseUnavailable(_reason(error), is_unreachable=_is_unreachable(error))


def is_undone(error: BaseException | None) -> bool:
    """Whether an error of a COMMIT says that nothing is stored: the server has rolled back, and has reported it."""
    unknown = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError)
    return isinstance(error, asyncpg.PostgresError) and not isinstance(error, unknown)


def unknown_commit() -> DatabaseUnavailable:
    return DatabaseUnavailable(
        "the connection was lost during the commit, so the change was made completely or not at all; read what it "
        "changes to find out, or send it again with the same Idempotency-Key if it had one"
    )


def _is_unreachable(error: BaseException) -> bool:
    # A missing certificate file is an OSError as well.
    return isinstance(error, _PASSING_ERRORS) and not isinstance(error, FileNotFoundError | PermissionError)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return reason_of(error)
    if isinstance(error, asyncpg.ClientConfigurationError):
        # The library's other lines are hints about its own arguments.
        return f"its URL is not understood: {str(error).partition(chr(10))[0]}"
    return next((text for kind, text in _REASONS.items() if isinstance(error, kind)), "the server reported an error")
