"""The headers of requests and answers that clients can work with, as the OpenAPI document tells of them."""

from typing import Any

from backbench.domain.operations.idempotency import MAX_KEY_LENGTH
from backbench.http.operations import Operation

_ETAG = "The strong tag of what was read"
_WAIT = "The seconds until it is worth trying again"


def parameters(operation: Operation, *, has_representation: bool) -> list[dict[str, Any]]:
    """What a request may carry beside its path, query and body."""
    found = []
    if operation.is_representation:
        found.append(_parameter("If-None-Match", "Tags of what the client has already: 304 instead of it"))
    if operation.is_conditional and has_representation:
        found.append(_parameter("If-Match", "Tags of which one must be that of the stored state: else 412"))
    if operation.creates:
        found.append(
            _parameter("Idempotency-Key", "Sent again with it, the request makes nothing twice", MAX_KEY_LENGTH)
        )
    return found


def of_success(operation: Operation) -> dict[str, Any]:
    """What an answer carries beside its body, where the operation was done."""
    headers = {}
    if operation.is_representation:
        headers["ETag"] = _header(_ETAG)
    if operation.is_paged:
        headers["Link"] = _header('Where the list goes on (`rel="next"`), if it does')
    return {"headers": headers} if headers else {}


def of_refusal(status: int) -> dict[str, Any]:
    """What the answer of that status carries beside its body."""
    match status:
        case 304:
            return {"headers": {"ETag": _header(_ETAG)}}
        case 429 | 503:
            return {"headers": {"Retry-After": _seconds()}}
    return {}


def _parameter(name: str, description: str, longest: int | None = None) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"} if longest is None else {"type": "string", "maxLength": longest}
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema}


def _header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


def _seconds() -> dict[str, Any]:
    return {"description": _WAIT, "schema": {"type": "integer", "minimum": 0}}


# What every answer of a limited operation carries, once it has been counted.
OF_LIMITS = {
    "RateLimit-Policy": _header('The limits it was counted under: `"pair";q=10;w=900` is 10 in 900 seconds'),
    "RateLimit": _header('What they leave: `"pair";r=7;t=850` is 7 more, and more again in 850 seconds'),
}
