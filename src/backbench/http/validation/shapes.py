"""Shapes: what a Struct type says about JSON, for bodies, forms and query parameters."""

from typing import Any

from msgspec import Struct

from backbench.http.validation import hints
from backbench.http.validation.checks import object_check
from backbench.http.validation.counts import counter_of
from backbench.http.validation.rules import rules_of


class Shape:
    """The checks of a Struct type: `field_errors` of the parsed object, `count` and `holds` of the decoded value."""

    def __init__(self, type_: type[Struct]) -> None:
        self.names = {field.encode_name: hint for field, hint in hints.fields_of(type_)}
        self.at_least_one: bool = getattr(type_, "at_least_one", False)
        self.field_errors = object_check(type_)
        self.count = counter_of(type_)
        self.holds = rules_of(type_)

    def is_boolean(self, name: str) -> bool:
        return self._may_be(name, bool)

    def is_integer(self, name: str) -> bool:
        return self._may_be(name, int)

    def _may_be(self, name: str, type_: type) -> bool:
        return type_ in map(hints.bare, hints.parts(self.names[name]))


_shapes: dict[Any, Shape] = {}


def shape_of(type_: Any) -> Shape:
    """The shape of a Struct type, cached."""
    if type_ not in _shapes:
        _shapes[type_] = Shape(type_)
    return _shapes[type_]
