"""Client orders: what the status page tells the customer of an order, and nothing else."""

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.order_details import NO_ITEM, Facts, OrderItem
from backbench.domain.orders.order_questions import OrderQuestion
from backbench.domain.orders.stages import OrderStage, stage_since
from backbench.domain.orders.stored_orders import OrderState, stage_of
from backbench.domain.sharing.links import LinkState
from backbench.domain.sharing.payment_requests import PaymentRequest
from backbench.domain.values.enums import TitleFont
from backbench.domain.values.numbers import Number
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import Background, StoredWorkshop, WorkshopCustomBackground


class ClientWorkshop(Struct, frozen=True, rename="camel"):
    """The sign of the workshop, and how to reach it."""

    name: str
    tagline: str
    logo: str
    background: Background
    title_font: TitleFont
    custom_background: WorkshopCustomBackground | UnsetType = UNSET
    accent_color: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    address: str | UnsetType = UNSET
    opening_hours: str | UnsetType = UNSET


class ClientItem(Struct, frozen=True, omit_defaults=True):
    description: str | UnsetType = UNSET
    pieces: int | UnsetType = UNSET


class ClientPhoto(Struct, frozen=True, rename="camel", omit_defaults=True):
    id: str
    kind: str
    taken_at: Instant
    caption: str | UnsetType = UNSET


class ClientPrice(Struct, frozen=True):
    """The revision that the newest link of the estimate shows, with the state of that link."""

    total: Number
    currency: str
    state: LinkState
    number: str | UnsetType = UNSET


class ClientOrder(Struct, frozen=True, rename="camel", kw_only=True):
    """Never: notes, condition, serial number, limit, place, assignee, the customer's name and phone, other orders."""

    workshop: ClientWorkshop
    number: int
    title: str
    stage: OrderStage
    since: Instant
    photos: list[ClientPhoto]
    questions: list[OrderQuestion]
    item: ClientItem | UnsetType = UNSET
    due_on: str | UnsetType = UNSET
    due_time: str | UnsetType = UNSET
    ready_at: Instant | UnsetType = UNSET
    collected_at: Instant | UnsetType = UNSET
    estimate: ClientPrice | UnsetType = UNSET
    payment: PaymentRequest | UnsetType = UNSET


class ClientMoney(Struct, frozen=True):
    """What the customer sees of prices. `payment` is None where no price is agreed that the customer knows."""

    estimate: ClientPrice | None
    payment: PaymentRequest | None


def client_workshop(workshop: StoredWorkshop, settings: DocumentSettings) -> ClientWorkshop:
    hours = "" if settings.opening_hours is UNSET else settings.opening_hours
    return ClientWorkshop(
        name=workshop.name,
        tagline=workshop.tagline,
        logo=workshop.logo,
        background=workshop.background,
        title_font=workshop.title_font,
        custom_background=workshop.custom_background or UNSET,
        accent_color=workshop.accent_color or UNSET,
        phone=settings.phone or UNSET,
        address=settings.address or UNSET,
        opening_hours=hours or UNSET,
    )


def client_order(
    order: OrderState,
    facts: Facts,
    workshop: ClientWorkshop,
    photos: list[ClientPhoto],
    questions: list[OrderQuestion],
    money: ClientMoney,
) -> ClientOrder:
    stage = stage_of(order, facts)
    collected_at = order.collected_at if order.is_collected else None
    return ClientOrder(
        workshop=workshop,
        number=facts.number,
        title=order.title,
        stage=stage,
        since=stage_since(stage, order.status_history, order.waiting_since, collected_at),
        photos=photos,
        questions=questions,
        item=_item(facts.item),
        due_on=facts.due_on or UNSET,
        due_time=facts.due_time or UNSET,
        ready_at=order.ready_at or UNSET,
        collected_at=collected_at or UNSET,
        estimate=money.estimate or UNSET,
        payment=money.payment or UNSET,
    )


def _item(item: OrderItem | None) -> ClientItem | UnsetType:
    if item is None or OrderItem(description=item.description, pieces=item.pieces) == NO_ITEM:
        return UNSET
    return ClientItem(item.description, item.pieces)
