"""Shapes of error responses in the OpenAPI document, and the codes that follow from a status alone."""

from msgspec import UNSET, Struct, UnsetType

from backbench.values.errors import FieldError

# The codes of error responses that follow from the status alone.
CODES = {
    400: ("validation_error",),
    412: ("precondition_failed",),
    413: ("too_large",),
    415: ("unsupported_media_type",),
    422: ("idempotency_mismatch",),
    429: ("rate_limited",),
    503: ("unavailable",),
}


class Problem(Struct, frozen=True, kw_only=True, rename="camel"):
    """An error response (RFC 9457) with a stable `code`; `title` is the HTTP status phrase."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    limit: int | UnsetType = UNSET
    current: int | UnsetType = UNSET
    grid_ids: list[str] | UnsetType = UNSET
    workshop_id: str | UnsetType = UNSET
    request_id: str | UnsetType = UNSET


class ValidationError(Problem, frozen=True, kw_only=True):
    """A Problem that lists every validation error."""

    errors: list[FieldError]
