"""The closed set of refusals: every way in which Backbench says no, each raised where the rule is known.

`http/errors.py` turns them into a status and a body; nobody else catches them.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class FieldError(Struct, frozen=True):
    """One thing that is wrong with a request; `pointer` is a JSON Pointer, "" is the whole body."""

    pointer: str
    code: str
    detail: str


class DomainError(Exception):
    """A deliberate no. Nothing has been written."""


class Unauthenticated(DomainError):
    """No credentials, or none that are valid now."""


class Forbidden(DomainError):
    """Known, but not entitled: not a member, not the owner, a scope or the CSRF token is missing."""


class NotFound(DomainError):
    """There is no such thing."""


class ValidationError(DomainError):
    """The request is not of its schema; `field_errors` names every fault."""

    def __init__(self, *field_errors: FieldError) -> None:
        super().__init__(field_errors)
        self.field_errors: Sequence[FieldError] = field_errors


class WrongPassword(DomainError):
    """The current password that confirms a step is not the account's."""


class UnknownPdfExport(DomainError):
    """A hand-off names a PDF export that this estimate does not have."""


class Conflict(DomainError):
    """Well formed, but the stored state refuses it; `code` is stable, `members` are for programs."""

    def __init__(self, code: str, detail: str, **members: object) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.members: Mapping[str, object] = members


class PreconditionFailed(DomainError):
    """`If-Match` names another state than the stored one."""


class TooLarge(DomainError):
    """The body is larger than the operation takes; `limit` in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class UnsupportedMedia(DomainError):
    """A content type, or content, that the operation does not take."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class IdempotencyMismatch(DomainError):
    """The same Idempotency-Key came with another payload."""


class RateLimited(DomainError):
    """Too many attempts; `wait` is the whole seconds until the next one can succeed."""

    def __init__(self, policy: str, limit: int, window: int, wait: int) -> None:
        super().__init__(policy)
        self.policy = policy
        self.limit = limit
        self.window = window
        self.wait = wait


class Unavailable(DomainError):
    """A part that the operation needs is down or not set up; `wait` in seconds where waiting helps."""

    def __init__(self, code: str, detail: str, wait: int | None = None) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.wait = wait
