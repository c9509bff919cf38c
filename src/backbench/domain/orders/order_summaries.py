"""Order summaries: what the board by date shows of each order."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.balances import AmountDue
from backbench.domain.orders.due import Due
from backbench.domain.orders.order_details import NO_ITEM, Facts, OrderDetails, OrderItem
from backbench.domain.orders.stages import OrderStage
from backbench.domain.orders.stored_money import StoredMoney
from backbench.domain.orders.stored_orders import LinkedEstimate, OrderState, order_details
from backbench.domain.values.money import plain
from backbench.domain.values.numbers import Number
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.scalars import END
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import OrderStatus

# An address with so many is accepted by every proxy.
MOST_IDS = 100
_ID = "[0-9a-f-]{36}"


class AgreedPrice(Struct, frozen=True, rename="camel"):
    """The revision that the client accepted, else the latest one, in the money it was confirmed in."""

    estimate_id: str
    revision_number: int
    currency: str
    total: Number
    accepted: bool


class OrderSummary(OrderDetails, frozen=True, rename="camel", kw_only=True):
    """The details without the condition and serial number of the item, and what a ticket shows besides."""

    title: str
    customer_name: str
    status: OrderStatus
    last_activity_at: Instant
    photos: int
    cover_photo_id: str | UnsetType = UNSET
    agreed: AgreedPrice | UnsetType = UNSET
    due: AmountDue | UnsetType = UNSET

    def shown_to(self, caller: Caller) -> "OrderSummary":
        """Without the amounts that the scopes of a key do not open."""
        if caller.may("payments:read"):
            return self
        agreed = self.agreed if caller.may("estimates:read") else UNSET
        return structs.replace(self, agreed=agreed, due=UNSET)


class OrderSummariesList(Struct, frozen=True):
    summaries: list[OrderSummary]


Ids = Annotated[
    str,
    Meta(
        pattern=f"^{_ID}(,{_ID}){{0,{MOST_IDS - 1}}}" + END,
        extra={"detail": f"Expected up to {MOST_IDS} ids with commas between them"},
    ),
]


class OrderSummaryFilter(PageQuery, frozen=True, rename="camel"):
    due: Due | None = None
    status: OrderStatus | None = None
    stage: OrderStage | None = None
    assigned_to: Annotated[str, Meta(max_length=100)] | None = None
    customer_id: Annotated[str, Meta(max_length=100)] | None = None
    place: Annotated[str, Meta(max_length=50)] | None = None
    collected: Literal["true", "false"] | None = None
    owed: Literal["true"] | None = None
    ids: Ids | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None


class OrderCounts(Struct, frozen=True):
    """`open` orders are neither ready nor collected; `overdue`, `today` and `week` are among them."""

    open: int
    overdue: int
    today: int
    week: int
    waiting: int
    ready: int


class PhotosOfOrder(Struct, frozen=True):
    """How many photos an order has, and the first of them."""

    photos: int
    cover_photo_id: str | UnsetType


def order_summary(
    order: OrderState,
    facts: Facts,
    estimate: LinkedEstimate | None,
    photos: PhotosOfOrder,
    money: StoredMoney,
    settings: DocumentSettings,
) -> OrderSummary:
    details = order_details(order, facts, estimate, settings)
    return OrderSummary(
        **structs.asdict(structs.replace(details, item=_item_of_board(details.item))),
        title=order.title,
        customer_name=order.customer_name,
        status=order.status,
        last_activity_at=order.last_activity_at,
        photos=photos.photos,
        cover_photo_id=photos.cover_photo_id,
        agreed=_agreed(money, estimate, settings),
        due=money.of_order(settings).due() or UNSET,
    )


def _agreed(money: StoredMoney, estimate: LinkedEstimate | None, settings: DocumentSettings) -> AgreedPrice | UnsetType:
    if money.revision is None or estimate is None:
        return UNSET
    price = money.revision.price(settings)
    accepted = money.revision.accepted
    return AgreedPrice(estimate.id, money.revision.revision_number, price.currency, plain(price.amount), accepted)


def _item_of_board(item: OrderItem | UnsetType) -> OrderItem | UnsetType:
    if item is UNSET:
        return UNSET
    shown = OrderItem(description=item.description, pieces=item.pieces)
    return UNSET if shown == NO_ITEM else shown
