"""JSON bodies: decoded once into their Struct. Only where that fails, or looks suspicious, are all errors collected."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Generic, TypeVar

import msgspec

from backbench.http.validation.pointers import escaped
from backbench.http.validation.shapes import Shape, shape_of
from backbench.http.validation.strict_json import NotStrictJson, exact, parse
from backbench.values import numbers
from backbench.values.errors import MAX_FIELD_ERRORS, FieldError, ValidationError

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
