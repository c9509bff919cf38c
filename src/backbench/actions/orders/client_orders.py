"""The customer's view of an order, for the holder of its status link."""

from msgspec import UNSET

from backbench.actions.orders.payment_codes import lookup_for_customer
from backbench.domain.accounts.sessions import digest
from backbench.domain.estimating.confirmed_revisions import revision_totals
from backbench.domain.orders.client_orders import (
    ClientMoney,
    ClientOrder,
    ClientPrice,
    client_order,
    client_workshop,
)
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.values.times import Instant
from backbench.storage.accounts import sessions
from backbench.storage.accounts.credentials import SeparateLookup
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings, revisions
from backbench.storage.orders import order_details, order_questions, photos
from backbench.storage.sharing import links
from backbench.storage.workshops import members, workshops


async def get(db: Read, call: OrderLinkCall) -> ClientOrder:
    """How the order of a status link stands."""
    found = await order_details.find(db, call.caller.order.order_id)
    workshop = await workshops.find(db, found.order.workshop_id)
    sign = client_workshop(workshop, await document_settings.find(db, workshop.id))
    questions = await order_questions.list_all(db, found.order.id)
    price = await _price(db, found.facts.estimate_id, call.now)
    payable = await lookup_for_customer(db, found.order.id)
    money = ClientMoney(price, None if payable is None else payable.request)
    shared = [photo.to_client() for photo in await photos.list_shared(db, found.order.id)]
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
