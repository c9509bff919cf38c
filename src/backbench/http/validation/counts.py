"""Counts of JSON members: how many a decoded value must have had, nested ones included."""

from collections.abc import Callable
from functools import cache
from typing import Any, get_args, get_origin

from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import FieldInfo

from backbench.http.validation import hints

Counter = Callable[[Any], int]


@cache
def counter_of(type_: type[Struct]) -> Counter:
    """A function that counts the members of a Struct.

    A member that equals its default may not have been sent, so it is not counted.
    """
    fields = [(field.name, _default(field), _counter_for(hint)) for field, hint in hints.fields_of(type_)]
    # A required member without members of its own is always one.
    counted = [(name, default, below) for name, default, below in fields if _may_vary(default, below)]
    own = len(fields) - len(counted) + (1 if type_.__struct_config__.tag_field else 0)

    def count(value: Any) -> int:
        total = own
        for name, default, below in counted:
            member = getattr(value, name)
            if member is not UNSET and member != default:
                total += 1 if below is None else 1 + below(member)
        return total

    return count


def _may_vary(default: Any, below: Counter | None) -> bool:
    return default is not NODEFAULT or below is not None


def _default(field: FieldInfo) -> Any:
    """The value of the field when it is absent."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _counter_for(hint: Any) -> Counter | None:
    """A function that counts the members inside a value of the type; None where it has none."""
    for option in hints.parts(hint):
        bare = hints.bare(option)
        if get_origin(bare) is list and (inner := _counter_for(get_args(bare)[0])):
            each = inner
            return lambda value: sum(map(each, value)) if value else 0
        if get_origin(bare) is dict:
            return len
        if hints.is_struct(bare):
            # The member may also have a type without members of its own: null, or a text that is not localized.
            return lambda value: counter_of(type(value))(value) if isinstance(value, Struct) else 0
    return None
