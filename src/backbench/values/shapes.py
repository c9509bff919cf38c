"""Shapes made of others: with the fields that have the same names, or with what an edit sent."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

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
    for at, names, values, converted in _taken(type_, tuple(map(type, sources)), tuple(others)):
        others.update(zip(names, values(sources[at]), strict=True))
        for name, absent, convert in converted:
            value = others[name]
            if value is None or value is UNSET:
                others[name] = absent
            elif convert is not None:
                others[name] = convert(value)
    return type_(**others)


def with_ids(type_: type[Shape], sent: Iterable[Any], new_id: NewId) -> list[Shape]:
    """What a list in a request is made into: each entry keeps the `id` that it was sent with, or gets a new one."""
    return [made_of(type_, each, id=each.id or new_id()) for each in sent]


def edited(before: Shape, edit: Struct, /, **others: Any) -> Shape:
    """`before` with the members of the edit that were sent, and with `others`. null makes a member null or absent."""
    type_ = type(before)
    cleared = {name: _absent(type_, name) for name, value in sent(edit).items() if value is None}
    return structs.replace(before, **{**sent(edit), **cleared, **others})


def sent(edit: Struct) -> dict[str, Any]:
    """The members of the edit that were sent, null ones included."""
    return {name: value for name in edit.__struct_fields__ if (value := getattr(edit, name)) is not UNSET}


# Of one source: its position, the names of the fields that it gives, how it gives their values, and for those of
# another type what stands for none, and their conversion.
_Part = tuple[int, tuple[str, ...], Callable[[Any], Sequence[Any]], list[tuple[str, Any, Conversion | None]]]


@cache
def _taken(type_: type[Struct], sources: tuple[type[Struct], ...], others: tuple[str, ...]) -> Sequence[_Part]:
    """What comes from each source."""
    hints = _hints(type_)
    given: dict[int, list[str]] = {}
    for name in type_.__struct_fields__:
        if name in others:
            continue
        at = next((at for at, source in enumerate(sources) if _has(source, name)), None)
        if at is None:
            raise TypeError(f"{', '.join(each.__name__ for each in sources)}: no {name} for a {type_.__name__}")
        given.setdefault(at, []).append(name)
    parts = []
    for at, names in given.items():
        different = [name for name in names if hints[name] != _hints(sources[at]).get(name)]
        converted = [(name, _absent(type_, name), _conversion(hints[name])) for name in different]
        parts.append((at, tuple(names), _values(names), converted))
    return parts


def _values(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda source: (get(source),)


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
