"""Rows: Structs made of rows and rows of Structs, and named parameters of statements.

Reading, columns map to fields by position, which costs nothing per row. That the names agree is checked once for each
pair of type and statement, when its first row arrives. Writing, a column has the name of its field.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from inspect import Parameter, signature
from textwrap import shorten
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from backbench.engine.database import StructRow, Value
from backbench.values import numbers
from backbench.values.numbers import to_json_text
from backbench.values.scalars import fold_case

Scalar = TypeVar("Scalar", str, int)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")


@cache
def positional(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement with `$1` in place of `:name`, and the names in that order."""
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}"

    return _PARAMETER.sub(number, sql), tuple(names)


def numbered(name: str, at: int) -> str:
    """The name of a parameter for the value at a position of a list. Names of parameters have no digits."""
    return f"{name}_{''.join(chr(ord('a') + int(digit)) for digit in str(at))}"


def or_none(value: Scalar | UnsetType | None) -> Scalar | None:
    """NULL for an absent member."""
    return None if value is UNSET else value


def containing(text: str) -> str:
    """The pattern of folded texts that contain `text`, for `LIKE :pattern ESCAPE '!'`: `%` and `_` are themselves."""
    escaped = fold_case(text).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def rows_of(values: Sequence[str], column: str = "id") -> str:
    """`:rows` of one column, for `rows_from_json`."""
    return to_json_text([{column: value} for value in values])


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
_STORED_AS_IS = frozenset({str, int, float, bytes})
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
        owns = [(row[columns], make_part) for columns, make_part in parts]
        return type_(
            *[own if make_part is None else None if own[0] is None else make_part(own) for own, make_part in owns]
        )

    return make


def width_of(type_: type[msgspec.Struct]) -> int:
    """The number of its columns."""
    return len(_columns_of(type_) or ())


def set_maker(type_: type[msgspec.Struct], make: RowMaker) -> None:
    """Rows of this type are made by `make`, which may make something else of the same columns."""
    _makers[type_] = make


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
    hints, others = get_type_hints(type_), _other_columns(type_)
    names = type_.__struct_fields__
    reads = [(name in others and others[name].read) or _converter(hints[name]) for name in names]
    converters = [(index, convert) for index, convert in enumerate(reads) if convert]
    if _is_by_name(type_):
        return lambda row: type_(
            **{
                name: value if read is None else read(value)
                for name, value, read in zip(names, row, reads, strict=True)
            }
        )
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


@cache
def _other_columns(type_: type[msgspec.Struct]) -> dict[str, numbers.Column]:
    """The columns of the fields that say so in their annotation."""
    hints = get_type_hints(type_, include_extras=True)
    found = {
        name: [each for each in get_args(hint)[1:] if isinstance(each, numbers.Column)] for name, hint in hints.items()
    }
    return {name: columns[0] for name, columns in found.items() if columns}


def _is_by_name(type_: type[msgspec.Struct]) -> bool:
    """Whether its fields cannot be given by position."""
    return any(each.kind is Parameter.KEYWORD_ONLY for each in signature(type_).parameters.values())


@cache
def columns(type_: Any, table: str = "") -> str:
    """What a SELECT names for a type: its columns, in the order of its fields, those of `table` of a join."""
    others = _other_columns(type_)
    of = f"{table}." if table else ""
    return ", ".join(
        f'{of}{others[name].name} AS "{name}"' if name in others else f"{of}{name}" for name in type_.__struct_fields__
    )


