"""Due dates: where an order stands on the board by date, by the calendar and the clock on the wall of the workshop."""

from datetime import date, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from backbench.domain.values.times import Instant, parse

Due = Literal["overdue", "today", "week", "later", "none"]
_WEEK_DAYS = 7


class WallClock(Struct, frozen=True):
    """The date and the time of day (HH:MM) in the time zone of a workshop."""

    today: date
    time: str

    @property
    def week_ends(self) -> date:
        """The last of the seven days after today."""
        return self.today + timedelta(_WEEK_DAYS)


def wall_clock(now: Instant, time_zone: str) -> WallClock:
    local = parse(now).astimezone(ZoneInfo(time_zone))
    return WallClock(local.date(), local.strftime("%H:%M"))
