"""Arguments of the functions in a line of the table: its action, `prepare`, `limit`, `locks` and `replays`.

Their names are a closed set: `db`, `call`, `services`, `request`, `body`, `query`, `prepared`, `stored`,
`authenticate`, and the parameters of the path.
"""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any
from urllib.parse import parse_qsl

from backbench.accounts.calls import Call
from backbench.http.operations import Operation, snake
from backbench.http.requests import Request
from backbench.http.validation.bodies import query_values

Values = dict[str, Any]


class Bound:
    """A function whose arguments are taken from the values of a request by their names."""

    def __init__(self, operation: Operation, function: Callable[..., Any], *available: str) -> None:
        """Raises TypeError, at start, for an argument that is neither in `available` nor a parameter of the path."""
        parameters = signature(function).parameters.values()
        known = {"db", "call", "services", "request", "query", *available, *map(snake, operation.path_names)}
        if operation.on is not None:
            known |= {operation.on.name, "workshop_id", "role"}
        unknown = [each.name for each in parameters if each.default is Parameter.empty and each.name not in known]
        if unknown:
            raise TypeError(f"{operation.name}: nothing provides {', '.join(unknown)}")
        self.names = frozenset(each.name for each in parameters if each.name in known)
        self._function = function

    def __call__(self, values: Mapping[str, Any]) -> Any:
        return self._function(**{name: values[name] for name in self.names})


def values_of(operation_query: type | None, request: Request, call: Call, services: Any) -> Values:
    """The values that every function may take but `db`. Raises ValidationError for query parameters."""
    values = {**request.params, "call": call, "services": services, "request": request}
    if operation_query is not None:
        values["query"] = query_values(operation_query, _pairs(request.scope["query_string"]))
    return values


def _pairs(query_string: bytes) -> list[tuple[str, str]]:
    if not query_string:
        return []
    text = query_string.decode("utf-8", "surrogateescape")
    return parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
