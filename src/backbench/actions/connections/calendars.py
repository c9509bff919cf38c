"""Calendar feeds: list, make, delete and read them.

Each belongs to the member who made it, and ends when the member leaves; owners see and end every one.
"""

from backbench.actions.rate_limits import Counter, count_all
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.connections.calendars import (
    FEED_LIMIT,
    MAX_CALENDARS,
    MOST_EVENTS,
    AddedCalendar,
    Calendar,
    CalendarsList,
    DueOrder,
    Feed,
    FeedContent,
    NewCalendar,
    OpenEstimate,
    Span,
    feed_url,
    new_token,
    token_of,
)
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.workshops.workshops import MemberRole
from backbench.storage.connections import calendars
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings


async def list_all(db: Read, call: Call, workshop_id: str, role: MemberRole) -> CalendarsList:
    """List the calendar feeds of a workshop: to its owners every one, to others those that they have made."""
    return CalendarsList(await calendars.list_all(db, workshop_id, call.uid, of_others=role == "owner"))


async def create(db: Write, call: Call, workshop_id: str, body: NewCalendar, services: Services) -> AddedCalendar:
    """Make a calendar feed. Its address is in this response and nowhere else.

    Raises Conflict `plan_limit` where the account has 20 in this workshop.
    """
    await db.lock(f"calendars of {call.uid}")
    count = len(await calendars.list_all(db, workshop_id, call.uid, of_others=False))
    if count >= MAX_CALENDARS:
        detail = f"A member can have at most {MAX_CALENDARS} calendars; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_CALENDARS, current=count)
    calendar = Calendar(call.new_id(), body.name, body.show, body.names, call.now)
    token = new_token()
    await calendars.add(db, calendar, workshop_id, call.uid, token)
    return AddedCalendar(calendar, feed_url(services.public_url, token))


async def delete(db: Write, call: Call, calendar_id: str) -> None:
    """Delete a calendar feed; its address answers 404 from then on. Owners delete every feed of the workshop.

    Raises NotFound.
    """
    await calendars.delete(db, calendar_id, call.uid)


async def find_feed(db: Database, call: Call, file_name: str) -> Feed:
    """The feed with this address. Raises NotFound for a wrong one, RateLimited for one that is read too often."""
    token = token_of(file_name)
    if token is None:
        raise NotFound
    async with db.read() as read:
        calendar = await calendars.find_by_token(read, token)
        settings = await document_settings.find(read, calendar.workshop_id)
    await count_all(db, call, [Counter(f"feed {calendar.id}", FEED_LIMIT, "feed")])
    return Feed(calendar, settings, Span.around(settings.today(call.now)))


async def find_content(db: Read, feed: Feed) -> FeedContent:
    """What a feed shows now: at most 2,000 events, orders before estimates."""
    calendar, workshop_id = feed.calendar, feed.calendar.workshop_id
    orders: list[DueOrder] = []
    if calendar.show != "estimates":
        orders = await calendars.list_due_orders(db, workshop_id, feed.span, MOST_EVENTS)
    estimates: list[OpenEstimate] = []
    if calendar.show != "due":
        estimates = await calendars.list_open_estimates(db, workshop_id, feed.span, MOST_EVENTS - len(orders))
    shown = [each for each in estimates if feed.span.includes(each.valid_until)]
    return FeedContent(calendar, feed.settings, orders, shown)
