"""Argument validation: the arguments of commands follow the same rules as request bodies."""

from typing import Any
from uuid import UUID

from backbench.accounts.passwords import is_common
from backbench.commands.output import CommandError
from backbench.http.checks import check_for as validator_of
from backbench.values import times
from backbench.values.scalars import AccountName, Email, Name
from backbench.values.times import Instant


def email(text: str) -> str:
    return _valid(Email, text, "is not an email address")


def account_name(text: str) -> str:
    return _valid(AccountName, text, "is not a name: 1 to 100 letters, digits, spaces and ' ’ . , - &")


def name(text: str) -> str:
    return _valid(Name, text, "is not a name: 1 to 250 characters, no control characters")


def password(text: str, email: str) -> None:
    """Raises CommandError without the password. `email` is the account's own: everybody would try it first."""
    if not 8 <= len(text) <= 256:
        raise CommandError("a password has 8 to 256 characters")
    if is_common(text) or text.casefold() == email.casefold():
        raise CommandError("this password is too easy to guess: it is a common one, or the email address")


def identifier(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise CommandError(f"{_quoted(text)} is not an id, such as 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27") from None


def moment(text: str) -> Instant:
    """A time without an offset is in this machine's time zone."""
    try:
        parsed = times.parse(text)
        return times.from_datetime(parsed if parsed.tzinfo else parsed.astimezone())
    except (ValueError, OverflowError):
        raise CommandError(f"{_quoted(text)} is not a time in ISO 8601, such as 2027-01-31T12:00:00Z") from None


def _valid(type_: Any, text: str, error: str) -> str:
    if not text.isprintable() or next(validator_of(type_)(text, ""), None) is not None:
        raise CommandError(f"{_quoted(text)} {error}")
    return text


def _quoted(text: str) -> str:
    """`text` in quotes on one line, with control characters escaped."""
    return ascii(text) if not text.isprintable() else f"'{text}'"
