"""Calendar feeds: the iCalendar text of a calendar (RFC 5545), and how it is read."""

import asyncio
import re
from datetime import date, timedelta
from functools import cache
from urllib.parse import urlsplit

from msgspec import Struct

from backbench import __version__
from backbench.connections import calendars
from backbench.connections.calendars import DueOrder, FeedContent, OpenEstimate, shown_name
from backbench.engine.database import Database
from backbench.http.requests import Request
from backbench.http.responses import Response, etag, tagged, unchanged
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.times import Instant, later, of_wall_clock, seconds_between
from backbench.words import words

_MAX_LINE = 75
# A visit without a length is shown as a line that is hard to tap.
_VISIT_SECONDS = 1800
# What no text of iCalendar may contain, and what is no character at all.
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\u2028\u2029\ud800-\udfff]")
_SPECIAL = re.compile(rf"[\\;,\n\t]|{_CONTROLS.pattern}")


class _Event(Struct, frozen=True):
    """`start` and `end` are whole properties. `sequence` never falls: seconds from the creation to the last change."""

    uid: str
    start: str
    end: str
    summary: str
    description: str
    url: str
    created_at: Instant
    changed_at: Instant

    def text(self) -> str:
        """Its lines. Only those with texts and addresses may be long enough to be folded."""
        # Of the change, not of this response: the same feed has the same bytes, and an ETag that tells so.
        changed = _utc_of(self.changed_at)
        sequence = max(0, int(seconds_between(self.created_at, self.changed_at)))
        description = _folded(f"DESCRIPTION:{_text(self.description)}") if self.description else ""
        return (
            f"BEGIN:VEVENT\r\n{_folded(f'UID:{self.uid}')}DTSTAMP:{changed}\r\nLAST-MODIFIED:{changed}\r\n"
            f"SEQUENCE:{sequence}\r\n{self.start}\r\n{self.end}\r\n{_folded(f'SUMMARY:{_text(self.summary)}')}"
            f"{description}{_folded(f'URL:{self.url}')}TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n"
        )


def feed_text(content: FeedContent, public_url: str) -> bytes:
    """The feed in UTF-8, with lines of at most 75 bytes that end in CRLF."""
    calendar = content.calendar
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Backbench//Backbench//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(calendar.name)}",
        f"X-WR-CALNAME:{_text(calendar.name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ]
    orders = [_of_order(order, content, public_url).text() for order in content.orders]
    estimates = [
        _of_estimate(estimate, estimate.valid_until, content, public_url).text()
        for estimate in content.estimates
        if estimate.valid_until is not None
    ]
    return "".join([*map(_folded, lines), *orders, *estimates, "END:VCALENDAR\r\n"]).encode()


def _of_order(order: DueOrder, content: FeedContent, public_url: str) -> _Event:
    start, end = _time_of(order, content.settings.zone)
    summary = _summary(order.title, shown_name(order.customer_name, content.calendar.names))
    return _Event(
        uid=_uid(order.id, public_url),
        start=start,
        end=end,
        summary=f"✓ {summary}" if order.is_done else summary,
        description=words(content.calendar.locale).names.calendar_order.format(order.number),
        url=f"{public_url}/orders/{order.id}",
        created_at=order.created_at,
        changed_at=max(order.changed_at or "", order.last_activity_at),
    )


def _of_estimate(estimate: OpenEstimate, last_day: date, content: FeedContent, public_url: str) -> _Event:
    start, end = _whole_day(last_day)
    summary = _summary(estimate.title, shown_name(estimate.recipient_name, content.calendar.names))
    return _Event(
        uid=_uid(estimate.id, public_url),
        start=start,
        end=end,
        summary=words(content.calendar.locale).names.calendar_expires.format(summary),
        description="",
        url=f"{public_url}/estimates/{estimate.id}",
        created_at=estimate.created_at,
        changed_at=max(estimate.updated_at, estimate.confirmed_at),
    )


def _whole_day(day: date) -> tuple[str, str]:
    """The end of an event is exclusive: that of a whole day is the next day."""
    first, next_ = day.isoformat(), (day + timedelta(days=1)).isoformat()
    return f"DTSTART;VALUE=DATE:{first.replace('-', '')}", f"DTEND;VALUE=DATE:{next_.replace('-', '')}"


def _time_of(order: DueOrder, zone: str) -> tuple[str, str]:
    """A time of day in UTC, so that no calendar program has to know the time zone."""
    day = date.fromisoformat(order.due_on)
    if order.due_time is None:
        return _whole_day(day)
    start = of_wall_clock(day, order.due_time, zone)
    return f"DTSTART:{_utc_of(start)}", f"DTEND:{_utc_of(later(start, _VISIT_SECONDS))}"


def _summary(title: str, name: str) -> str:
    return f"{title} · {name}" if name else title


def _uid(id_: str, public_url: str) -> str:
    """The same for ever, also in other feeds: a program that has two of them shows the event once."""
    return f"{id_}@{_host(public_url)}"


@cache
def _host(public_url: str) -> str:
    return urlsplit(public_url).hostname or "backbench"


def _utc_of(instant: Instant) -> str:
    """Its text without the marks and the milliseconds."""
    return f"{instant[:4]}{instant[5:7]}{instant[8:13]}{instant[14:16]}{instant[17:19]}Z"


def _text(text: str) -> str:
    """A value of type TEXT (RFC 5545, 3.3.11)."""
    if _SPECIAL.search(text) is None:
        return text
    one_kind = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " "))
    escaped = one_kind.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escaped.replace("\n", "\\n")


def _folded(line: str) -> str:
    """The content line, folded where it is longer than 75 bytes in UTF-8, never within a character."""
    if len(line) <= _MAX_LINE and line.isascii():
        return line + "\r\n"
    rest, pieces = line.encode(), []
    while len(rest) > _MAX_LINE:
        end = _MAX_LINE
        # Back to the first byte of a character.
        while rest[end] & 0xC0 == 0x80:
            end -= 1
        pieces.append(rest[:end])
        # The space that begins a continuation counts.
        rest = b" " + rest[end:]
    return b"\r\n".join([*pieces, rest]).decode() + "\r\n"


# Over HTTP


# Addresses of feeds are given out without the prefix of the API.
FEEDS = "/calendars/"
_OPERATION = "/api/calendar-feeds/"


async def feed(db: Database, call: Call, file_name: str, request: Request, services: Services) -> Response:
    """Read a calendar feed."""
    found = await calendars.find_feed(db, call, file_name)
    # Known before anything is made: most reads find the feed as it was.
    tag = etag(f"{__version__} {services.public_url} {found.state}".encode())
    known = request.headers.get(b"if-none-match")
    if known is not None and (response := unchanged(tag, known)) is not None:
        return response
    async with db.read() as read:
        content = await calendars.find_content(read, found)
    text = await asyncio.to_thread(feed_text, content, services.public_url)
    return tagged(text, tag, b"text/calendar; charset=utf-8")


def operation_path(path: str) -> str:
    """The path of the operation that the address of a feed stands for."""
    return path.replace(FEEDS, _OPERATION, 1)
