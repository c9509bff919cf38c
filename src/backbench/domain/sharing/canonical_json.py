"""Canonical JSON (RFC 8785) and its SHA-256: the same content has the same bytes, and so the same hash.

Amounts are strings: RFC 8785 writes numbers as binary floating point, which an amount of money can exceed.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

# Larger integers are not exact in every JSON implementation.
_MAX_INTEGER = 2**53 - 1


def canonical_json(shape: Any) -> bytes:
    """The canonical JSON of a shape, dict or list. A decimal is a string in its shortest form: 12.10 is "12.1".

    Raises ValueError for a float, an integer above 2^53 - 1 and a lone surrogate.
    """
    plain = _canonical(msgspec.to_builtins(shape, enc_hook=_decimal, builtin_types=(Decimal,)))
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


def document_hash(canonical: bytes) -> str:
    """SHA-256 as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(canonical).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, Mapping):
        # The order of RFC 8785 is that of UTF-16 code units: an emoji is before U+FF5E, unlike in code points.
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _canonical(value[name]) for name in names}
    if isinstance(value, Decimal):
        return _shortest(value)
    if isinstance(value, float):
        raise ValueError("Canonical JSON has no binary floating point: amounts are decimals")
    if isinstance(value, int) and abs(value) > _MAX_INTEGER:
        raise ValueError("Canonical JSON has no integer above 2^53 - 1")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_canonical(each) for each in value]
    return value


def _decimal(value: Any) -> Any:
    """msgspec encoding hook: a subclass of Decimal stays a decimal."""
    if isinstance(value, Decimal):
        return Decimal(value)
    raise TypeError(f"{type(value).__name__} cannot be encoded as canonical JSON")


def _shortest(value: Decimal) -> str:
    return format(value.normalize(), "f") if value else "0"
