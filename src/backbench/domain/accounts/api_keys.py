"""API keys: credentials with which a program acts as an account, within the scopes of the key."""

import secrets
import string
import zlib
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts.sessions import Scope
from backbench.domain.values.scalars import Name
from backbench.domain.values.times import Instant

PREFIX = "bbk_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_DIGIT_VALUES = {digit: value for value, digit in enumerate(_ALPHABET)}
_SECRET_LENGTH = 43
_CHECK_LENGTH = 6
_LENGTH = len(PREFIX) + _SECRET_LENGTH + _CHECK_LENGTH


class ApiKey(Struct, frozen=True, rename="camel", omit_defaults=True):
    """An API key without its secret."""

    id: str
    name: str
    prefix: str
    scopes: list[Scope]
    created_at: Instant
    workshop_id: str | None = None
    last_used_at: Instant | None = None
    expires_at: Instant | None = None
    revoked_at: Instant | None = None


class ApiKeysList(Struct, frozen=True, rename="camel"):
    api_keys: list[ApiKey]


class IssuedApiKey(Struct, frozen=True, rename="camel"):
    """A new API key with its secret, which is returned only once."""

    api_key: ApiKey
    secret: str


class ApiKeyWorkshop(Struct, frozen=True):
    """A workshop in which an API key may act."""

    id: str
    name: str


class CurrentApiKey(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The API key that a request was sent with, and the workshops in which it may act."""

    id: str
    name: str
    scopes: list[Scope]
    workshops: list[ApiKeyWorkshop]
    expires_at: Instant | None = None


class NewApiKey(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=20)]
    expires_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET
    workshop_id: Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType = UNSET


def new_secret(prefix: str = PREFIX) -> str:
    """A new secret: the prefix, 256 random bits, and a checksum that detects a mistyped key without a query."""
    body = "".join(secrets.choice(_ALPHABET) for _ in range(_SECRET_LENGTH))
    return prefix + body + _checksum(prefix + body)


def encode(content: bytes, prefix: str) -> str:
    """A secret of the same form with 32 bytes of content."""
    number, digits = int.from_bytes(content, "big"), []
    for _ in range(_SECRET_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    body = prefix + "".join(reversed(digits))
    return body + _checksum(body)


def decode(secret: str, prefix: str) -> bytes | None:
    """The 32 bytes of content of a secret that `encode` made; None for another text."""
    if not is_well_formed(secret, prefix):
        return None
    number = _number(secret[len(prefix) : -_CHECK_LENGTH])
    return number.to_bytes(32, "big") if 0 <= number < 1 << 256 else None


def is_well_formed(secret: str, prefix: str = PREFIX) -> bool:
    """Whether it is a secret of the kind that has this prefix of four characters."""
    return (
        len(secret) == _LENGTH
        and secret.startswith(prefix)
        and secret.isascii()
        and _number(secret[-_CHECK_LENGTH:]) == zlib.crc32(secret[:-_CHECK_LENGTH].encode())
    )


def display_prefix(secret: str) -> str:
    """The first characters, by which the owner recognizes a key."""
    return secret[:12]


def _number(digits: str) -> int:
    """The number that base62 digits represent; -1 if a character is not a digit."""
    number = 0
    for digit in digits:
        value = _DIGIT_VALUES.get(digit)
        if value is None:
            return -1
        number = number * 62 + value
    return number


def _checksum(text: str) -> str:
    number = zlib.crc32(text.encode())
    digits = []
    for _ in range(_CHECK_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
