"""Calendars: feeds that a calendar program subscribes to, with the days on which orders and estimates are due."""

from datetime import date, timedelta
from typing import Literal, Self

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.domain.accounts import api_keys
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.summaries import Validity
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.limits import Limit
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import Name
from backbench.domain.values.times import Instant

CalendarShow = Literal["due", "estimates", "both"]
CalendarNames = Literal["full", "initials", "none"]
# Of the secrets, which are in the address: a calendar program sends no header.
TOKEN_PREFIX = "bbc_"  # noqa: S105 - the public beginning of every token
# What an account has in a workshop: one for each of its devices and people.
MAX_CALENDARS = 20
# Events of a feed. Calendar programs read all of them again and again.
MOST_EVENTS = 2000
# An address can be in several programs, each of which reads the feed once an hour or less often.
FEED_LIMIT = Limit(60, 3600)
_BEFORE, _AFTER = timedelta(days=30), timedelta(days=366)


class NewCalendar(Struct, frozen=True, forbid_unknown_fields=True):
    """`names`: of customers and clients, as anybody sees them who has the address."""

    name: Name
    show: CalendarShow
    names: CalendarNames


class Calendar(Struct, frozen=True, rename="camel"):
    """`by`: the name of the member who made it, where that is another one."""

    id: str
    name: str
    show: CalendarShow
    names: CalendarNames
    created_at: Instant
    by: str | UnsetType = UNSET


class AddedCalendar(Struct, frozen=True):
    """`url` has the secret, and is in no other response."""

    calendar: Calendar
    url: str


class CalendarsList(Struct, frozen=True):
    calendars: list[Calendar]


class StoredCalendar(Struct, frozen=True):
    """A feed with what its events depend on besides the orders and estimates.

    `version` and `history` are those of the workshop: every change of what is shown gives it another version.
    """

    id: str
    workshop_id: str
    name: str
    show: CalendarShow
    names: CalendarNames
    locale: UserLocale
    version: int
    history: str


class Span(Struct, frozen=True):
    """The days of a feed, the last one included."""

    first: date
    last: date

    @classmethod
    def around(cls, today: date) -> Self:
        return cls(today - _BEFORE, today + _AFTER)

    def includes(self, day: date | None) -> bool:
        return day is not None and self.first <= day <= self.last


class DueOrder(Struct, frozen=True):
    """An order with a day. `changed_at`: when its details changed last; None where that is not known."""

    id: str
    number: int
    title: str
    customer_name: str
    is_done: bool
    due_on: str
    due_time: str | None
    created_at: Instant
    last_activity_at: Instant
    changed_at: Instant | None


class OpenEstimate(Struct, frozen=True):
    """A confirmed estimate that nobody has decided about. `valid_until` is the last day of its validity."""

    id: str
    title: str
    recipient_name: str | None
    created_at: Instant
    confirmed_at: Instant
    snapshot: Validity | None

    @property
    def valid_until(self) -> date | None:
        return None if self.snapshot is None else self.snapshot.valid_until


class Feed(Struct, frozen=True):
    """A feed before its events are read."""

    calendar: StoredCalendar
    settings: DocumentSettings
    span: Span

    @property
    def state(self) -> str:
        """What the bytes of the feed depend on. The same state has the same bytes."""
        return to_json_text([*structs.astuple(self.calendar), self.settings, self.span.first.isoformat()])


class FeedContent(Struct, frozen=True):
    calendar: StoredCalendar
    settings: DocumentSettings
    orders: list[DueOrder]
    estimates: list[OpenEstimate]


def new_token() -> str:
    return api_keys.new_secret(TOKEN_PREFIX)


def token_of(file_name: str) -> str | None:
    """The secret in the last segment of the address; None where it is none."""
    token = file_name.removesuffix(".ics")
    is_one = token != file_name and api_keys.is_well_formed(token, TOKEN_PREFIX)
    return token if is_one else None


def feed_url(public_url: str, token: str) -> str:
    return f"{public_url}/calendars/{token}.ics"


def shown_name(name: str | None, names: CalendarNames) -> str:
    """The customer as the feed may show them; empty for nobody."""
    if not name or names == "none":
        return ""
    return name if names == "full" else " ".join(f"{word[0]}." for word in name.split())
