"""One table: what each refusal looks like over HTTP."""

from typing import Any

import msgspec

from backbench.domain.values import errors
from backbench.domain.values.limits import Limit
from backbench.domain.values.quotas import Quota, Quotas
from backbench.http.responses import Header, Response, empty, json_response

_TITLES = {
    400: "The request is not valid",
    409: "The stored state refuses this",
    412: "The stored state is another one",
    413: "The body is too large",
    415: "The content type is not supported",
    422: "The Idempotency-Key was used for another request",
    429: "Too many requests",
    500: "A fault of ours",
    503: "Not available now",
}
_NO_BODY = {
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.UnknownPdfExport: 400,
}


def error_response(refusal: errors.DomainError) -> Response:
    status = _NO_BODY.get(type(refusal))
    if status is not None:
        return empty(status)
    match refusal:
        case errors.ValidationError(field_errors=field_errors):
            return problem(400, "validation_error", "See errors", errors=list(field_errors))
        case errors.WrongPassword():
            return problem(400, "wrong_password", "The current password is not this one")
        case errors.Conflict(code=code, detail=detail, members=members):
            return problem(409, code, detail, **members)
        case errors.PreconditionFailed():
            return problem(412, "precondition_failed", "If-Match does not hold; read it again")
        case errors.TooLarge(limit=limit):
            return problem(413, "too_large", f"At most {limit} bytes", limit=limit)
        case errors.UnsupportedMedia(detail=detail):
            return problem(415, "unsupported_media_type", detail)
        case errors.IdempotencyMismatch():
            return problem(422, "idempotency_mismatch", "Another request had this key")
        case errors.RateLimited():
            return _rate_limited(refusal)
        case errors.Unavailable(code=code, detail=detail, wait=wait):
            return _with(problem(503, code, detail), *_retry_after(wait))
    raise TypeError(f"{type(refusal).__name__} has no line in the table of refusals")


def internal(request_id: str) -> Response:
    return problem(500, "internal", "Logged under this request id", requestId=request_id)


def problem(status: int, code: str, detail: str, **members: Any) -> Response:
    """RFC 9457 members plus a stable `code`."""
    body = {
        "type": "about:blank",
        "title": _TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }
    return json_response(status, msgspec.json.encode(body))


def _rate_limited(refusal: errors.RateLimited) -> Response:
    answer = problem(429, "rate_limited", f"Try again in {refusal.wait} seconds")
    used_up = Quota(Limit(refusal.limit, refusal.window), 0, refusal.wait)
    return _with(answer, *_retry_after(refusal.wait), *rate_limit({refusal.policy: used_up}))


def rate_limit(quotas: Quotas) -> tuple[Header, Header]:
    """What the IETF's draft on RateLimit header fields tells clients: each limit, and what is left of it."""
    policies = [f'"{name}";q={quota.limit.count};w={quota.limit.window}' for name, quota in quotas.items()]
    states = [f'"{name}";r={quota.left};t={quota.reset}' for name, quota in quotas.items()]
    return (b"ratelimit-policy", ", ".join(policies).encode()), (b"ratelimit", ", ".join(states).encode())


def _retry_after(wait: int | None) -> list[Header]:
    return [] if wait is None else [(b"retry-after", str(wait).encode())]


def _with(answer: Response, *headers: Header) -> Response:
    answer.headers.extend(headers)
    return answer
