"""PostgreSQL errors for which the database cannot be used, in plain words."""

import asyncpg

from backbench.domain.values.errors import DatabaseUnavailable
from backbench.domain.values.os_errors import reason_of

UNAVAILABLE_ERRORS = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
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
    TimeoutError,
    OSError,
)
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
    asyncpg.OperatorInterventionError: "the server ended the connection",
    asyncpg.PostgresSystemError: "the disk of the server reported an error",
    asyncpg.PostgresConnectionError: "the connection was lost",
    asyncpg.InterfaceError: "the connection was lost",
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


def unavailable(error: BaseException) -> DatabaseUnavailable:
    # A missing certificate file is an OSError as well.
    is_unreachable = isinstance(error, _PASSING_ERRORS) and not isinstance(error, FileNotFoundError | PermissionError)
    return DatabaseUnavailable(_reason(error), is_unreachable=is_unreachable)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return reason_of(error)
    if isinstance(error, asyncpg.ClientConfigurationError):
        return f"its URL is not understood: {error}"
    return next((text for kind, text in _REASONS.items() if isinstance(error, kind)), "the server reported an error")
