"""Bodies and arguments: strict JSON whose errors name their place, query parameters, and arguments of verbs by name."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from inspect import Parameter, signature
from itertools import chain, islice
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

import msgspec

from backbench.http.checks import Members, Shape, escaped, shape_of
from backbench.http.operations import Operation, snake
from backbench.http.requests import Request
from backbench.values import numbers
from backbench.values.calls import Call
from backbench.values.errors import MAX_FIELD_ERRORS, FieldError, ValidationError

MAX_DEPTH = 32
# Each string to its end or, where it is not closed, to the end of the text: possessive, so that it is scanned once.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
# Python converts at most 4,300 digits into an int; a longer number is out of range for every field.
_MAX_DIGITS = 4000
_OUT_OF_RANGE: int = 10**_MAX_DIGITS


class NotStrictJson(Exception):
    """The body is not strict JSON."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.field_error = FieldError("", code, detail)


def parse(raw: bytes) -> Any:
    """The value, objects as Members, numbers exact. Raises NotStrictJson."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise NotStrictJson("not_json", "Not UTF-8") from None
    if _is_too_deep(raw):
        raise NotStrictJson("too_deep", f"Nested deeper than {MAX_DEPTH}")
    try:
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_float=exact,
            parse_int=_integer,
            parse_constant=_reject_constant,
        )
    except (ValueError, RecursionError) as error:
        raise NotStrictJson("not_json", f"Not JSON: {error}") from None


def _is_too_deep(raw: bytes) -> bool:
    """Whether brackets are nested deeper than allowed. Not recursive, unlike the parsers that follow."""
    depth = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub(b"", raw)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
        if depth < 0:
            # An unmatched closing bracket: the parser reports it.
            return False
    return False


def _members(pairs: list[tuple[str, Any]]) -> Members:
    members = Members(pairs)
    if len(members) != len(pairs):
        times_named = Counter(name for name, _ in pairs)
        members.duplicates = tuple(name for name, times in times_named.items() if times > 1)
    return members


def exact(text: str) -> Decimal:
    """A number with a point or an exponent. One with an exponent too large for Decimal is infinite: out of range."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("-Infinity" if text.startswith("-") else "Infinity")


def _integer(digits: str) -> int:
    if len(digits) <= _MAX_DIGITS:
        return int(digits)
    return -_OUT_OF_RANGE if digits.startswith("-") else _OUT_OF_RANGE


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


T = TypeVar("T")
_SPACE_AND_COLON = re.compile(rb"[ \t\n\r]:")
_BOOLEANS = {"true": True, "false": False}


class Body(Generic[T]):
    """Reads the bodies of one type."""

    def __init__(self, type_: type[T]) -> None:
        self._type = type_
        self._decode = msgspec.json.Decoder(type_, dec_hook=numbers.read, float_hook=exact).decode
        self._shape: Shape = shape_of(type_)
        self._count = self._shape.count
        self._holds = self._shape.holds

    def read(self, raw: bytes) -> T:
        """The body as its type. Raises ValidationError with the errors in it."""
        try:
            value = self._decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
            raise ValidationError(*self._errors(raw) or [_whole(str(error))]) from None
        members = self._count(value)
        is_suspicious = _has_other_members(raw, members) or b"\\u0000" in raw
        is_invalid = (self._shape.at_least_one and not members) or (self._holds is not None and not self._holds(value))
        if is_suspicious or is_invalid:
            field_errors = self._errors(raw)
            if field_errors:
                raise ValidationError(*field_errors)
        return value

    def _errors(self, raw: bytes) -> Sequence[FieldError]:
        try:
            parsed = parse(raw)
        except NotStrictJson as error:
            return [error.field_error]
        if not isinstance(parsed, dict):
            return [FieldError("", "not_an_object", "Expected a JSON object")]
        return list(islice(self._shape.field_errors(parsed, ""), MAX_FIELD_ERRORS + 1))


def _has_other_members(raw: bytes, decoded: int) -> bool:
    """Whether there may be more members in the text than were decoded: duplicates, and those that were dropped.

    Each member has one colon, so as many colons as decoded members means that there are none. Text may contain colons,
    too. The colon of a member comes after a quotation mark, or after white space, so the others need not be counted
    where no white space comes before any colon. What cannot be decided so is left to the strict parser, which takes
    longer.
    """
    if raw.count(b":") == decoded:
        return False
    return raw.count(b'":') != decoded or _SPACE_AND_COLON.search(raw) is not None


def query_values(type_: type[T], pairs: Sequence[tuple[str, str]]) -> T:
    """Query parameters as their Struct. Raises ValidationError, also for unknown and duplicate ones."""
    shape = shape_of(type_)
    values = {name: typed(shape, name, text) for name, text in pairs if name in shape.names}
    found: Iterator[FieldError] = shape.field_errors(values, "")
    if len(values) != len(pairs) and not getattr(type_, "ignores_unknown", False):
        found = chain(found, _superfluous(shape, [name for name, _ in pairs]))
    field_errors = list(islice(found, MAX_FIELD_ERRORS + 1))
    if field_errors:
        raise ValidationError(*field_errors)
    return msgspec.convert(values, type_)


def _superfluous(shape: Shape, names: Sequence[str]) -> Iterator[FieldError]:
    """An error for each parameter that would be ignored: the caller would get another list than it asked for."""
    seen: set[str] = set()
    for name in names:
        if name not in shape.names:
            yield FieldError(f"/{escaped(name)}", "unknown_parameter", "No such query parameter")
        elif name in seen:
            yield FieldError(f"/{name}", "duplicate", "Duplicate query parameter")
        seen.add(name)


def typed(shape: Shape, name: str, text: str) -> object:
    """The value of a query parameter or of a field of a form: the text, where it is not of the member's type."""
    if shape.is_integer(name) and re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    return _BOOLEANS.get(text, text) if shape.is_boolean(name) else text


def _whole(detail: str) -> FieldError:
    return FieldError("", "invalid", detail)


Values = dict[str, Any]


class Bound:
    """A function whose arguments are taken from the values of a request by their names."""

    def __init__(self, operation: Operation, function: Callable[..., Any], *available: str) -> None:
        """Raises TypeError, at start, for an argument that is neither in `available` nor a parameter of the path."""
        parameters = _parameters_of(function)
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


# The same for each router of a process.
@cache
def _parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    return tuple(signature(function).parameters.values())


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
