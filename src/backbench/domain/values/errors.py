"""The closed set of refusals: every way in which Backbench says no, each raised where the rule is known.

`http/errors.py` turns them into a status and a body; nobody else catches them.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class Fault(Struct, frozen=True):
    """One thing that is wrong with a request; `pointer` is a JSON Pointer, "" is the whole body."""

    pointer: str
    code: str
    detail: str


class Refused(Exception):
    """A deliberate no. Nothing has been written."""


class NotSignedIn(Refused):
    """No credentials, or none that are valid now."""


class NotAllowed(Refused):
    """Known, but not entitled: not a member, not the owner, a scope or the CSRF token is missing."""


class NotFound(Refused):
    """There is no such thing."""


class Invalid(Refused):
    """The request is not of its schema; `faults` names every fault."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults)
        self.faults: Sequence[Fault] = faults


class WrongPassword(Refused):
    """The current password that confirms a step is not the account's."""


class UnknownPdfExport(Refused):
    """A hand-off names a PDF export that this estimate does not have."""


class Conflict(Refused):
    """Well formed, but the stored state refuses it; `code` is stable, `members` are for programs."""

    def __init__(self, code: str, detail: str, **members: object) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.members: Mapping[str, object] = members


class PreconditionFailed(Refused):
    """`If-Match` names another state than the stored one."""


class TooLarge(Refused):
    """The body is larger than the operation takes; `limit` in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class UnsupportedMedia(Refused):
    """A content type, or content, that the operation does not take."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class IdempotencyMismatch(Refused):
    """The same Idempotency-Key came with another payload."""


class RateLimited(Refused):
    """Too many attempts; `wait` is the whole seconds until the next one can succeed."""

    def __init__(self, policy: str, limit: int, window: int, wait: int) -> None:
        super().__init__(policy)
        self.policy = policy
        self.limit = limit
        self.window = window
        self.wait = wait


class Unavailable(Refused):
    """A part that the operation needs is down or not set up; `wait` in seconds where waiting helps."""

    def __init__(self, code: str, detail: str, wait: int | None = None) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.wait = wait
