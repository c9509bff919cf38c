"""Calendar feeds over HTTP, for calendar programs, which send no credentials but the address."""

from backbench.actions.connections import calendars
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.connections.icalendar import feed_text
from backbench.http.compression import conditional
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.storage.engine.database import Read

# Addresses of feeds are given out without the prefix of the API.
FEEDS = "/calendars/"
_OPERATION = "/api/calendar-feeds/"


async def feed(db: Read, call: Call, file_name: str, request: Request, services: Services) -> Response:
    """Read a calendar feed."""
    content = await calendars.find_content(db, call, file_name)
    text = feed_text(content, services.public_url)
    return conditional(text, request.headers.get(b"if-none-match"), b"text/calendar; charset=utf-8")


def operation_path(path: str) -> str:
    """The path of the operation that the address of a feed stands for."""
    return path.replace(FEEDS, _OPERATION, 1)
