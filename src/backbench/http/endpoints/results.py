"""Results: the response for what an action returned."""

from typing import Any

from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.http.compression import MIN_SIZE, VARY, as_cached, plain_tags
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.http.responses import Response, empty, json_response, representation
from backbench.http.writes.representations import ReturnedResource

# What an action returned is inside, with what it says for the audit trail. A union would be made anew at each check.
_WITH_AUDIT = (Audited, Unchanged)


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
        if not self._is_safe:
            shape = result.result if isinstance(result, _WITH_AUDIT) else result
            body = to_json(shape)
            response = json_response(self._status, body)
            response.headers += self.returned.headers(request.params, body, shape)
            return response
        body = self.encode(result)
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
        return to_json(result.result if isinstance(result, _WITH_AUDIT) else result)


def linked(response: Response, result: Page[Any], request: Request) -> Response:
    """The response with a link to the next page, where there is one."""
    if result.next_cursor is not None:
        response.headers.append((b"link", request.link_to_next(result.next_cursor)))
    return response
