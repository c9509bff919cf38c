"""Timestamps: ISO 8601 text in UTC with milliseconds and `Z`, stored and sent in the same form.

Text of one width sorts chronologically, in both database engines and in every log.
"""

import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

# Has no types.
import tzdata  # type: ignore[import-untyped]
from msgspec import Meta

from backbench.values.enums import UserLocale
from backbench.values.scalars import Rule

Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
# The last second that was formatted: under load thousands of requests share one. A tuple, so that a thread never
# reads the number of one second with the text of another.
_second: tuple[int, str] = (-1, "")


def now() -> Instant:
    """The current time. Actions, storage and domain do not read the clock; they get `now` as an argument."""
    second, rest = divmod(time.time_ns(), 1_000_000_000)
    known, text = _second
    return f"{text if second == known else _text_of(second)}.{rest // 1_000_000:03d}Z"


def from_nanoseconds(ns: int) -> Instant:
    """The timestamp `ns` nanoseconds after 1970, truncated to milliseconds."""
    second, rest = divmod(ns, 1_000_000_000)
    return f"{_text_of(second)}.{rest // 1_000_000:03d}Z"


def _text_of(second: int) -> str:
    global _second
    known, text = _second
    if second != known:
        text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        _second = (second, text)
    return text


def parse(instant: Instant) -> datetime:
    return datetime.fromisoformat(instant)


def local_date(instant: Instant, time_zone: str) -> date:
    """The calendar date of `instant` in an IANA time zone. Raises ZoneInfoNotFoundError for an unknown one."""
    return parse(instant).astimezone(ZoneInfo(time_zone)).date()


def local_time(instant: Instant, time_zone: str) -> str:
    """The time of day of `instant` in an IANA time zone, as HH:MM."""
    return parse(instant).astimezone(ZoneInfo(time_zone)).strftime("%H:%M")


def of_wall_clock(day: date, time_of_day: str, time_zone: str) -> Instant:
    """The moment at which a clock in an IANA time zone shows HH:MM on the day."""
    return from_datetime(datetime.fromisoformat(f"{day}T{time_of_day}").replace(tzinfo=ZoneInfo(time_zone)))


def from_datetime(moment: datetime) -> Instant:
    """`moment` must have a time zone."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def given(text: str) -> Instant | None:
    """The moment that a client names, as ISO 8601 with a time zone; None where it names none."""
    try:
        moment = parse(text)
        return from_datetime(moment) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def later(instant: Instant, seconds: float) -> Instant:
    """The timestamp `seconds` after `instant`; negative `seconds` give an earlier one."""
    return from_datetime(parse(instant) + timedelta(seconds=seconds))


def seconds_between(earlier: Instant, after: Instant) -> float:
    return (parse(after) - parse(earlier)).total_seconds()


# By paths: `importlib.resources` takes as long to import as the rest of this module, in every process that renders.
TIME_ZONES = frozenset(Path(tzdata.__file__).with_name("zones").read_text("ascii").split())
TimeZone = Annotated[
    str,
    Rule(
        code="unknown_time_zone",
        detail="Expected a time zone of the IANA database, such as Europe/Warsaw",
        holds=TIME_ZONES.__contains__,
    ),
]
# Where the default currency of the locale is used: PLN and EUR.
_DEFAULTS: dict[UserLocale, str] = {"pl": "Europe/Warsaw", "en": "Europe/Dublin"}


def default_time_zone(locale: UserLocale) -> str:
    return _DEFAULTS[locale]
