"""Sources of the inbox: from which facts about estimates and orders its items follow."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

from msgspec import UNSET, Struct

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.summaries import EstimateState, Validity
from backbench.domain.operations.inbox import InboxItem, item_id
from backbench.domain.orders.due import WallClock, wall_clock
from backbench.domain.orders.payments import of_thousandths
from backbench.domain.orders.stages import status_since
from backbench.domain.orders.stored_orders import LinkedEstimate
from backbench.domain.values.currencies import minor_digits
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.numbers import Number, to_json_text
from backbench.domain.values.times import Instant, later, of_wall_clock
from backbench.domain.workshops.orders import OrderStatus, StatusChange

EstimateReminder = Literal["unsent", "changed", "unanswered", "expiring"]
OrderReminder = Literal["overdue", "due_today", "uncollected"]
_DAY = 24 * 3600
_UNANSWERED = 7 * _DAY
_UNCOLLECTED = 14 * _DAY
_EXPIRING = timedelta(3)
_ONE_DAY = timedelta(1)
_SIGNS = str.maketrans("", "", "-:T")


class InboxClock(Struct, frozen=True):
    """What the calendar and the clock on the wall of the workshop show.

    What was sent until `unanswered_from` is unanswered, what was ready until `uncollected_from` is uncollected.
    """

    wall: WallClock
    zone: str
    unanswered_from: Instant
    uncollected_from: Instant

    @classmethod
    def of(cls, now: Instant, settings: DocumentSettings) -> "InboxClock":
        wall = wall_clock(now, settings.zone)
        return cls(wall, settings.zone, later(now, -_UNANSWERED), later(now, -_UNCOLLECTED))

    @property
    def today(self) -> str:
        return self.wall.today.isoformat()

    def start_of(self, day: date) -> Instant:
        return of_wall_clock(day, "00:00", self.zone)


class OpenQuestion(Struct, frozen=True):
    """The last entry of a conversation about an estimate or an order, where it is not the workshop's."""

    id: str
    at: Instant
    name: str
    text: str
    title: str
    estimate_id: str | None
    order_id: str | None

    def items(self, _: InboxClock) -> Iterator[InboxItem]:
        yield InboxItem(
            id=item_id("question", self.id),
            kind="question",
            at=self.at,
            title=self.title,
            name=self.name,
            text=self.text,
            estimate_id=self.estimate_id or UNSET,
            order_id=self.order_id or UNSET,
        )


class StandingDecision(Struct, frozen=True):
    id: str
    recorded_at: Instant
    outcome: DecisionOutcome
    name: str | None
    reason: str | None
    estimate_id: str
    title: str

    def items(self, _: InboxClock) -> Iterator[InboxItem]:
        yield InboxItem(
            id=item_id(self.outcome, self.id),
            kind=self.outcome,
            at=self.recorded_at,
            title=self.title,
            name=self.name or UNSET,
            text=self.reason or UNSET,
            estimate_id=self.estimate_id,
        )


class UndecidedEstimate(Struct, frozen=True):
    """An estimate whose latest revision nobody has decided about. `shared_at`: of links that are not revoked."""

    id: str
    title: str
    recipient_name: str | None
    state: EstimateState
    updated_at: Instant
    revision_number: int
    confirmed_at: Instant
    snapshot: Validity | None
    handed_off_at: Instant | None
    shared_at: Instant | None

    @property
    def sent_at(self) -> Instant | None:
        """When the latest revision was sent last. A link may be older than the revision that it shows."""
        sent = max(self.handed_off_at or "", self.shared_at or "")
        return max(sent, self.confirmed_at) if sent else None

    def items(self, clock: InboxClock) -> Iterator[InboxItem]:
        number = str(self.revision_number)
        sent_at = self.sent_at
        if self.state == "changed":
            yield self._item("changed", self.updated_at, number)
        elif sent_at is None:
            yield self._item("unsent", self.confirmed_at, number)
        if sent_at is not None and sent_at <= clock.unanswered_from:
            yield self._item("unanswered", later(sent_at, _UNANSWERED), f"{number}-{_digits(sent_at)}")
        last = self.snapshot and self.snapshot.valid_until
        if last and timedelta(0) <= last - clock.wall.today <= _EXPIRING:
            since = clock.start_of(last - _EXPIRING)
            yield self._item("expiring", max(since, self.confirmed_at), f"{number}-{last:%Y%m%d}")

    def _item(self, kind: EstimateReminder, at: Instant, matter: str) -> InboxItem:
        return InboxItem(
            id=item_id(kind, self.id, matter),
            kind=kind,
            at=at,
            title=self.title,
            name=self.recipient_name or UNSET,
            estimate_id=self.id,
        )


class TimedOrder(Struct, frozen=True):
    """An order that is done and was not collected, or that is open and due. The history of an open one is empty."""

    id: str
    title: str
    customer_name: str
    status: OrderStatus
    status_history: list[StatusChange]
    due_on: str | None
    due_time: str | None

    def items(self, clock: InboxClock) -> Iterator[InboxItem]:
        if self.status == "done":
            ready_at = status_since(self.status_history)
            if ready_at <= clock.uncollected_from:
                yield self._item("uncollected", later(ready_at, _UNCOLLECTED), _digits(ready_at))
        elif self.due_on is not None:
            day, matter = date.fromisoformat(self.due_on), f"{self.due_on}{self.due_time or ''}".translate(_SIGNS)
            # A time of the day is earlier than none.
            if (self.due_on, self.due_time or "~") > (clock.today, clock.wall.time):
                yield self._item("due_today", clock.start_of(day), matter)
            elif self.due_time is None:
                yield self._item("overdue", clock.start_of(day + _ONE_DAY), matter)
            else:
                yield self._item("overdue", of_wall_clock(day, self.due_time, clock.zone), matter)

    def _item(self, kind: OrderReminder, at: Instant, matter: str) -> InboxItem:
        return InboxItem(
            id=item_id(kind, self.id, matter),
            kind=kind,
            at=at,
            title=self.title,
            name=self.customer_name or UNSET,
            order_id=self.id,
        )


class LimitedOrder(Struct, frozen=True):
    """An order with a price limit, and when its estimate was changed."""

    id: str
    title: str
    customer_name: str
    price_limit: Number
    updated_at: Instant

    def item(self, estimate: LinkedEstimate, settings: DocumentSettings) -> InboxItem | None:
        """None while the total of the estimate, as it stands, is within the limit."""
        if estimate.total(settings) <= self.price_limit:
            return None
        return InboxItem(
            id=item_id("over_limit", self.id, to_json_text(self.price_limit)),
            kind="over_limit",
            at=self.updated_at,
            title=self.title,
            name=self.customer_name or UNSET,
            estimate_id=estimate.id,
            order_id=self.id,
        )


class OwedOrder(Struct, frozen=True):
    """A collected order for which something is due."""

    id: str
    title: str
    customer_name: str
    collected_at: Instant
    thousandths: int
    currency: str

    def items(self, _: InboxClock) -> Iterator[InboxItem]:
        """Another amount is another matter: a part was paid, or the price has changed."""
        amount = of_thousandths(self.thousandths)
        yield InboxItem(
            id=item_id("owed", self.id, str(self.thousandths)),
            kind="owed",
            at=self.collected_at,
            title=self.title,
            name=self.customer_name or UNSET,
            text=f"{amount:.{minor_digits(self.currency)}f} {self.currency}",
            order_id=self.id,
        )


def _digits(at: Instant) -> str:
    """Year to second, for an id, which has little space."""
    return at[2:19].translate(_SIGNS)
