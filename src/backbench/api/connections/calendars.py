"""Calendar feeds over HTTP, for calendar programs, which send no credentials but the address."""

import asyncio

from backbench import __version__
from backbench.actions.connections import calendars
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.connections.icalendar import feed_text
from backbench.http.compression import tagged, unchanged
from backbench.http.requests import Request
from backbench.http.responses import Response, etag
from backbench.storage.engine.database import Database

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