class RowWriter:
    """The two statements that rows are written with, for handles that have `run`. See `Write`."""

    async def run(self, sql: str, /, **values: Value) -> int:
        raise NotImplementedError

    async def value(self, sql: str, /, **values: Value) -> Any:
        raise NotImplementedError

    async def value_after_changes(self, sql: str, _is_last: bool, values: Mapping[str, Value], /) -> Any:
        return await self.value(sql, **values)

    async def change(self, _table: str, sql: str, values: Mapping[str, Value], /) -> None:
        await self.run(sql, **values)

    async def add(self, table: str, row: msgspec.Struct | None = None, /, **others: Any) -> None:
        await self.change(table, *_row_to_insert(table, row, others))

    async def put(self, table: str, row: msgspec.Struct | None = None, /, *, key: str, **others: Any) -> None:
        sql, values = _row_to_insert(table, row, others)
        changed = ", ".join(f"{column} = excluded.{column}" for column in values if column not in key.split(", "))
        await self.run(f"{sql} ON CONFLICT ({key}) DO UPDATE SET {changed}", **values)

    async def add_new(self, table: str, row: msgspec.Struct | None = None, /, *, key: str, **others: Any) -> bool:
        sql, values = _row_to_insert(table, row, others)
        return await self.run(f"{sql} ON CONFLICT ({key}) DO NOTHING", **values) > 0

    async def save(self, table: str, row: StructRow, /, *, key: str = "id", **changes: Any) -> StructRow:
        sql, columns, conversions, own = _update(type(row), table, key, tuple(changes))
        values = dict(zip(columns, map(stored, changes.values()), strict=True))
        for column, name, write in conversions:
            values[column] = write(changes[name])
        values["own_key"] = getattr(row, key)
        await self.change(table, sql, values)
        return msgspec.structs.replace(row, **{name: changes[name] for name in own})


def _row_to_insert(table: str, row: msgspec.Struct | None, others: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    """The statement, and the values of its columns."""
    fields = () if row is None else msgspec.structs.astuple(row)
    kind: Any = type(row)
    sql, columns, conversions = _insert(table, kind, tuple(others))
    values = dict(zip(columns, (*fields, *map(stored, others.values())), strict=True))
    for column, write in conversions:
        values[column] = write(values[column])
    return sql, values


@cache
def _insert(
    table: str, type_: Any, names: tuple[str, ...]
) -> tuple[str, Sequence[str], Sequence[tuple[str, Callable[[Any], Value]]]]:
    """The statement that adds a row of this type, or of None, with `names` besides; its columns, fields first, and the
    conversions of some fields."""
    columns: list[str] = []
    conversions: list[tuple[str, Callable[[Any], Value]]] = []
    if issubclass(type_, msgspec.Struct):
        hints, others = get_type_hints(type_), _other_columns(type_)
        for name in type_.__struct_fields__:
            other = others.get(name)
            columns.append(name if other is None else other.name)
            if other is not None and other.write is not None:
                conversions.append((other.name, _stored_as(other.write)))
            elif not _is_stored_as_it_is(hints[name]):
                conversions.append((columns[-1], stored))
    columns += names
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f':{column}' for column in columns)})"
    return sql, columns, conversions


def _stored_as(write: Callable[[Any], Any]) -> Callable[[Any], Value]:
    return lambda value: stored(write(value))


def _is_stored_as_it_is(hint: Any) -> bool:
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return all(each in _STORED_AS_IS or each is type(None) or get_origin(each) is Literal for each in members)


def stored(value: Any) -> Value:
    """The column of a value: NULL of an absent one, 0 or 1 of a boolean, JSON text of a number, list or Struct."""
    kind = type(value)
    if kind in _STORED_AS_IS:
        return value  # type: ignore[no-any-return] # one of these types
    if value is None or value is msgspec.UNSET:
        return None
    return int(value) if kind is bool else numbers.to_json_text(value)


@cache
def _update(
    type_: type[msgspec.Struct], table: str, key: str, names: tuple[str, ...]
) -> tuple[str, Sequence[str], Sequence[tuple[str, str, Callable[[Any], Value]]], Sequence[str]]:
    """The statement that changes `names` of a row, their columns, the conversions of some, and which are its fields."""
    others = {name: other for name, other in _other_columns(type_).items() if name in names}
    columns = [others[name].name if name in others else name for name in names]
    conversions = [(other.name, name, _stored_as(other.write)) for name, other in others.items() if other.write]
    sql = f"UPDATE {table} SET {', '.join(f'{column} = :{column}' for column in columns)} WHERE {key} = :own_key"
    return sql, columns, conversions, [name for name in names if name in type_.__struct_fields__]
