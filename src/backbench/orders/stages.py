"""Stages of orders: what the status, its history and the details of an order say together about the work."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from backbench.orders.orders import OrderStatus, StatusChange
from backbench.values.times import Instant, parse

OrderStage = Literal["received", "waiting", "in_progress", "ready", "collected"]


def stage(status: OrderStatus, *, is_waiting: bool, is_collected: bool) -> OrderStage:
    if status == "done":
        return "collected" if is_collected else "ready"
    if is_waiting:
        return "waiting"
    return "received" if status == "todo" else "in_progress"


def status_since(history: Sequence[StatusChange]) -> Instant:
    """When the order got its present status: the first of the moves to it since it had another one."""
    began = history[-1]
    for change in reversed(history):
        if change.status != began.status:
            break
        began = change
    return began.at


def open_since(history: Sequence[StatusChange]) -> Instant:
    """When an order that is not done was created, or moved from `done`."""
    began = history[-1].at
    for change in reversed(history):
        if change.status == "done":
            break
        began = change.at
    return began


def stage_since(
    present: OrderStage,
    history: Sequence[StatusChange],
    waiting_since: Instant | None,
    collected_at: Instant | None,
) -> Instant:
    """When the present stage began."""
    if present == "collected" and collected_at is not None:
        return collected_at
    if present == "waiting" and waiting_since is not None:
        return max(waiting_since, open_since(history))
    return status_since(history)


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
