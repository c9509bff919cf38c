"""Errors of a parsed object that is to be a Struct: of its members, and of the Struct's own rules."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from backbench.http.validation.hints import fields_of
from backbench.http.validation.pointers import escaped
from backbench.http.validation.values import Check, duplicates, unstorable
from backbench.values import numbers
from backbench.values.errors import FieldError


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
