"""Row mapping: makes Structs of the rows of either engine.

Columns map to fields by position, which costs nothing per row. That the names agree is checked once for each pair of
type and statement, when its first row arrives.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from textwrap import shorten
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from backbench.domain.values import numbers

T = TypeVar("T")


class JoinedRow(msgspec.Struct, frozen=True):
    """A row with the columns of several Structs, in the order of the fields; a field of another type has one column.

    A Struct is None where its first column is NULL, as in the rows of a LEFT JOIN. Columns of `RawColumns` are kept as
    they are.
    """


class RawColumns(Generic[T]):
    """The type of columns that `made` makes a Struct of, where that is wanted."""


RowMaker = Callable[[Sequence[Any]], Any]
# SQLite and PostgreSQL return these as the type that the field has.
_STORED_AS_IS = (str, int, float, bytes)

# By type and SQL text, for statements whose column names have been checked.
checked_makers: dict[tuple[Any, str], RowMaker] = {}
_makers: dict[Any, RowMaker] = {}


def checked_maker(type_: Any, sql: str, columns: Sequence[str]) -> RowMaker:
    """The function that makes a `type_` of a row of the statement.

    Raises TypeError unless the names of `columns` are those of the Struct's fields, in their order. A `type_` that is
    not a Struct takes the first column, with any name.
    """
    fields = _columns_of(type_)
    if fields is not None and tuple(columns) != fields:
        raise TypeError(
            f"the columns of the statement are not the fields of {type_.__name__}: "
            f"columns ({', '.join(columns)}), fields ({', '.join(fields)}); statement: {shorten(sql, 400)}"
        )
    maker = checked_makers[type_, sql] = maker_of(type_)
    return maker


def _columns_of(type_: Any) -> tuple[str, ...] | None:
    """The names of the columns of a Struct; None for another type."""
    if get_origin(type_) is RawColumns:
        return _columns_of(*get_args(type_))
    if not (isinstance(type_, type) and issubclass(type_, msgspec.Struct)):
        return None
    if not issubclass(type_, JoinedRow):
        return type_.__struct_fields__
    hints = get_type_hints(type_)
    return tuple(column for name in type_.__struct_fields__ for column in _columns_of(_present(hints[name])) or (name,))


def _present(hint: Any) -> Any:
    """The type of a value that may be None."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    (present,) = [member for member in get_args(hint) if member is not type(None)]
    return present


def _side_by_side(type_: Any) -> RowMaker:
    hints = get_type_hints(type_)
    parts: list[tuple[slice | int, RowMaker | None]] = []
    start = 0
    for name in type_.__struct_fields__:
        part = _present(hints[name])
        columns = _columns_of(part)
        if columns is None:
            parts.append((start, None))
            start += 1
        else:
            own = slice(start, start + len(columns))
            parts.append((own, None if get_origin(part) is RawColumns else maker_of(part)))
            start = own.stop

    def make(row: Sequence[Any]) -> Any:
        made = []
        for columns, make_part in parts:
            own = row[columns]
            made.append(own if make_part is None else None if own[0] is None else make_part(own))
        return type_(*made)

    return make


def maker_of(type_: Any) -> RowMaker:
    """The function that makes a `type_` of the columns of its fields."""
    maker = _makers.get(type_)
    if maker is None:
        maker = _makers[type_] = _row_maker(type_)
    return maker


def _row_maker(type_: Any) -> RowMaker:
    """Booleans are stored as 0 and 1, lists and Structs as JSON text; the field's type says how to convert them."""
    if not issubclass(type_, msgspec.Struct):
        return lambda row: row[0]
    if issubclass(type_, JoinedRow):
        return _side_by_side(type_)
    hints = get_type_hints(type_)
    converters = [
        (index, convert) for index, name in enumerate(type_.__struct_fields__) if (convert := _converter(hints[name]))
    ]
    if not converters:
        return lambda row: type_(*row)
    if len(converters) == 1:
        at, only = converters[0]
        return lambda row: type_(*row[:at], only(row[at]), *row[at + 1 :])

    def make(row: Sequence[Any]) -> Any:
        columns = list(row)
        for index, convert in converters:
            columns[index] = convert(columns[index])
        return type_(*columns)

    return make


def _converter(hint: Any) -> Callable[[Any], Any] | None:
    """The conversion of a stored column to a value of type `hint`; None where it needs none."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    # NULL becomes UNSET for a member that may be absent, and None for one that may be null.
    missing = msgspec.UNSET if msgspec.UnsetType in members and type(None) not in members else None
    types = [member for member in members if member not in (type(None), msgspec.UnsetType)]
    decode = _decoder(Union[tuple(types)])  # noqa: UP007 - a union made of a list cannot be written with |
    if decode is None:
        return None if missing is None else lambda column: missing if column is None else column
    if len(types) == len(members):
        return decode
    return lambda column: missing if column is None else decode(column)


def _decoder(type_: Any) -> Callable[[Any], Any] | None:
    if type_ is bool:
        return bool
    if type_ in _STORED_AS_IS or get_origin(type_) is Literal:
        return None
    return msgspec.json.Decoder(type_, dec_hook=numbers.read, float_hook=Decimal).decode
