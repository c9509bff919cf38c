"""Canonical JSON (RFC 8785) and its SHA-256: the same content has the same bytes, and so the same hash.

Amounts are strings in it: RFC 8785 writes numbers as binary floating point, which is not exact for money.
"""

import hashlib
import json
from typing import Any

# Larger integers are not exact in every implementation of JSON.
_MAX_INTEGER = 2**53 - 1


def canonical(value: object) -> bytes:
    """The canonical JSON of dicts, lists, strings, booleans, integers and None.

    Raises TypeError for any other type, a float or decimal too; ValueError for an integer above 2^53 - 1 and for a
    lone surrogate.
    """
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":")).encode()


def sha256_hex(content: bytes) -> str:
    """64 lower-case hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _ordered(value: Any) -> Any:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if abs(value) > _MAX_INTEGER:
            raise ValueError("Canonical JSON has no integer above 2^53 - 1")
        return value
    if isinstance(value, dict):
        # The order of UTF-16 code units, not of code points: an emoji is before U+FF5E.
        return {name: _ordered(value[name]) for name in sorted(value, key=_utf16)}
    if isinstance(value, list):
        return [_ordered(each) for each in value]
    raise TypeError(f"{type(value).__name__} has no canonical JSON")


def _utf16(name: str) -> bytes:
    # Called on the type: it raises TypeError for a name that is no string.
    return str.encode(name, "utf-16-be")
