"""Validation: every error of a parsed body against its type, each with a JSON Pointer."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.values.errors import FieldError
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import Rule
from backbench.http.strict_json import Members

Check = Callable[[Any, str], Iterator[FieldError]]
Counter = Callable[[Any], int]
Holds = Callable[[Any], bool]
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Shape:
    """The checks of a Struct type."""

    def __init__(self, type_: type[Struct]) -> None:
        self.type = type_
        hints = get_type_hints(type_, include_extras=True)
        config = type_.__struct_config__
        self._strict = config.forbid_unknown_fields
        self._tag = (config.tag_field, config.tag) if config.tag_field else None
        fields = msgspec.structs.fields(type_)
        self.names = {field.encode_name: hints[field.name] for field in fields}
        self._required = [field.encode_name for field in fields if field.required]
        self._checks = {name: check_for(hint) for name, hint in self.names.items()}
        self._attributes = [(field.name, _default(field), count_for(hints[field.name])) for field in fields]
        self.at_least_one = getattr(type_, "at_least_one", False)
        self._rules = [(field.name, holds) for field in fields if (holds := holds_for(hints[field.name])) is not None]
        self._has_own_rules = hasattr(type_, "field_errors")
        self.has_rules = self._has_own_rules or bool(self._rules)

    def is_boolean(self, name: str) -> bool:
        return bool in [_bare(part) for part in _parts(self.names[name])]

    def is_integer(self, name: str) -> bool:
        return int in [_bare(part) for part in _parts(self.names[name])]

    def field_errors(self, parsed: Any, pointer: str) -> Iterator[FieldError]:
        if not isinstance(parsed, dict):
            yield FieldError(pointer, "type", "Expected an object")
            return
        is_valid = True
        # One error at a time, here and below: the caller stops after the last one that it lists.
        for error in self._member_errors(parsed, pointer):
            is_valid = False
            yield error
        # Rules about the whole object run only where each member is valid by itself.
        if is_valid and hasattr(self.type, "field_errors"):
            whole = msgspec.convert(parsed, self.type, dec_hook=_exact)
            for error in whole.field_errors():
                yield FieldError(pointer + error.pointer, error.code, error.detail)

    def _member_errors(self, parsed: dict[str, Any], pointer: str) -> Iterator[FieldError]:
        for name in getattr(parsed, "duplicates", ()):
            yield FieldError(f"{pointer}/{escaped(name)}", "duplicate", "Duplicate member")
        for name in self._required:
            if name not in parsed:
                yield FieldError(f"{pointer}/{name}", "missing", "Required")
        for name, value in parsed.items():
            at = f"{pointer}/{escaped(name)}"
            check = self._checks.get(name)
            if check is not None:
                yield from check(value, at)
            elif self._tag is not None and name == self._tag[0]:
                continue
            elif self._strict:
                yield FieldError(at, "unknown_field", "No such field")
            else:
                yield from _unstorable(name, at)
                yield from _unstorable(value, at)
        if self.at_least_one and not any(name in parsed for name in self.names):
            yield FieldError(pointer, "empty", "Expected at least one field")

    def holds(self, value: Any) -> bool:
        """Whether a decoded value satisfies the rules that its type alone does not express."""
        for name, holds in self._rules:
            member = getattr(value, name)
            if member is not UNSET and member is not None and not holds(member):
                return False
        return not (self._has_own_rules and any(True for _ in value.field_errors()))

    def counter(self) -> Counter:
        """A function that counts the JSON members that a decoded value must have had, nested ones included.

        A member that equals its default may not have been sent, so it is not counted.
        """
        # A required member without members of its own is always one.
        counted = [(name, default, below) for name, default, below in self._attributes if _may_vary(default, below)]
        own = len(self._attributes) - len(counted) + (1 if self._tag is not None else 0)

        def count(value: Any) -> int:
            total = own
            for name, default, below in counted:
                member = getattr(value, name)
                if member is not UNSET and member != default:
                    total += 1 if below is None else 1 + below(member)
            return total

        return count


def _may_vary(default: Any, below: Counter | None) -> bool:
    return default is not msgspec.NODEFAULT or below is not None


_shapes: dict[Any, Shape] = {}


def shape_of(type_: Any) -> Shape:
    """The shape of a Struct type, cached."""
    if type_ not in _shapes:
        _shapes[type_] = Shape(type_)
    return _shapes[type_]


def _exact(type_: type, value: Any) -> Any:
    return Number(value)


def check_for(hint: Any) -> Check:
    """The check for one value of the type."""
    options = [part for part in _parts(hint) if part is not UnsetType]
    checks = [(_bare(option), _check_of(option)) for option in options]
    if len(checks) == 1:
        return checks[0][1]
    shapes = [bare for bare, _ in checks if _is_struct(bare)]

    def check(value: Any, pointer: str) -> Iterator[FieldError]:
        if value is None and any(bare is type(None) for bare, _ in checks):
            return
        if shapes and isinstance(value, dict):
            yield from _tagged(shapes, value, pointer)
            return
        rest = [
            each
            for bare, each in checks
            if bare is not type(None) and (bare not in shapes or not isinstance(value, dict))
        ]
        yield from rest[0](value, pointer)

    return check


def _tagged(types: list[Any], value: dict[str, Any], pointer: str) -> Iterator[FieldError]:
    """An object of one of several types, distinguished by their tag."""
    if len(types) == 1:
        yield from shape_of(types[0]).field_errors(value, pointer)
        return
    field = types[0].__struct_config__.tag_field
    for type_ in types:
        if value.get(field) == type_.__struct_config__.tag:
            yield from shape_of(type_).field_errors(value, pointer)
            return
    tags = ", ".join(type_.__struct_config__.tag for type_ in types)
    code = "enum" if field in value else "missing"
    yield FieldError(f"{pointer}/{field}", code, f"Expected one of: {tags}")


def _check_of(option: Any) -> Check:
    bare, meta, rules = _bare(option), _meta(option), _rules(option)
    inner = _by_type(bare, meta)

    def check(value: Any, pointer: str) -> Iterator[FieldError]:
        is_valid = True
        for error in inner(value, pointer):
            is_valid = False
            yield error
        if is_valid:
            for rule in rules:
                if not rule.holds(value):
                    yield FieldError(pointer, rule.code_for(value), rule.detail)

    return check


def _by_type(bare: Any, meta: Meta | None) -> Check:
    if bare is str:
        return lambda value, pointer: _text(value, pointer, meta)
    if bare is Number or bare is int:
        return lambda value, pointer: _number(value, pointer, meta, whole=bare is int)
    if bare is bool:
        return lambda value, pointer: _typed(value, pointer, bool, "a boolean")
    if get_origin(bare) is Literal:
        return lambda value, pointer: _literal(value, pointer, get_args(bare))
    if get_origin(bare) is list:
        return lambda value, pointer: _list(value, pointer, check_for(get_args(bare)[0]), meta)
    if get_origin(bare) is dict:
        check_name, check_value = map(check_for, get_args(bare))
        return lambda value, pointer: _map(value, pointer, check_name, check_value, meta)
    if _is_struct(bare):
        return lambda value, pointer: shape_of(bare).field_errors(value, pointer)
    if bare is type(None):
        return lambda value, pointer: _typed(value, pointer, type(None), "null")
    raise TypeError(f"no validation for {bare!r}")


def _typed(value: Any, pointer: str, type_: type, expected: str) -> Iterator[FieldError]:
    if not isinstance(value, type_):
        yield FieldError(pointer, "type", f"Expected {expected}")


def _text(value: Any, pointer: str, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, str):
        yield FieldError(pointer, "type", "Expected a string")
        return
    yield from _unstorable(value, pointer)
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


def _unstorable(value: Any, pointer: str) -> Iterator[FieldError]:
    """U+0000 and lone surrogates, in names and values: neither database can store them."""
    if isinstance(value, str):
        if "\x00" in value:
            yield FieldError(pointer, "null_character", "U+0000 cannot be stored")
        if _LONE_SURROGATE.search(value):
            yield FieldError(pointer, "surrogate", "Invalid Unicode (lone surrogate)")
    elif isinstance(value, Members):
        for name in value.duplicates:
            yield FieldError(f"{pointer}/{escaped(name)}", "duplicate", "Duplicate member")
        for name, member in value.items():
            yield from _unstorable(name, f"{pointer}/{escaped(name)}")
            yield from _unstorable(member, f"{pointer}/{escaped(name)}")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _unstorable(member, f"{pointer}/{index}")


def _number(value: Any, pointer: str, meta: Meta | None, *, whole: bool) -> Iterator[FieldError]:
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


def _literal(value: Any, pointer: str, allowed: tuple[Any, ...]) -> Iterator[FieldError]:
    if not isinstance(value, str) or value not in allowed:
        yield FieldError(pointer, "enum", "Expected one of: " + ", ".join(map(str, allowed)))


def _list(value: Any, pointer: str, check: Check, meta: Meta | None) -> Iterator[FieldError]:
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


def _map(value: Any, pointer: str, check_name: Check, check: Check, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        yield FieldError(pointer, "type", "Expected an object")
        return
    for name in getattr(value, "duplicates", ()):
        yield FieldError(f"{pointer}/{escaped(name)}", "duplicate", "Duplicate member")
    if meta is not None and meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} members")
        return
    for name, member in value.items():
        yield from check_name(name, f"{pointer}/{escaped(name)}")
        yield from check(member, f"{pointer}/{escaped(name)}")


def count_for(hint: Any) -> Counter | None:
    """A function that counts the JSON members inside a value of the type; None where it has none."""
    for option in _parts(hint):
        bare = _bare(option)
        if get_origin(bare) is list and (inner := count_for(get_args(bare)[0])):
            each = inner
            return lambda value: sum(map(each, value)) if value else 0
        if get_origin(bare) is dict:
            return len
        if _is_struct(bare):
            # The member may also have a type without members of its own: null, or a text that is not localized.
            return lambda value: shape_of(type(value)).counter()(value) if isinstance(value, Struct) else 0
    return None


def holds_for(hint: Any) -> Holds | None:
    """A function that says whether a decoded value satisfies the rules inside it; None where the type has none.

    Where a value may be of several types, the rules are those of its Struct, or of the first other type, as in `check`.
    """
    options = [part for part in _parts(hint) if part not in (UnsetType, type(None))]
    of_other = next((_holds_of(option) for option in options if not _is_struct(_bare(option))), None)
    structs = [_bare(option) for option in options if _is_struct(_bare(option))]
    if of_other is None and not any(shape_of(each).has_rules for each in structs):
        return None
    if len(options) == 1 and type(None) not in _parts(hint):
        return of_other or shape_of(structs[0]).holds

    def holds(value: Any) -> bool:
        if isinstance(value, Struct):
            return shape_of(type(value)).holds(value)
        return value is None or of_other is None or of_other(value)

    return holds


def _holds_of(option: Any) -> Holds | None:
    """The same for one type that is no Struct."""
    bare, rules = _bare(option), _rules(option)
    if get_origin(bare) in (list, dict):
        inner = [holds_for(part) for part in get_args(bare)]
        if any(inner) or rules:
            return lambda value: _all_are_valid(rules, inner, value)
        return None
    if not rules:
        return None
    if len(rules) == 1:
        return rules[0].holds
    return lambda value: all(rule.holds(value) for rule in rules)


def _all_are_valid(rules: list[Rule], inner: list[Holds | None], value: Any) -> bool:
    """Of a list with the check of its entries, or of an object with those of its names and values."""
    members = [value] if isinstance(value, list) else [value.keys(), value.values()]
    are_valid = all(holds is None or all(map(holds, each)) for holds, each in zip(inner, members, strict=True))
    return are_valid and all(rule.holds(value) for rule in rules)


def _parts(hint: Any) -> list[Any]:
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


def _bare(option: Any) -> Any:
    return get_args(option)[0] if get_origin(option) is Annotated else option


def _extras(option: Any) -> tuple[Any, ...]:
    return get_args(option)[1:] if get_origin(option) is Annotated else ()


def _meta(option: Any) -> Meta | None:
    return next((extra for extra in _extras(option) if isinstance(extra, Meta)), None)


def _rules(option: Any) -> list[Rule]:
    return [extra for extra in _extras(option) if isinstance(extra, Rule)]


def _is_struct(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, Struct)


def escaped(name: str) -> str:
    """The name as a reference token of a JSON Pointer. A lone surrogate cannot be encoded and is replaced."""
    encodable = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return encodable.replace("~", "~0").replace("/", "~1")


def _default(field: msgspec.structs.FieldInfo) -> Any:
    """The value of the field when it is absent."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
