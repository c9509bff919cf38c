"""Client orders: what the status page tells the customer of an order, and nothing else."""

from msgspec import UNSET, Struct, UnsetType

from backbench.accounts import sessions
from backbench.accounts.sessions import SeparateLookup, digest
from backbench.engine.database import Read
from backbench.estimating import document_settings, revisions
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.revisions import revision_totals
from backbench.orders import order_details, order_questions, photos
from backbench.orders.order_details import NO_ITEM, Facts, OrderItem, OrderState, stage_of
from backbench.orders.order_links import OrderLinkCall
from backbench.orders.order_questions import OrderQuestion
from backbench.orders.payment_codes import PaymentRequest, lookup_for_customer
from backbench.orders.photos import ClientPhoto
from backbench.orders.stages import OrderStage, stage_since
from backbench.sharing import links
from backbench.sharing.links import LinkState
from backbench.values.enums import TitleFont
from backbench.values.numbers import Number
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.workshops import members, workshops
from backbench.workshops.workshops import Background, StoredWorkshop, WorkshopCustomBackground


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
    return made_of(
        ClientWorkshop,
        workshop,
        phone=settings.phone or UNSET,
        address=settings.address or UNSET,
        opening_hours=settings.opening_hours or UNSET,
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
    return made_of(
        ClientOrder,
        facts,
        order,
        money,
        workshop=workshop,
        stage=stage,
        since=stage_since(stage, order.status_history, order.waiting_since, collected_at),
        photos=photos,
        questions=questions,
        item=_item(facts.item),
        collected_at=collected_at or UNSET,
    )


def _item(item: OrderItem | None) -> ClientItem | UnsetType:
    if item is None or OrderItem(description=item.description, pieces=item.pieces) == NO_ITEM:
        return UNSET
    return ClientItem(item.description, item.pieces)


# Verbs


async def get(db: Read, call: OrderLinkCall) -> ClientOrder:
    """How the order of a status link stands."""
    found = await order_details.find(db, call.caller.order.order_id)
    workshop = await workshops.find(db, found.order.workshop_id)
    sign = client_workshop(workshop, await document_settings.find(db, workshop.id))
    questions = await order_questions.list_stored(db, found.order.id)
    price = await _price(db, found.facts.estimate_id, call.now)
    payable = await lookup_for_customer(db, found.order.id)
    money = ClientMoney(price, None if payable is None else payable.request)
    shared = [made_of(ClientPhoto, photo) for photo in await photos.list_shared(db, found.order.id)]
    return client_order(found.order, found.facts, sign, shared, questions, money)


async def _price(db: Read, estimate_id: str | None, now: Instant) -> ClientPrice | None:
    """What the customer has been shown of the estimate: nothing before a link was made."""
    link = None if estimate_id is None else await links.lookup_newest(db, estimate_id)
    if link is None:
        return None
    totals = revision_totals(await revisions.find_confirmed(db, link.estimate_id, link.revision_number))
    return ClientPrice(totals.total, totals.currency, link.state(now), totals.number or UNSET)


async def is_member(db: Read, call: OrderLinkCall, session: str | None) -> bool:
    """Whether the session, by the secret of its cookie, is a member's, for whom the address opens the app."""
    if not session:
        return False
    found = await SeparateLookup(db).active(sessions.ACTIVE, digest(session), call.now)
    if found is None:
        return False
    return await members.lookup_role(db, call.caller.order.workshop_id, found.account_id) is not None
