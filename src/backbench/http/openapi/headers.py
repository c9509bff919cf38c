"""Request and response headers in the OpenAPI document."""

from typing import Any

from backbench.http.operations import Operation
from backbench.http.representations import Representation, location_of
from backbench.http.stored_responses import MAX_KEY_LENGTH

_ETAG = "The strong entity tag of the response."
_ETAG_OF_WRITE = "The strong entity tag that a GET of the resource carries now."
_CHALLENGE = (
    'What is wrong with the API key, if one was sent: `Bearer error="invalid_token"`, or `error="invalid_request"` '
    "with the reason in `error_description` for a valid key where the operation is for sessions only."
)
_MISSING_SCOPE = 'If the API key lacks a scope: `Bearer error="insufficient_scope", scope="orders:write"`.'
_WAIT = "Seconds until a repeated request can succeed."
_COOKIES = {
    "set": "Two headers: `session`, the secret of the session (HttpOnly), and `csrf-token`, whose value is sent in "
    "`X-CSRF-Token`. Both have Path=/, SameSite=Lax, and Secure where the service is reached over https.",
    "cleared": "Two headers, which clear `session` and `csrf-token`.",
}
_EXAMPLE_TAG = '"5f6d1c0e9b7a4d23"'


def parameters(operation: Operation, *, has_representation: bool) -> list[dict[str, Any]]:
    """The optional request headers of the operation."""
    found = []
    if operation.is_representation:
        text = "Entity tags of cached responses; 304 if one is current."
        found.append(_parameter("If-None-Match", text, _EXAMPLE_TAG))
    if operation.is_conditional:
        text = "Entity tags, one of which must be current; 412 otherwise."
        if not has_representation:
            text = "`*`: what this changes has no entity tag; 412 for any other."
        found.append(_parameter("If-Match", text, _EXAMPLE_TAG if has_representation else "*"))
    if operation.takes_key:
        text = "Makes the request safe to repeat: for 14 days a repetition gets the stored response."
        found.append(_parameter("Idempotency-Key", text, "web-shop-4711", MAX_KEY_LENGTH))
    return found


def of_success(operation: Operation, representation: Representation | None) -> dict[str, Any]:
    """The response headers of a success. `representation` reads what a write returns."""
    headers = {}
    if operation.is_representation:
        headers["ETag"] = _header(_ETAG)
    if representation is not None:
        headers["ETag"] = _header(_ETAG_OF_WRITE)
    if location_of(operation, representation) is not None:
        headers["Location"] = _header("The path of what was created.")
    if operation.is_paged:
        text = 'The address of the next page, `<…>; rel="next"`, relative to the server. Absent on the last page.'
        headers["Link"] = {**_header(text), "example": f'</api{operation.path}?limit=50&cursor=bGFzdA>; rel="next"'}
    if operation.is_page_image:
        headers["Page-Count"] = {"description": "The number of pages.", "schema": {"type": "integer", "minimum": 1}}
    if operation.cookies is not None:
        headers["Set-Cookie"] = _header(_COOKIES[operation.cookies])
    return {"headers": headers} if headers else {}


def of_error(operation: Operation, status: int) -> dict[str, Any]:
    """The response headers of that status."""
    match status:
        case 401:
            return {"headers": {"WWW-Authenticate": _header(_CHALLENGE)}}
        case 403 if operation.access.scope:
            return {"headers": {"WWW-Authenticate": _header(_MISSING_SCOPE)}}
        case 304:
            return {"headers": {"ETag": _header(_ETAG)}}
        case 429 | 503:
            return {"headers": {"Retry-After": _seconds()}}
    return {}


def _parameter(name: str, description: str, example: str, max_length: int | None = None) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"} if max_length is None else {"type": "string", "maxLength": max_length}
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
        "example": example,
    }


def _header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


def _seconds() -> dict[str, Any]:
    return {"description": _WAIT, "schema": {"type": "integer", "minimum": 0}}


# Response headers of an operation with a rate limit.
OF_LIMITS = {
    "RateLimit-Policy": _header('The rate limits of the request: `"pair";q=10;w=900` is 10 in 900 seconds.'),
    "RateLimit": _header('What is left of the rate limits: `"pair";r=7;t=850` is 7 now, and more in 850 seconds.'),
}
