"""Checks of a body beyond its types: counts, rules, texts that cannot be stored; each error has a JSON Pointer."""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from backbench.values import numbers
from backbench.values.errors import FieldError
from backbench.values.numbers import JsonScalar, Number
from backbench.values.scalars import Rule


def escaped(name: str) -> str:
    """The name as a reference token of a JSON Pointer. A lone surrogate cannot be encoded and is replaced."""
    encodable = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return encodable.replace("~", "~0").replace("/", "~1")


Check = Callable[[Any, str], Iterator[FieldError]]
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def typed_errors(value: Any, pointer: str, type_: type, expected: str) -> Iterator[FieldError]:
    if not isinstance(value, type_):
        yield FieldError(pointer, "type", f"Expected {expected}")


def text_errors(value: Any, pointer: str, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, str):
        yield FieldError(pointer, "type", "Expected a string")
        return
    yield from unstorable(value, pointer)
    if meta is None:
        return
    if meta.min_length is not None and len(value) < meta.min_length:
        yield FieldError(pointer, "too_short", _too_short(meta.min_length))
    if meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} characters")
    if meta.pattern is not None and re.search(meta.pattern, value) is None:
        yield FieldError(pointer, "pattern", _pattern_detail(meta))


def _too_short(min_length: int) -> str:
    return "Must not be empty" if min_length == 1 else f"Expected at least {min_length} characters"


def _pattern_detail(meta: Meta) -> str:
    """The `detail` that the type has for its pattern."""
    detail: str = (meta.extra or {}).get("detail", "Expected another format")
    return detail


def number_errors(value: Any, pointer: str, meta: Meta | None, *, whole: bool) -> Iterator[FieldError]:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        yield FieldError(pointer, "type", "Expected a number")
        return
    if whole and not isinstance(value, int):
        yield FieldError(pointer, "type", "Expected an integer")
        return
    if meta is not None and meta.ge is not None and value < meta.ge:
        yield FieldError(pointer, "too_small", f"Expected at least {meta.ge}")
    if meta is not None and meta.le is not None and value > meta.le:
        yield FieldError(pointer, "too_large", f"Expected at most {meta.le}")


def literal_errors(value: Any, pointer: str, allowed: tuple[Any, ...]) -> Iterator[FieldError]:
    if not isinstance(value, str) or value not in allowed:
        yield FieldError(pointer, "enum", "Expected one of: " + ", ".join(map(str, allowed)))


def list_errors(value: Any, pointer: str, check: Check, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, list):
        yield FieldError(pointer, "type", "Expected an array")
        return
    if meta is not None and meta.min_length is not None and len(value) < meta.min_length:
        yield FieldError(pointer, "too_short", f"Expected at least {meta.min_length} entries")
    if meta is not None and meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} entries")
        return
    for index, member in enumerate(value):
        yield from check(member, f"{pointer}/{index}")


def map_errors(value: Any, pointer: str, check_name: Check, check: Check, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        yield FieldError(pointer, "type", "Expected an object")
        return
    yield from duplicates(value, pointer)
    if meta is not None and meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} members")
        return
    for name, member in value.items():
        yield from check_name(name, f"{pointer}/{escaped(name)}")
        yield from check(member, f"{pointer}/{escaped(name)}")


def duplicates(members: dict[str, Any], pointer: str) -> Iterator[FieldError]:
    """An error for each name that an object has twice. Only the strict parser notes them."""
    for name in getattr(members, "duplicates", ()):
        yield FieldError(f"{pointer}/{escaped(name)}", "duplicate", "Duplicate member")


def unstorable(value: Any, pointer: str) -> Iterator[FieldError]:
    """U+0000 and lone surrogates, in names and values: neither database can store them."""
    if isinstance(value, str):
        if "\x00" in value:
            yield FieldError(pointer, "null_character", "U+0000 cannot be stored")
        if _LONE_SURROGATE.search(value):
            yield FieldError(pointer, "surrogate", "Invalid Unicode (lone surrogate)")
    elif isinstance(value, Members):
        yield from duplicates(value, pointer)
        for name, member in value.items():
            yield from unstorable(name, f"{pointer}/{escaped(name)}")
            yield from unstorable(member, f"{pointer}/{escaped(name)}")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from unstorable(member, f"{pointer}/{index}")


class Shape:
    """The checks of a Struct type: `field_errors` of the parsed object, `count` and `holds` of the decoded value."""

    def __init__(self, type_: type[Struct]) -> None:
        self.names = {field.encode_name: hint for field, hint in fields_of(type_)}
        self.at_least_one: bool = getattr(type_, "at_least_one", False)
        self.field_errors = object_check(type_)
        self.count = counter_of(type_)
        self.holds = rules_of(type_)

    def is_boolean(self, name: str) -> bool:
        return self._may_be(name, bool)

    def is_integer(self, name: str) -> bool:
        return self._may_be(name, int)

    def _may_be(self, name: str, type_: type) -> bool:
        return type_ in map(bare_type, parts(self.names[name]))


_shapes: dict[Any, Shape] = {}


