"""Type hints of a field: the types of a union, and what `Annotated` says about each."""

from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeGuard, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from backbench.values.scalars import Rule


@cache
def fields_of(type_: type[Struct]) -> tuple[tuple[FieldInfo, Any], ...]:
    """The fields of a Struct type, each with its type hint."""
    types = get_type_hints(type_, include_extras=True)
    return tuple((field, types[field.name]) for field in fields(type_))


def parts(hint: Any) -> list[Any]:
    """The types of which a value may be."""
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


def bare(option: Any) -> Any:
    """The type without its annotations."""
    return get_args(option)[0] if get_origin(option) is Annotated else option


def meta(option: Any) -> Meta | None:
    """The bounds, which msgspec checks too."""
    return next((extra for extra in _extras(option) if isinstance(extra, Meta)), None)


def rules(option: Any) -> list[Rule]:
    """The rules that only we check."""
    return [extra for extra in _extras(option) if isinstance(extra, Rule)]


def is_struct(type_: Any) -> TypeGuard[type[Struct]]:
    return isinstance(type_, type) and issubclass(type_, Struct)


def _extras(option: Any) -> tuple[Any, ...]:
    return get_args(option)[1:] if get_origin(option) is Annotated else ()
