"""Numbers: exact decimals from request to response and PDF, never a binary float."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from decimal import Decimal
from typing import Any, ClassVar, Self

import msgspec

from backbench.values.errors import FieldError

# `normalize` rounds longer numbers.
_MOST_DIGITS = 28


class Number(Decimal):
    """A JSON number as a decimal. A JSON string of digits is rejected."""

    __slots__ = ()

    def shortest(self) -> str:
        """The JSON text: 12.10 is 12.1, 1E+2 is 100, -0 is 0."""
        if not self:
            return "0"
        text = str(self)
        # Mostly: a number that people write has neither an exponent nor a trailing zero after the point.
        if len(text) <= _MOST_DIGITS and "E" not in text and (text[-1] != "0" or "." not in text):
            return text
        return format(self.normalize(), "f")


class Column(msgspec.Struct, frozen=True):
    """In the annotation of a field whose column has another name, and perhaps another form of the value."""

    name: str
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


class JsonScalar:
    """A value that is a number or a text in JSON, which msgspec cannot express as a union with `Number`.

    `schema` is its JSON Schema. A type of this kind reads and checks its own values.
    """

    __slots__ = ()
    schema: ClassVar[dict[str, Any]]

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Raises ValueError."""
        raise NotImplementedError

    @classmethod
    def errors(cls, value: Any, pointer: str) -> list[FieldError]:
        """What is wrong with a parsed value."""
        raise NotImplementedError

    def to_json(self) -> "Number | str":
        raise NotImplementedError


def read(type_: type, value: Any) -> Any:
    """msgspec decoding hook for `Number` and `JsonScalar`. Raises ValueError for any other type."""
    if type_ is Number and type(value) in (int, Decimal):
        return Number(value)
    if issubclass(type_, JsonScalar):
        return type_.from_json(value)
    raise ValueError("Expected `number`, got " + type(value).__name__)


def write(value: Any) -> Any:
    """msgspec encoding hook: a `Number` in its shortest form. Raises TypeError for any other type."""
    if isinstance(value, Number):
        return msgspec.Raw(value.shortest())
    if isinstance(value, JsonScalar):
        return value.to_json()
    raise TypeError(f"{type(value).__name__} cannot be encoded as JSON")


_encoder = msgspec.json.Encoder(enc_hook=write)


def to_json(shape: Any) -> bytes:
    return _encoder.encode(shape)


def to_json_text(shape: Any) -> str:
    """JSON text, as stored in a column."""
    return _encoder.encode(shape).decode()


async def joined_elements(pieces: AsyncGenerator[Sequence[Any] | bytes, None]) -> AsyncGenerator[bytes, None]:
    """The elements of a JSON array without its brackets, from pieces that are shapes, or JSON of elements already."""
    separator = b""
    async with aclosing(pieces):
        async for piece in pieces:
            yield separator + (piece if isinstance(piece, bytes) else to_json(piece)[1:-1])
            separator = b","