def shape_of(type_: Any) -> Shape:
    """The shape of a Struct type, cached."""
    if type_ not in _shapes:
        _shapes[type_] = Shape(type_)
    return _shapes[type_]


@cache
def fields_of(type_: type[Struct]) -> tuple[tuple[FieldInfo, Any], ...]:
    """The fields of a Struct type, each with its type hint."""
    types = get_type_hints(type_, include_extras=True)
    return tuple((field, types[field.name]) for field in fields(type_))


def parts(hint: Any) -> list[Any]:
    """The types of which a value may be."""
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


def bare_type(option: Any) -> Any:
    """The type without its annotations."""
    return get_args(option)[0] if get_origin(option) is Annotated else option


def meta(option: Any) -> Meta | None:
    """The bounds, which msgspec checks too."""
    return next((extra for extra in _extras(option) if isinstance(extra, Meta)), None)


def rules_in(option: Any) -> list[Rule]:
    """The rules that only we check."""
    return [extra for extra in _extras(option) if isinstance(extra, Rule)]


def is_struct(type_: Any) -> TypeGuard[type[Struct]]:
    return isinstance(type_, type) and issubclass(type_, Struct)


def _extras(option: Any) -> tuple[Any, ...]:
    return get_args(option)[1:] if get_origin(option) is Annotated else ()


Counts = Callable[[Any], int]


@cache
def counter_of(type_: type[Struct]) -> Counts:
    """A function that counts the members of a Struct.

    A member that equals its default may not have been sent, so it is not counted.
    """
    fields = [(field.name, _default(field), _counter_for(hint)) for field, hint in fields_of(type_)]
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


def _may_vary(default: Any, below: Counts | None) -> bool:
    return default is not NODEFAULT or below is not None


