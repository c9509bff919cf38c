"""Numbers as clients send them: exact from the wire to the page, never through a binary float."""

from decimal import Decimal
from typing import Any

import msgspec


class Number(Decimal):
    """A JSON number; a string of digits is not one."""

    __slots__ = ()

    def shortest(self) -> str:
        """The JSON text: 12.10 is 12.1, 1E+2 is 100, -0 is 0."""
        return format(self.normalize(), "f") if self else "0"


def read(type_: type, value: Any) -> Any:
    """msgspec's hook for decoding: exact numbers, nothing else."""
    if type_ is Number and type(value) in (int, Decimal):
        return Number(value)
    raise ValueError("Expected `number`, got " + type(value).__name__)


def write(value: Any) -> Any:
    """msgspec's hook for encoding: a number in its shortest form."""
    if isinstance(value, Number):
        return msgspec.Raw(value.shortest().encode())
    raise TypeError(f"{type(value).__name__} has no place in an answer")


_encoder = msgspec.json.Encoder(enc_hook=write)


def to_json(shape: Any) -> bytes:
    return _encoder.encode(shape)


def to_json_text(shape: Any) -> str:
    """As it stands in a column."""
    return _encoder.encode(shape).decode()
