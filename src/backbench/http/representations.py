"""Representations: the response with what an action returned: its encoding, ETag, Location and link to the next page.

The response of a write is often the representation that a GET returns, so its ETag costs no query.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from backbench.http.compression import conditional
from backbench.http.operations import Operation, snake
from backbench.http.requests import Request
from backbench.http.responses import Header, Response, empty, etag, json_response
from backbench.values.numbers import to_json
from backbench.values.pagination import Page
from backbench.workshops.audit import Audited, Unchanged

_PLACEHOLDER = re.compile(r"{([\w.]+)}")


class Representation(Struct, frozen=True):
    """A GET of a single resource. `member` is the one that holds what the write returns; "" where they are the same."""

    path: str
    member: str


def representation_of(operation: Operation, readable: Iterable[Operation]) -> Representation | None:
    """The GET whose response is what this operation returns, alone or as its only member.

    Raises TypeError where that would be several.
    """
    if operation.is_safe or operation.response is None or operation.status not in (200, 201):
        return None
    found = [
        Representation(get.path, member)
        for get in readable
        if get.method == "GET" and (member := _member(get.response, operation.response)) is not None
    ]
    if len(found) > 1:
        raise TypeError(f"{operation.name}: several GET operations return what it returns")
    return found[0] if found else None


def location_of(operation: Operation, representation: Representation | None) -> str | None:
    """The path of what the operation creates: declared, or the representation's, which ends with the new id."""
    if operation.status != 201 or operation.location is not None or representation is None:
        return operation.location
    parent, _, last = representation.path.rpartition("/")
    return f"{parent}/{{id}}" if last.startswith("{") else None


class ReturnedResource:
    """The headers of responses that return or create a resource."""

    def __init__(self, operation: Operation, readable: Iterable[Operation], prefix: str) -> None:
        representation = representation_of(operation, readable)
        self._location = _Location(operation, location_of(operation, representation), prefix)
        self._has_tag = representation is not None
        member = "" if representation is None else representation.member
        self._before, self._after = (b'{"%s":' % member.encode(), b"}") if member else (b"", b"")

    def headers(self, params: Mapping[str, str], body: bytes, result: Any) -> list[Header]:
        """Of a response whose body is `result` as JSON."""
        return [*self._tag(body), *self._location.of_result(params, result)]

    def stored_headers(self, params: Mapping[str, str], body: bytes) -> list[Header]:
        """Of a replay: those of the first response."""
        return [*self._tag(body), *self._location.of_stored(params, body)]

    def _tag(self, body: bytes) -> list[Header]:
        return [(b"etag", etag(self._before + body + self._after))] if self._has_tag else []


class _Location:
    """Fills in the path of a created resource. Gives no header where there is no path."""

    def __init__(self, operation: Operation, path: str | None, prefix: str) -> None:
        """Raises TypeError unless the path has exactly one placeholder that is no parameter of the operation's path."""
        self._names: list[str] = []
        self._format: str | None = None
        if path is None:
            return
        own = [name for name in _PLACEHOLDER.findall(path) if name not in operation.path_names]
        if len(own) != 1:
            raise TypeError(f"{operation.name}: {path} needs one member of the response")
        self._names = own[0].split(".")
        self._attribute = attrgetter(".".join(snake(name) for name in self._names))
        self._format = prefix + _PLACEHOLDER.sub(lambda each: _slot(each[1], own[0]), path)

    def of_result(self, params: Mapping[str, str], result: Any) -> list[Header]:
        return [] if self._format is None else [_header(self._format, params, self._attribute(result))]

    def of_stored(self, params: Mapping[str, str], body: bytes) -> list[Header]:
        if self._format is None:
            return []
        value = msgspec.json.decode(body)
        for name in self._names:
            value = value[name]
        return [_header(self._format, params, value)]


def _slot(name: str, own: str) -> str:
    return "{_created}" if name == own else f"{{{snake(name)}}}"


def _header(format_: str, params: Mapping[str, str], value: Any) -> Header:
    return (b"location", format_.format(_created=value, **params).encode())


def _member(type_: Any, returned: Any) -> str | None:
    """The only member of `type_`, where that is of the type `returned`; "" where they are the same type."""
    if type_ is returned:
        return ""
    # Counted first: the types of members are found by evaluating annotations, which takes long at the start.
    if not (isinstance(type_, type) and issubclass(type_, Struct) and len(type_.__struct_fields__) == 1):
        return None
    name, member_type = _only_member(type_)
    return name if member_type is returned else None


@cache
def _only_member(type_: type[Struct]) -> tuple[str, Any]:
    (field,) = msgspec.structs.fields(type_)
    return field.encode_name, field.type


# What an action returned is inside, with what it says for the audit trail. A union would be made anew at each check.
_WITH_AUDIT = (Audited, Unchanged)


class Representations:
    """The responses of one operation."""

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
        response = conditional(body, request.headers.get(b"if-none-match"))
        return linked(response, result, request) if isinstance(result, Page) and response.status == 200 else response

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
