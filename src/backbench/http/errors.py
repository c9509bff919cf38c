"""Error responses: the status and the body of each domain error."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from backbench.http.responses import Header, Response, empty, json_response
from backbench.values import errors
from backbench.values.limits import Limit, Quota, Quotas

# Of RFC 9110, 15.5. Python has those of an earlier RFC before 3.13.
_PHRASES = {413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content"}
_NO_BODY = {errors.NotFound: 404, errors.UnknownPdfExport: 400}


def error_response(error: errors.DomainError) -> Response:
    status = _NO_BODY.get(type(error))
    if status is not None:
        return empty(status)
    if isinstance(error, errors.Unauthenticated | errors.Forbidden):
        return _refused(error)
    match error:
        case errors.ValidationError(field_errors=found):
            return problem(400, "validation_error", _summary(found), errors=list(found[: errors.MAX_FIELD_ERRORS]))
        case errors.WrongPassword():
            return problem(400, "wrong_password", "The current password is incorrect")
        case errors.Conflict(code=code, detail=detail, members=members):
            return problem(409, code, detail, **members)
        case errors.PreconditionFailed():
            return problem(
                412,
                "precondition_failed",
                "The resource has changed since it was read: If-Match does not match its ETag",
            )
        case errors.TooLarge(limit=limit, detail=detail):
            return problem(413, "too_large", detail or f"The body may have at most {limit} bytes", limit=limit)
        case errors.BodyTooSlow(detail=detail):
            return problem(408, "request_timeout", detail)
        case errors.UnsupportedMedia(detail=detail):
            return problem(415, "unsupported_media_type", detail)
        case errors.IdempotencyMismatch():
            return problem(
                422, "idempotency_mismatch", "This Idempotency-Key was used for a request with another payload"
            )
        case errors.RateLimited():
            return _rate_limited(error)
        case errors.Unavailable(code=code, detail=detail, wait=wait):
            return _with(problem(503, code, detail), *_retry_after(wait))
    raise TypeError(f"{type(error).__name__} has no error response")


def _refused(error: errors.Unauthenticated | errors.Forbidden) -> Response:
    match error:
        case errors.Unauthenticated(needs_session=True):
            return empty(401, _challenge(_NEEDS_SESSION))
        case errors.Unauthenticated(has_token=has_token):
            return empty(401, _challenge('error="invalid_token"' if has_token else ""))
        case errors.Forbidden(missing_scope=None):
            return empty(403)
        case errors.Forbidden(missing_scope=scope):
            return empty(403, _challenge(f'error="insufficient_scope", scope="{scope}"'))


_NEEDS_SESSION = 'error="invalid_request", error_description="This operation takes a session, not an API key"'


def _challenge(parameters: str) -> Header:
    """WWW-Authenticate (RFC 6750, 3): bearer tokens are accepted, and what is wrong with the one that was sent."""
    return (b"www-authenticate", f"Bearer {parameters}".rstrip().encode())


def _summary(found: Sequence[errors.FieldError]) -> str:
    """The first error and the number of others: "/address: One line only (and 2 more)"."""
    first = found[0]
    others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    if len(found) > errors.MAX_FIELD_ERRORS:
        others = f" (and more, of which only the first {errors.MAX_FIELD_ERRORS} are listed)"
    return (f"{first.pointer}: " if first.pointer else "") + first.detail + others


def internal(request_id: str) -> Response:
    return problem(
        500, "internal", "An unhandled error; the log of the server has it under this request id", requestId=request_id
    )


def status_phrase(status: int) -> str:
    """Such as "Not Found": the same with each release of Python."""
    return _PHRASES.get(status) or HTTPStatus(status).phrase


def problem(status: int, code: str, detail: str, **members: Any) -> Response:
    """A body with the members of RFC 9457 and a stable `code`; `title` is the HTTP status phrase."""
    body = {
        "type": "about:blank",
        "title": status_phrase(status),
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }
    return json_response(status, msgspec.json.encode(body))


def _rate_limited(error: errors.RateLimited) -> Response:
    response = problem(429, "rate_limited", f"Try again in {error.wait} seconds")
    exceeded = Quota(Limit(error.limit, error.window), 0, error.wait)
    return _with(response, *_retry_after(error.wait), *rate_limit({error.policy: exceeded}))


def rate_limit(quotas: Quotas) -> tuple[Header, Header]:
    """RateLimit-Policy and RateLimit (IETF draft on RateLimit header fields): each limit, and what is left of it."""
    policies = [f'"{name}";q={quota.limit.count};w={quota.limit.window}' for name, quota in quotas.items()]
    states = [f'"{name}";r={quota.left};t={quota.reset}' for name, quota in quotas.items()]
    return (b"ratelimit-policy", ", ".join(policies).encode()), (b"ratelimit", ", ".join(states).encode())


def _retry_after(wait: int | None) -> list[Header]:
    return [] if wait is None else [(b"retry-after", str(wait).encode())]


def _with(response: Response, *headers: Header) -> Response:
    response.headers.extend(headers)
    return response
