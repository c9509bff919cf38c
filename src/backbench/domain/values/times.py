"""Moments as the service stores and shows them: ISO 8601 text in UTC with milliseconds and `Z`.

Text of one width sorts like the moments it names, on both engines and in every log.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Annotated

from msgspec import Meta

Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]

# The text of the second last asked for: under load thousands of requests share one. One tuple, so that a thread
# never sees the number of one second with the text of another.
_second: tuple[int, str] = (-1, "")


def now() -> Instant:
    """The present moment. Only the edges (api, cli, outside) read the clock; the rest is handed it."""
    return from_nanoseconds(time.time_ns())


def from_nanoseconds(ns: int) -> Instant:
    """The moment `ns` nanoseconds after 1970, cut to milliseconds."""
    global _second
    second, rest = divmod(ns, 1_000_000_000)
    known, text = _second
    if second != known:
        text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        _second = (second, text)
    return f"{text}.{rest // 1_000_000:03d}Z"


def parse(instant: Instant) -> datetime:
    return datetime.fromisoformat(instant)


def from_datetime(moment: datetime) -> Instant:
    """`moment` must know its zone."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later(instant: Instant, seconds: float) -> Instant:
    """`instant` moved by `seconds`, which may be negative."""
    return from_datetime(parse(instant) + timedelta(seconds=seconds))


def seconds_between(earlier: Instant, after: Instant) -> float:
    return (parse(after) - parse(earlier)).total_seconds()
