"""Calendar feeds: list, make, delete and read them. Each belongs to the member who made it, and ends when it leaves."""

from backbench.actions.authorization import member_of
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.connections.calendars import (
    MAX_CALENDARS,
    AddedCalendar,
    Calendar,
    CalendarsList,
    FeedContent,
    NewCalendar,
    Span,
    feed_url,
    new_token,
    token_of,
)
from backbench.domain.values.errors import Conflict, NotFound
from backbench.storage.connections import calendars
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings


async def list_all(db: Read, call: Call, workshop_id: str) -> CalendarsList:
    """List the calendar feeds of a workshop that the signed-in account has made."""
    await member_of(db, call, workshop_id)
    return CalendarsList(await calendars.list_all(db, workshop_id, call.uid))


async def create(db: Write, call: Call, workshop_id: str, body: NewCalendar, services: Services) -> AddedCalendar:
    """Make a calendar feed. Its address is in this response and nowhere else.

    Raises Conflict `plan_limit` where the account has 20 in this workshop.
    """
    await member_of(db, call, workshop_id)
    await db.lock(f"calendars of {call.uid}")
    count = len(await calendars.list_all(db, workshop_id, call.uid))
    if count >= MAX_CALENDARS:
        detail = f"A member can have at most {MAX_CALENDARS} calendars; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_CALENDARS, current=count)
    calendar = Calendar(call.new_id(), body.name, body.show, body.names, call.now)
    token = new_token()
    await calendars.add(db, calendar, workshop_id, call.uid, token)
    return AddedCalendar(calendar, feed_url(services.public_url, token))


async def delete(db: Write, call: Call, calendar_id: str) -> None:
    """Delete a calendar feed; its address answers 404 from then on. Raises NotFound."""
    await calendars.delete(db, calendar_id, call.uid)


async def find_content(db: Read, call: Call, file_name: str) -> FeedContent:
    """What a feed shows now. Raises NotFound for a wrong address."""
    token = token_of(file_name)
    if token is None:
        raise NotFound
    calendar = await calendars.find_by_token(db, token)
    settings = await document_settings.find(db, calendar.workshop_id)
    span = Span.around(settings.today(call.now))
    orders = [] if calendar.show == "estimates" else await calendars.list_due_orders(db, calendar.workshop_id, span)
    estimates = [] if calendar.show == "due" else await calendars.list_open_estimates(db, calendar.workshop_id)
    return FeedContent(calendar, settings, orders, [each for each in estimates if span.includes(each.valid_until)])
