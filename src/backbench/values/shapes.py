"""Shapes made of others: with the fields that have the same names, or with what an edit sent."""

from collections.abc import Callable, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.values.ids import NewId

Shape = TypeVar("Shape", bound=Struct)
Conversion = Callable[[Any], Any]


class Made(Struct, frozen=True):
    """In the annotation of a field: how its value is made of one of another type."""

    of: Conversion


def made_of(type_: type[Shape], /, *sources: Struct, **others: Any) -> Shape:
    """A `type_` with `others`, and in its other fields what the first source has that has one of that name.

    Null and absent become what the field can be: the other one, or an empty text. Structs and lists of them are made
    of those of the source. Raises TypeError where a field is in none.
    """
    made: Shape = _function(type_, tuple(map(type, sources)), tuple(others))(*sources, **others)
    return made


def with_ids(type_: type[Shape], sent: Sequence[Any], new_id: NewId) -> list[Shape]:
    """What a list in a request is made into: each entry keeps the `id` that it was sent with, or gets a new one."""
    if not sent:
        return []
    make = _function(type_, (type(sent[0]),), ("id",))
    return [make(each, id=each.id or new_id()) for each in sent]


def edited(before: Shape, edit: Struct, /, **others: Any) -> Shape:
    """`before` with the members of the edit that were sent, and with `others`. null makes a member null or absent."""
    type_ = type(before)
    cleared = {name: _absent(type_, name) for name, value in sent(edit).items() if value is None}
    return structs.replace(before, **{**sent(edit), **cleared, **others})


def sent(edit: Struct) -> dict[str, Any]:
    """The members of the edit that were sent, null ones included."""
    return {name: value for name in edit.__struct_fields__ if (value := getattr(edit, name)) is not UNSET}


@cache
def _function(type_: type[Struct], sources: tuple[type[Struct], ...], others: tuple[str, ...]) -> Callable[..., Any]:
    """Makes a `type_` of sources of these types, and of `others` by their names.

    It is compiled for them, as the methods of a dataclass are: a list makes hundreds, and naming each field at each
    call takes three times as long.
    """
    known: dict[str, Any] = {"_type": type_, "UNSET": UNSET}
    arguments = [f"{name}={name}" for name in others]
    for name in type_.__struct_fields__:
        if name in others:
            continue
        at = next((at for at, source in enumerate(sources) if _has(source, name)), None)
        if at is None:
            raise TypeError(f"{', '.join(each.__name__ for each in sources)}: no {name} for a {type_.__name__}")
        value = f"source_{at}.{name}"
        hint = _hints(type_)[name]
        if hint != _hints(sources[at]).get(name):
            known[f"absent_{name}"], known[f"convert_{name}"] = _absent(type_, name), _conversion(hint)
            converted = "_value" if known[f"convert_{name}"] is None else f"convert_{name}(_value)"
            value = f"absent_{name} if (_value := {value}) is None or _value is UNSET else {converted}"
        arguments.append(f"{name}={value}")
    parameters = [*(f"source_{at}" for at in range(len(sources))), "*", *others]
    if not others:
        parameters.remove("*")
    function = eval(f"lambda {', '.join(parameters)}: _type({', '.join(arguments)})", known)  # noqa: S307 - names of fields
    return cast(Callable[..., Any], function)


def _has(source: type[Struct], name: str) -> bool:
    return name in source.__struct_fields__ or isinstance(getattr(source, name, None), property)


@cache
def _hints(type_: type[Struct]) -> dict[str, Any]:
    return get_type_hints(type_, include_extras=True)


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


@cache
def _absent(type_: type[Struct], name: str) -> Any:
    """What a field has instead of null, or of a member that is absent."""
    members = _members(_hints(type_)[name])
    if type(None) in members:
        return None
    return UNSET if UnsetType in members else "" if members == (str,) else None


def _conversion(hint: Any) -> Conversion | None:
    converts = [convert for member in _members(hint) if (convert := _of_member(member)) is not None]
    return converts[0] if len(converts) == 1 else None


def _of_member(hint: Any) -> Conversion | None:
    """The conversion to a type that is neither null nor absent; None where there is none."""
    if get_origin(hint) is Annotated:
        made = [each for each in get_args(hint)[1:] if isinstance(each, Made)]
        return made[0].of if made else None
    if get_origin(hint) is list:
        convert = _of_member(*get_args(hint))
        return None if convert is None else lambda values: [convert(value) for value in values]
    if isinstance(hint, type) and issubclass(hint, Struct):
        return lambda value: value if isinstance(value, hint) else made_of(hint, value)
    return None
