"""Turns the rows of either engine into Structs."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from backbench.domain.values import numbers

Maker = Callable[[Sequence[Any]], Any]
_PLAIN = (str, int, float, bytes)


_makers: dict[Any, Maker] = {}


def maker(type_: Any) -> Maker:
    """What makes a `type_` of one row, worked out once; columns stand in the order of the fields."""
    made = _makers.get(type_)
    if made is None:
        made = _makers[type_] = _maker(type_)
    return made


def _maker(type_: Any) -> Maker:
    """Truth values are stored as 0 and 1, lists and Structs as JSON text; both are turned back by the field's type."""
    if not issubclass(type_, msgspec.Struct):
        return lambda row: row[0]
    hints = get_type_hints(type_)
    turns = [(index, turn) for index, name in enumerate(type_.__struct_fields__) if (turn := _turn(hints[name]))]
    if not turns:
        return lambda row: type_(*row)

    def make(row: Sequence[Any]) -> Any:
        columns = list(row)
        for index, turn in turns:
            columns[index] = turn(columns[index])
        return type_(*columns)

    return make


def _turn(hint: Any) -> Callable[[Any], Any] | None:
    """How a stored column becomes a value of type `hint`; None where it already is one."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    # A member that may be absent is absent where the column is NULL; one that may only be null is None.
    missing = msgspec.UNSET if msgspec.UnsetType in parts and type(None) not in parts else None
    real = [part for part in parts if part not in (type(None), msgspec.UnsetType)]
    read = _reader(Union[tuple(real)])  # noqa: UP007 - a union made of a list cannot be written with |
    if read is None:
        return None if missing is None else lambda column: missing if column is None else column
    return lambda column: missing if column is None else read(column)


def _reader(type_: Any) -> Callable[[Any], Any] | None:
    if type_ is bool:
        return bool
    if type_ in _PLAIN or get_origin(type_) is Literal:
        return None
    return msgspec.json.Decoder(type_, dec_hook=numbers.read, float_hook=Decimal).decode
