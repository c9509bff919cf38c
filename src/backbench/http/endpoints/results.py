"""Results: the response for what an action returned."""

from typing import Any

from msgspec import Struct

from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.http.compression import MIN_SIZE, VARY, as_cached, plain_tags
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import Response, empty, json_response, representation
from backbench.http.writes.representations import ReturnedResource


class Results:
    def __init__(self, operation: Operation) -> None:
        self._shape = operation.response
        self._status = operation.status
        self._is_safe = operation.is_safe
        # Finds the address and ETag of what a write returned.
        self.returned = ReturnedResource(operation, (), "")

    def response(self, result: Any, request: Request) -> Response:
        if isinstance(result, Response):
            return result
        if self._shape is None:
            return empty(self._status)
        body = self.encode(result)
        if not self._is_safe:
            response = json_response(self._status, body)
            response.headers += self.returned.headers(request.params, body, _shape(result))
            return response
        known = request.headers.get(b"if-none-match")
        response = representation(body, None if known is None else plain_tags(known))
        if known is not None and response.status == 304:
            if len(body) >= MIN_SIZE:
                response.headers.append(VARY)
            return as_cached(response, known)
        return linked(response, result, request) if isinstance(result, Page) else response

    def encode(self, result: Any) -> bytes:
        """The JSON of a result: encoded already, a page in its list's shape, or a shape."""
        if isinstance(result, bytes):
            return result
        if isinstance(result, Page):
            return to_json(self._shape(result.items))
        return to_json(_shape(result))


def linked(response: Response, result: Page[Any], request: Request) -> Response:
    """The response with a link to the next page, where there is one."""
    if result.next_cursor is not None:
        response.headers.append((b"link", request.link_to_next(result.next_cursor)))
    return response


def _shape(result: Any) -> Struct:
    """What an action returned, without what it says for the audit trail."""
    shape = result.result if isinstance(result, Audited | Unchanged) else result
    assert isinstance(shape, Struct)
    return shape
