"""Rules of decoded values: those that msgspec does not check, of a field and of a Struct as a whole."""

from collections.abc import Callable
from functools import cache
from typing import Any, get_args, get_origin

from msgspec import UNSET, Struct, UnsetType

from backbench.http.validation import hints
from backbench.values.scalars import Rule

Holds = Callable[[Any], bool]


@cache
def rules_of(type_: type[Struct]) -> Holds | None:
    """A function that says whether a decoded Struct satisfies its rules; None where the type has none."""
    found = ((field.name, _rules_for(hint)) for field, hint in hints.fields_of(type_))
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
    options = [part for part in hints.parts(hint) if part not in (UnsetType, type(None))]
    structs = [bare for option in options if hints.is_struct(bare := hints.bare(option))]
    of_structs = {type_: rules for type_ in structs if (rules := rules_of(type_)) is not None}
    of_other = next((_rules_of_other(option) for option in options if hints.bare(option) not in structs), None)
    if of_other is None and not of_structs:
        return None
    if len(options) == 1 and type(None) not in hints.parts(hint):
        return of_other or of_structs[structs[0]]

    def holds(value: Any) -> bool:
        rules = of_structs.get(type(value)) if isinstance(value, Struct) else of_other
        return value is None or rules is None or rules(value)

    return holds


def _rules_of_other(option: Any) -> Holds | None:
    """The same for one type that is no Struct."""
    bare, rules = hints.bare(option), hints.rules(option)
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
