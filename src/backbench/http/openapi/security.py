"""Security schemes of the OpenAPI document, and those of one operation."""

from typing import Any

from backbench.http.operations import Operation

_SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "session",
        "description": "The session cookie that `signIn`, `verifyAccount` and `finishGoogleSignIn` set. HttpOnly.",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "The value of the `csrf-token` cookie of the same session. Required with a session for every "
        "method except GET, HEAD and OPTIONS; not with an API key.",
    },
    "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key: `Authorization: Bearer bbk_…`. It is limited to its scopes, and to one workshop "
        "if it is bound to it. Cookies are ignored if this header is present.",
    },
    "link": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a link that a workshop sent to its client: `Authorization: Bearer bbl_…`. It "
        "shows one revision of one estimate. The token of a status link, `bbo_…`, shows one order. Each is for the "
        "operations of its kind alone.",
    },
}


def schemes(scopes: str) -> dict[str, Any]:
    """The schemes; `scopes` says what the scopes of an API key open."""
    api_key = _SCHEMES["apiKey"]
    return _SCHEMES | {"apiKey": api_key | {"description": f"{api_key['description']} {scopes}".strip()}}


def security(operation: Operation) -> list[dict[str, list[str]]]:
    """The schemes of which a request needs one; none for an operation without authentication."""
    if not operation.access.needs_session:
        return []
    if operation.access.takes_link:
        return [{"link": []}]
    by_session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    by_key: list[dict[str, list[str]]] = [{"apiKey": [*scopes]} for scopes in operation.access.keys]
    return [by_session, *by_key] if operation.access.takes_session else by_key
