"""Meanings of statuses in the OpenAPI document: what each says for an operation, with the texts of the reference."""

from collections.abc import Sequence
from http import HTTPStatus

from backbench.http.openapi.reference import ResponseText
from backbench.http.operations import Operation

# What a status means for every operation. Texts of single operations are added to these.
_MEANINGS = {
    304: "If-None-Match lists the current ETag",
    400: "the request is not valid; `errors` lists every error, at most the first 100",
    404: "an id in the path does not exist",
    409: "the stored state does not allow this; `code` says why",
    412: "If-Match does not match the current ETag",
    413: "the body has more bytes than the operation accepts",
    415: "the content type is not the operation's, or the body has a Content-Encoding",
    416: "the file has no such range",
    422: "the Idempotency-Key was used with another payload",
    429: "a rate limit is reached; Retry-After says when to try again",
    503: "a component that the operation needs is down or not configured",
}


def meaning(operation: Operation, own: Sequence[ResponseText], status: int, default: str = "") -> str:
    """The status phrase and what the status means here: "Conflict: … `last_owner`: …".

    `own` are the texts of the operation. One without a code replaces the general meaning, except that of 400, which
    always applies.
    """
    texts = [text for text in own if text.status == status]
    meanings = [default or _of_error(operation, status) + "."]
    if status != 400 and any(text.code is None for text in texts):
        meanings = []
    meanings += [text.with_code for text in texts]
    if status == 409 and operation.takes_key:
        meanings.append("`in_progress`: the first request with this Idempotency-Key is still in progress.")
    first, *others = meanings
    return " ".join([f"{HTTPStatus(status).phrase}: {first}", *(text[0].upper() + text[1:] for text in others)])


def _no_credentials(operation: Operation) -> str:
    access = operation.access
    if access.takes_link:
        return "no valid token of a link; the response is the same for an unknown, a revoked and a malformed one"
    if not access.takes_session:
        return "no valid API key"
    return "no valid session or API key" if access.keys else "no valid session"


def _of_error(operation: Operation, status: int) -> str:
    """What an error status means for every operation with this access."""
    if status == 401:
        return _no_credentials(operation)
    if status != 403:
        return _MEANINGS[status]
    if not operation.access.needs_session:
        return "a browser marks the request as cross-site"
    missing = "a scope or a permission is missing" if operation.access.keys else "the caller has no permission"
    return missing if operation.is_safe else f"{missing}, or the CSRF token is missing or invalid"


def of_success(operation: Operation) -> str:
    """What a success means, where the reference does not say it."""
    if operation.sends_bytes:
        return "the bytes of the file"
    if operation.is_paged:
        return "the list, or a page of it"
    if operation.status == 201:
        return "the new resource"
    if operation.method == "GET":
        return "the current state"
    if operation.method == "DELETE":
        return "the resource is deleted"
    return "the state after the change" if operation.response is not None else "the change is made"
