"""The words a command is given, held against the same rules as the API's bodies."""

from typing import Any
from uuid import UUID

from backbench.commands.output import Failure
from backbench.domain.accounts.passwords import is_common
from backbench.domain.values import times
from backbench.domain.values.scalars import AccountName, Email, Name
from backbench.domain.values.times import Instant
from backbench.http.validation import check_for


def email(text: str) -> str:
    return _checked(Email, text, "is not an e-mail address")


def account_name(text: str) -> str:
    return _checked(AccountName, text, "is not a name: 1 to 100 letters, digits, spaces and ' ’ . , - &")


def name(text: str) -> str:
    return _checked(Name, text, "is not a name: 1 to 250 characters, none of them a control character")


def password(text: str, address: str) -> None:
    """Says what is wrong without saying the password. `address` is the account's own, which everybody would try."""
    if not 8 <= len(text) <= 256:
        raise Failure("a password has 8 to 256 characters")
    if is_common(text) or text.casefold() == address.casefold():
        raise Failure("this password is too easy to guess: it is among the first that are tried")


def identifier(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise Failure(f"{_shown(text)} is not an id; ids look like 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27") from None


def moment(text: str) -> Instant:
    """A moment without a zone is meant in this machine's."""
    try:
        parsed = times.parse(text)
        return times.from_datetime(parsed if parsed.tzinfo else parsed.astimezone())
    except (ValueError, OverflowError):
        raise Failure(f"{_shown(text)} is not a time in ISO 8601, such as 2027-01-31T12:00:00Z") from None


def _checked(type_: Any, text: str, complaint: str) -> str:
    if not text.isprintable() or next(check_for(type_)(text, ""), None) is not None:
        raise Failure(f"{_shown(text)} {complaint}")
    return text


def _shown(text: str) -> str:
    """`text` on one line, quoted, whatever bytes it came from."""
    return ascii(text) if not text.isprintable() else f"'{text}'"
