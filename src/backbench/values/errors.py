"""Domain errors: the closed set of reasons for which an operation is rejected, each raised where the rule is known.

`http/errors.py` maps each of them to a status and a body. They are not caught anywhere else.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class DomainError(Exception):
    """Base class: the operation was rejected and nothing has been written."""


class FieldError(Struct, frozen=True):
    """One validation error of a request. `pointer` is a JSON Pointer; "" is the whole body."""

    pointer: str
    code: str
    detail: str


class ValidationError(DomainError):
    """The request does not match its schema (400). `field_errors` lists every error, up to a limit."""

    def __init__(self, *field_errors: FieldError) -> None:
        super().__init__(field_errors)
        self.field_errors: Sequence[FieldError] = field_errors


def unknown_member(pointer: str, detail: str) -> ValidationError:
    return ValidationError(FieldError(pointer, "unknown", detail))


# Validation stops after one more, so that the response can say that there are others.
MAX_FIELD_ERRORS = 100


class Unauthenticated(DomainError):
    """No credentials, or none that are valid now (401). `has_token`: a bearer token was sent, and is not valid here.

    `needs_session`: it is a valid API key, and the operation takes sessions only.
    """

    def __init__(self, *, has_token: bool = False, needs_session: bool = False) -> None:
        super().__init__()
        self.has_token = has_token
        self.needs_session = needs_session


class Forbidden(DomainError):
    """Authenticated but not permitted (403): not a member, not an owner, or no scope or CSRF token.

    `missing_scope`: the scope that the API key lacks.
    """

    def __init__(self, *, missing_scope: str | None = None) -> None:
        super().__init__()
        self.missing_scope = missing_scope


class NotFound(DomainError):
    """The object does not exist (404)."""


class WrongPassword(DomainError):
    """The current password that confirms an operation is incorrect."""


class UnknownPdfExport(DomainError):
    """A hand-off names a PDF export that does not belong to its estimate."""


class Conflict(DomainError):
    """A valid request that conflicts with the stored state (409).

    `code` is stable. `members` are added to the response body, for programs.
    """

    def __init__(self, code: str, detail: str, **members: object) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.members: Mapping[str, object] = members


class PreconditionFailed(DomainError):
    """`If-Match` does not match the stored state (412)."""


class TooLarge(DomainError):
    """The body is larger than the operation accepts (413). `limit` is in bytes, unless `detail` says another unit."""

    def __init__(self, limit: int, detail: str = "") -> None:
        super().__init__(limit)
        self.limit = limit
        self.detail = detail


class BodyTooSlow(DomainError):
    """The body did not arrive in time (408). `detail` names the time or the rate."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class UnsupportedMedia(DomainError):
    """A content type, or content, that the operation does not accept (415)."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class IdempotencyMismatch(DomainError):
    """The Idempotency-Key was used with a different request body before (422)."""


class RateLimited(DomainError):
    """A rate limit is used up (429). `wait`: whole seconds until the next attempt can succeed."""

    def __init__(self, policy: str, limit: int, window: int, wait: int) -> None:
        super().__init__(policy)
        self.policy = policy
        self.limit = limit
        self.window = window
        self.wait = wait


class Unavailable(DomainError):
    """A dependency is down or not configured (503). `wait`: seconds, if a later attempt can succeed."""

    def __init__(self, code: str, detail: str, wait: int | None = None) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.wait = wait


class DatabaseUnavailable(Unavailable):
    """The database cannot be used. `reason` names neither host nor path, because clients get it as well.

    `is_unreachable`: no server responds, as while it starts; otherwise somebody has to change something.
    """

    def __init__(self, reason: str, wait: int = 5, *, is_unreachable: bool = False) -> None:
        super().__init__("unavailable", f"The database cannot be used now: {reason}", wait)
        self.reason = reason
        self.is_unreachable = is_unreachable
