"""Calendars: feeds that a calendar program subscribes to, with the days on which orders and estimates are due."""

from datetime import date, timedelta
from typing import Literal, Self

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.accounts import api_keys
from backbench.accounts.rate_limits import Counter, count_all
from backbench.accounts.sessions import digest
from backbench.engine.database import Database, Read, Write
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.summaries import Validity
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import UserLocale
from backbench.values.errors import Conflict, NotFound
from backbench.values.limits import Limit
from backbench.values.numbers import to_json_text
from backbench.values.scalars import Name
from backbench.values.times import Instant
from backbench.workshops.members import MemberRole

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


class CalendarWithSecret(Struct, frozen=True):
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
    """An order with a day. `changed_at`: when its details or texts changed last; None where that is not known."""

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
    """A confirmed estimate that nobody has decided about. `valid_until` is the last day of its validity.

    `updated_at`: its name and recipient are those of now, not of the revision.
    """

    id: str
    title: str
    recipient_name: str | None
    created_at: Instant
    updated_at: Instant
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


# Statements


_WITH_LOCALE = """
    SELECT c.id, c.workshop_id, c.name, c.shows AS show, c.names, a.locale, v.version, v.history
    FROM calendars c JOIN accounts a ON a.id = c.account_id JOIN workshop_counters v ON v.workshop_id = c.workshop_id
    WHERE c.secret_hash = :secret_hash AND a.status = 'active'
"""
_ORDERS = """
    SELECT o.id, d.number, o.title, o.customer_name, CASE WHEN o.status = 'done' THEN 1 ELSE 0 END AS is_done,
        d.due_on, d.due_time, o.created_at, o.last_activity_at, d.changed_at
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id AND d.due_on >= :first AND d.due_on <= :last
    ORDER BY d.due_on, d.number LIMIT :most
"""
# A client who declined is asked again with the next revision.
_ESTIMATES = """
    SELECT e.id, e.name AS title, e.recipient_name, e.created_at, e.updated_at, r.created_at AS confirmed_at, r.snapshot
    FROM estimates e JOIN revisions r ON r.estimate_id = e.id AND r.revision_number = e.latest_revision
    WHERE e.workshop_id = :workshop_id AND NOT EXISTS (
        SELECT 1 FROM decisions a WHERE a.estimate_id = e.id AND a.voided_at IS NULL
            AND (a.outcome = 'accepted' OR a.revision_number >= e.latest_revision)
    )
        AND (r.valid_until IS NULL OR (r.valid_until >= :first AND r.valid_until <= :last))
    ORDER BY e.id LIMIT :most
"""


async def add(db: Write, new: Calendar, workshop_id: str, uid: str, secret: str) -> None:
    await db.add(
        "calendars",
        id=new.id,
        workshop_id=workshop_id,
        account_id=uid,
        name=new.name,
        shows=new.show,
        names=new.names,
        secret_hash=digest(secret),
        created_at=new.created_at,
    )


async def list_stored(db: Read, workshop_id: str, uid: str, *, of_others: bool) -> list[Calendar]:
    """The feeds that the account has made, oldest first; with `of_others` every feed of the workshop."""
    sql = """
        SELECT c.id, c.name, c.shows AS show, c.names, c.created_at,
            CASE WHEN c.account_id = :uid THEN NULL ELSE a.name END AS by
        FROM calendars c JOIN accounts a ON a.id = c.account_id
        WHERE c.workshop_id = :workshop_id AND (c.account_id = :uid OR :of_others = 1) ORDER BY c.id
    """
    return await db.all(Calendar, sql, workshop_id=workshop_id, uid=uid, of_others=int(of_others))


async def delete_row(db: Write, calendar_id: str, uid: str) -> None:
    """Raises NotFound, also for a feed of another account, unless this one owns the workshop."""
    sql = """
        DELETE FROM calendars WHERE id = :id AND (account_id = :uid OR EXISTS (
            SELECT 1 FROM members m
            WHERE m.workshop_id = calendars.workshop_id AND m.account_id = :uid AND m.role = 'owner'
        ))
    """
    if await db.run(sql, id=calendar_id, uid=uid) == 0:
        raise NotFound


async def find_by_token(db: Read, token: str) -> StoredCalendar:
    """Raises NotFound."""
    found = await db.one(StoredCalendar, _WITH_LOCALE, secret_hash=digest(token))
    if found is None:
        raise NotFound
    return found


async def list_due_orders(db: Read, workshop_id: str, span: Span, most: int) -> list[DueOrder]:
    """Those that are due first."""
    return await db.all(DueOrder, _ORDERS, workshop_id=workshop_id, most=most, **_days(span))


async def list_open_estimates(db: Read, workshop_id: str, span: Span, most: int) -> list[OpenEstimate]:
    """Those that are valid until a day of the span, and those without a validity."""
    return await db.all(OpenEstimate, _ESTIMATES, workshop_id=workshop_id, most=most, **_days(span))


def _days(span: Span) -> dict[str, str]:
    return {"first": span.first.isoformat(), "last": span.last.isoformat()}


# Verbs


async def list_all(db: Read, call: Call, workshop_id: str, role: MemberRole) -> CalendarsList:
    """List the calendar feeds of a workshop: to its owners every one, to others those that they have made."""
    return CalendarsList(await list_stored(db, workshop_id, call.uid, of_others=role == "owner"))


async def create(db: Write, call: Call, workshop_id: str, body: NewCalendar, services: Services) -> CalendarWithSecret:
    """Make a calendar feed. Its address is in this response and nowhere else.

    Raises Conflict `plan_limit` where the account has 20 in this workshop.
    """
    await db.lock(f"calendars of {call.uid}")
    count = len(await list_stored(db, workshop_id, call.uid, of_others=False))
    if count >= MAX_CALENDARS:
        detail = f"A member can have at most {MAX_CALENDARS} calendars; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_CALENDARS, current=count)
    calendar = Calendar(call.new_id(), body.name, body.show, body.names, call.now)
    token = new_token()
    await add(db, calendar, workshop_id, call.uid, token)
    return CalendarWithSecret(calendar, feed_url(services.public_url, token))


async def delete(db: Write, call: Call, calendar_id: str) -> None:
    """Delete a calendar feed; its address answers 404 from then on. Owners delete every feed of the workshop.

    Raises NotFound.
    """
    await delete_row(db, calendar_id, call.uid)


async def find_feed(db: Database, call: Call, file_name: str) -> Feed:
    """The feed with this address. Raises NotFound for a wrong one, RateLimited for one that is read too often."""
    token = token_of(file_name)
    if token is None:
        raise NotFound
    async with db.read() as read:
        calendar = await find_by_token(read, token)
        settings = await document_settings.find(read, calendar.workshop_id)
    await count_all(db, call, [Counter(f"feed {calendar.id}", FEED_LIMIT, "feed")])
    return Feed(calendar, settings, Span.around(settings.today(call.now)))


async def find_content(db: Read, feed: Feed) -> FeedContent:
    """What a feed shows now: at most 2,000 events, orders before estimates."""
    calendar, workshop_id = feed.calendar, feed.calendar.workshop_id
    orders: list[DueOrder] = []
    if calendar.show != "estimates":
        orders = await list_due_orders(db, workshop_id, feed.span, MOST_EVENTS)
    estimates: list[OpenEstimate] = []
    if calendar.show != "due":
        estimates = await list_open_estimates(db, workshop_id, feed.span, MOST_EVENTS - len(orders))
    shown = [each for each in estimates if feed.span.includes(each.valid_until)]
    return FeedContent(calendar, feed.settings, orders, shown)