def _default(field: FieldInfo) -> Any:
    """The value of the field when it is absent."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _counter_for(hint: Any) -> Counts | None:
    """A function that counts the members inside a value of the type; None where it has none."""
    for option in parts(hint):
        bare = bare_type(option)
        if get_origin(bare) is list and (inner := _counter_for(get_args(bare)[0])):
            each = inner
            return lambda value: sum(map(each, value)) if value else 0
        if get_origin(bare) is dict:
            return len
        if is_struct(bare):
            # The member may also have a type without members of its own: null, or a text that is not localized.
            return lambda value: counter_of(type(value))(value) if isinstance(value, Struct) else 0
    return None


class ObjectCheck:
    """The check of objects of a Struct type, given the check of each member."""

    def __init__(self, type_: type[Struct], checks: Mapping[str, Check]) -> None:
        config = type_.__struct_config__
        self._type = type_
        self._checks = checks
        self._strict = config.forbid_unknown_fields
        self._tag_field = config.tag_field
        self._required = [field.encode_name for field, _ in fields_of(type_) if field.required]
        self._at_least_one = getattr(type_, "at_least_one", False)
        self._has_rules = hasattr(type_, "field_errors")

    def __call__(self, parsed: Any, pointer: str) -> Iterator[FieldError]:
        if not isinstance(parsed, dict):
            yield FieldError(pointer, "type", "Expected an object")
            return
        is_valid = True
        # One error at a time, here and below: the caller stops after the last one that it lists.
        for error in self._member_errors(parsed, pointer):
            is_valid = False
            yield error
        # Rules about the whole object run only where each member is valid by itself.
        if is_valid and self._has_rules:
            whole: Any = msgspec.convert(parsed, self._type, dec_hook=numbers.read)
            for error in whole.field_errors():
                yield FieldError(pointer + error.pointer, error.code, error.detail)

    def _member_errors(self, parsed: dict[str, Any], pointer: str) -> Iterator[FieldError]:
        yield from duplicates(parsed, pointer)
        for name in self._required:
            if name not in parsed:
                yield FieldError(f"{pointer}/{name}", "missing", "Required")
        for name, value in parsed.items():
            at = f"{pointer}/{escaped(name)}"
            check = self._checks.get(name)
            if check is not None:
                yield from check(value, at)
            elif name != self._tag_field:
                yield from self._unknown(name, value, at)
        if self._at_least_one and not any(name in parsed for name in self._checks):
            yield FieldError(pointer, "empty", "Expected at least one field")

    def _unknown(self, name: str, value: Any, pointer: str) -> Iterator[FieldError]:
        if self._strict:
            yield FieldError(pointer, "unknown_field", "No such field")
        else:
            yield from unstorable(name, pointer)
            yield from unstorable(value, pointer)


Holds = Callable[[Any], bool]


@cache
def rules_of(type_: type[Struct]) -> Holds | None:
    """A function that says whether a decoded Struct satisfies its rules; None where the type has none."""
    found = ((field.name, _rules_for(hint)) for field, hint in fields_of(type_))
    of_members = [(name, rules) for name, rules in found if rules is not None]
    has_own = hasattr(type_, "field_errors")
    if not of_members and not has_own:
        return None

    def holds(value: Any) -> bool:
        for name, rules in of_members:
            member = getattr(value, name)
            if member is not UNSET and member is not None and not rules(member):
                return False
        return not (has_own and any(True for _ in value.field_errors()))

    return holds


def _rules_for(hint: Any) -> Holds | None:
    """The same for a value of any type.

    Where it may be of several types, the rules are those of its Struct, or of the first other type, as in `check_for`.
    """
    options = [part for part in parts(hint) if part not in (UnsetType, type(None))]
    structs = [bare for option in options if is_struct(bare := bare_type(option))]
    of_structs = {type_: rules for type_ in structs if (rules := rules_of(type_)) is not None}
    of_other = next((_rules_of_other(option) for option in options if bare_type(option) not in structs), None)
    if of_other is None and not of_structs:
        return None
    if len(options) == 1 and type(None) not in parts(hint):
        return of_other or of_structs[structs[0]]

    def holds(value: Any) -> bool:
        rules = of_structs.get(type(value)) if isinstance(value, Struct) else of_other
        return value is None or rules is None or rules(value)

    return holds


def _rules_of_other(option: Any) -> Holds | None:
    """The same for one type that is no Struct."""
    bare, rules = bare_type(option), rules_in(option)
    if get_origin(bare) in (list, dict):
        inner = [_rules_for(part) for part in get_args(bare)]
        if any(inner) or rules:
            return lambda value: _all_are_valid(rules, inner, value)
        return None
    if not rules:
        return None
    if len(rules) == 1:
        return rules[0].holds
    return lambda value: all(rule.holds(value) for rule in rules)


def _all_are_valid(rules: list[Rule], inner: list[Holds | None], value: Any) -> bool:
    """Of a list with the rules of its entries, or of an object with those of its names and values."""
    members = [value] if isinstance(value, list) else [value.keys(), value.values()]
    are_valid = all(holds is None or all(map(holds, each)) for holds, each in zip(inner, members, strict=True))
    return are_valid and all(rule.holds(value) for rule in rules)


def check_for(hint: Any) -> Check:
    """The check for one value of the type."""
    options = [part for part in parts(hint) if part is not UnsetType]
    if len(options) == 1:
        return _check_of(options[0])
    structs = [bare for option in options if is_struct(bare := bare_type(option))]
    is_nullable = type(None) in options
    other = next(_check_of(option) for option in options if option is not type(None))

    def check(value: Any, pointer: str) -> Iterator[FieldError]:
        if value is None and is_nullable:
            return
        if structs and isinstance(value, dict):
            yield from _tagged(structs, value, pointer)
        else:
            yield from other(value, pointer)

    return check


@cache
def object_check(type_: type[Struct]) -> ObjectCheck:
    """The check of objects of a Struct type."""
    return ObjectCheck(type_, {field.encode_name: check_for(hint) for field, hint in fields_of(type_)})


def _tagged(types: list[type[Struct]], value: dict[str, Any], pointer: str) -> Iterator[FieldError]:
    """An object of one of several types, distinguished by their tag."""
    if len(types) == 1:
        yield from object_check(types[0])(value, pointer)
        return
    field = types[0].__struct_config__.tag_field or ""
    for type_ in types:
        if value.get(field) == type_.__struct_config__.tag:
            yield from object_check(type_)(value, pointer)
            return
    tags = ", ".join(str(type_.__struct_config__.tag) for type_ in types)
    code = "enum" if field in value else "missing"
    yield FieldError(f"{pointer}/{field}", code, f"Expected one of: {tags}")


def _check_of(option: Any) -> Check:
    rules = rules_in(option)
    by_type = _by_type(bare_type(option), meta(option))

    def check(value: Any, pointer: str) -> Iterator[FieldError]:
        is_valid = True
        for error in by_type(value, pointer):
            is_valid = False
            yield error
        if is_valid:
            for rule in rules:
                if not rule.holds(value):
                    yield FieldError(pointer, rule.code_for(value), rule.detail)

    return check


def _by_type(bare: Any, meta: Meta | None) -> Check:
    if bare is str:
        return lambda value, pointer: text_errors(value, pointer, meta)
    if bare is Number or bare is int:
        return lambda value, pointer: number_errors(value, pointer, meta, whole=bare is int)
    if bare is bool:
        return lambda value, pointer: typed_errors(value, pointer, bool, "a boolean")
    if get_origin(bare) is Literal:
        return lambda value, pointer: literal_errors(value, pointer, get_args(bare))
    if get_origin(bare) is list:
        check_entry = check_for(get_args(bare)[0])
        return lambda value, pointer: list_errors(value, pointer, check_entry, meta)
    if get_origin(bare) is dict:
        check_name, check_value = map(check_for, get_args(bare))
        return lambda value, pointer: map_errors(value, pointer, check_name, check_value, meta)
    if is_struct(bare):
        return lambda value, pointer: object_check(bare)(value, pointer)
    if isinstance(bare, type) and issubclass(bare, JsonScalar):
        return lambda value, pointer: iter(bare.errors(value, pointer))
    if bare is type(None):
        return lambda value, pointer: typed_errors(value, pointer, type(None), "null")
    raise TypeError(f"no validation for {bare!r}")


class Members(dict[str, Any]):
    """A JSON object that records its duplicate names."""

    duplicates: tuple[str, ...] = ()
