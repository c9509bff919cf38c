"""Security events written to the log: rejected requests, sign-ins, and changes to how an account is protected."""

from backbench.http.operations import Operation

# Signs of guessing and probing. Conflicts are part of normal use, and a 404 is often a mistyped address.
REJECTED = frozenset({400, 401, 403, 408, 413, 415, 422, 429})


def event_of(operation: Operation, status: int, uid: str | None) -> str | None:
    """The log event of a response; None where it is not logged."""
    if status in REJECTED:
        return "request.rejected"
    if operation.log is None or status >= 400:
        return None
    # A browser that returns from Google without signing in is redirected as well.
    return "session.refused" if operation.log == "session.created" and uid is None else operation.log
