"""Orders: the jobs on a workshop's board, each with its status history."""

from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.scalars import NO_CONTROL, ONE_LINE
from backbench.domain.values.times import Instant

OrderStatus = Literal["todo", "in_progress", "done"]
Title = Annotated[str, Meta(min_length=1, max_length=250, pattern=NO_CONTROL, extra=ONE_LINE)]
CustomerName = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE)]
Notes = Annotated[str, Meta(max_length=5000)]


# The first entry and the latest ones are stored; a job has a dozen, and every read of the order takes them all.
MAX_STATUS_CHANGES = 1000


class StatusChange(Struct, frozen=True):
    status: OrderStatus
    at: Instant


class Order(Struct, frozen=True, rename="camel"):
    id: str
    workshop_id: str
    title: str
    customer_name: str
    notes: str
    status: OrderStatus
    created_at: Instant
    last_activity_at: Instant
    status_history: list[StatusChange]


def bounded(history: list[StatusChange]) -> list[StatusChange]:
    """The first status change and the latest ones, at most MAX_STATUS_CHANGES."""
    first, later = history[:1], history[1:]
    return first + later[-(MAX_STATUS_CHANGES - 1) :]


class OrderResponse(Struct, frozen=True):
    order: Order


class OrdersList(Struct, frozen=True):
    orders: list[Order]


class NewOrder(Struct, frozen=True, rename="camel"):
    """Unknown fields are ignored."""

    title: Title
    customer_name: CustomerName = ""

    def to_order(self, workshop_id: str, order_id: str, at: Instant) -> Order:
        """The new order: status `todo`, without notes."""
        return Order(
            id=order_id,
            workshop_id=workshop_id,
            title=self.title,
            customer_name=self.customer_name,
            notes="",
            status="todo",
            created_at=at,
            last_activity_at=at,
            status_history=[StatusChange("todo", at)],
        )


AnyOrder = TypeVar("AnyOrder", bound=Order)


class OrderEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    title: Title | UnsetType = UNSET
    customer_name: CustomerName | UnsetType = UNSET
    notes: Notes | UnsetType = UNSET

    at_least_one = True

    def apply(self, order: AnyOrder) -> AnyOrder:
        """The order with the members that were sent."""
        return structs.replace(
            order, **{name: value for name, value in structs.asdict(self).items() if value is not UNSET}
        )


class OrderMove(Struct, frozen=True, forbid_unknown_fields=True):
    status: OrderStatus


class OrderFilter(PageQuery, frozen=True):
    """The filter of a list of orders. Without any parameter the list is complete."""

    status: OrderStatus | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None

    @property
    def is_everything(self) -> bool:
        return self.limit is None and self.cursor is None and self.status is None and not self.q
