"""Row mapping: makes Structs of the rows of either engine.

Columns map to fields by position, which costs nothing per row. That the names agree is checked once for each pair of
type and statement, when its first row arrives.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from textwrap import shorten
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from backbench.domain.values import numbers

RowMaker = Callable[[Sequence[Any]], Any]
# SQLite and PostgreSQL return these as the type that the field has.
_STORED_AS_IS = (str, int, float, bytes)

# By type and SQL text, for statements whose column names have been checked.
checked_makers: dict[tuple[Any, str], RowMaker] = {}
_makers: dict[Any, RowMaker] = {}


def checked_maker(type_: Any, sql: str, columns: Sequence[str]) -> RowMaker:
    """The function that makes a `type_` of a row of the statement.

    Raises TypeError unless the names of `columns` are those of the Struct's fields, in their order. A `type_` that is
    not a Struct takes the first column, whatever its name.
    """
    fields = getattr(type_, "__struct_fields__", None)
    if fields is not None and tuple(columns) != fields:
        raise TypeError(
            f"the columns of the statement are not the fields of {type_.__name__}: "
            f"columns ({', '.join(columns)}), fields ({', '.join(fields)}); statement: {shorten(sql, 400)}"
        )
    maker = _makers.get(type_)
    if maker is None:
        maker = _makers[type_] = _row_maker(type_)
    checked_makers[type_, sql] = maker
    return maker


def _row_maker(type_: Any) -> RowMaker:
    """Booleans are stored as 0 and 1, lists and Structs as JSON text; the field's type says how to convert them."""
    if not issubclass(type_, msgspec.Struct):
        return lambda row: row[0]
    hints = get_type_hints(type_)
    converters = [
        (index, convert) for index, name in enumerate(type_.__struct_fields__) if (convert := _converter(hints[name]))
    ]
    if not converters:
        return lambda row: type_(*row)

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
    return lambda column: missing if column is None else decode(column)


def _decoder(type_: Any) -> Callable[[Any], Any] | None:
    if type_ is bool:
        return bool
    if type_ in _STORED_AS_IS or get_origin(type_) is Literal:
        return None
    return msgspec.json.Decoder(type_, dec_hook=numbers.read, float_hook=Decimal).decode
