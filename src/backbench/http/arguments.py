"""Arguments of an action, bound by name: from the request, and from what the application provides."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import new_id
from backbench.domain.values.times import Instant
from backbench.http.bodies import query_values
from backbench.http.operations import Operation, snake
from backbench.http.requests import Request

# What the endpoint provides, besides the parameters of the path.
_FROM_REQUEST = frozenset({"db", "caller", "request", "body", "query", "now", "complete", "authenticate"})


class Arguments:
    """Binds the arguments of one operation's action. `provided` are the application's, by name.

    Raises TypeError at start where an argument without a default has no value.
    """

    def __init__(self, operation: Operation, provided: Mapping[str, Any]) -> None:
        arguments = operation.arguments
        available = {*_FROM_REQUEST, "new_id", *provided, *map(snake, operation.path_names)}
        unbound = sorted(name for name, is_required in arguments.items() if is_required and name not in available)
        if unbound:
            raise TypeError(f"{operation.name}: nothing provides {', '.join(unbound)}")
        self.names = frozenset(arguments)
        self.takes_body = "body" in arguments
        self._fixed = {name: value for name, value in {**provided, "new_id": new_id}.items() if name in arguments}
        self._has_db = operation.handle is not None
        self._takes_now = "now" in arguments
        self._takes_caller = "caller" in arguments
        self._takes_request = "request" in arguments
        self._query = operation.query

    def bind(self, request: Request, caller: Caller | None, now: Instant, db: Any) -> dict[str, Any]:
        """All arguments but `body` and `complete`. Raises ValidationError for query parameters."""
        values = {**self._fixed, **request.params}
        if self._has_db:
            values["db"] = db
        if self._takes_caller:
            values["caller"] = caller
        if self._takes_now:
            values["now"] = now
        if self._takes_request:
            values["request"] = request
        if self._query is not None:
            values["query"] = query_values(self._query, _pairs(request.scope["query_string"]))
        return values


def _pairs(query_string: bytes) -> list[tuple[str, str]]:
    if not query_string:
        return []
    text = query_string.decode("utf-8", "surrogateescape")
    return parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
