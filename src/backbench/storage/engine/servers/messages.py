"""Messages of PostgreSQL's protocol that run a prepared statement, for sending several in one round trip."""

from collections.abc import Sequence
from struct import Struct

from backbench.storage.engine.database import Value

_size = Struct(">i").pack
_NULL = _size(-1)
# Of the unnamed portal, all rows.
_EXECUTE = b"E\0\0\0\x09\0\0\0\0\0"
_END = b"\0\0" + _EXECUTE
# The size of a message counts itself.
_ADDED = 4 - len(_EXECUTE)


def binding(name: str, parameters: int) -> bytes:
    """How the messages begin that run the statement: unnamed portal, all values as text, and how many they are."""
    return b"\0" + name.encode() + b"\0\0\0" + parameters.to_bytes(2, "big")


def execution(beginning: bytes, values: Sequence[Value]) -> bytes:
    """Bind and Execute. The server reads text as it reads a literal, for any type of parameter."""
    parts = [beginning]
    for value in values:
        if value is None:
            parts.append(_NULL)
        else:
            text = value.encode() if isinstance(value, str) else _text(value)
            parts += (_size(len(text)), text)
    parts.append(_END)
    body = b"".join(parts)
    return b"B" + _size(len(body) + _ADDED) + body


def _text(value: int | float | bytes) -> bytes:
    if isinstance(value, bytes):
        return b"\\x" + value.hex().encode()
    # A bool is an int, and stored as 0 or 1.
    return b"%d" % value if isinstance(value, int) else repr(value).encode()
