"""Slips of orders. Nothing is stored and nothing is counted."""

from datetime import date

from msgspec import UNSET

from backbench.actions.orders.order_links import status_link
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.slips import SlipDocument, SlipQuery, ToPay
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.order_details import NO_ITEM
from backbench.domain.values.errors import FieldError, ValidationError
from backbench.domain.values.times import local_date
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings
from backbench.storage.orders import balances, order_signatures
from backbench.storage.orders.order_details import StoredDetails
from backbench.storage.workshops import workshops


async def find_document(
    db: Read, call: Call, details: StoredDetails, query: SlipQuery, services: Services
) -> SlipDocument:
    """The slip of a piece of an order. Raises ValidationError for a piece that it does not have."""
    order_id = details.order.id
    if query.piece > details.facts.pieces:
        detail = f"The order has {details.facts.pieces} pieces"
        raise ValidationError(FieldError("/piece", "too_large", detail))
    workshop = await workshops.find(db, details.order.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    locale = (await accounts.find(db, call.uid)).locale if query.locale is UNSET else query.locale
    facts, item = details.facts, details.facts.item or NO_ITEM
    due = None
    if call.caller.may("payments:read"):
        due = (await balances.find(db, order_id)).of_order(settings).due()
    signature = await order_signatures.lookup(db, order_id)
    return SlipDocument(
        format=query.format,
        locale=locale,
        workshop_name=workshop.name,
        workshop_contact=contact(settings),
        number=facts.number,
        piece=query.piece,
        pieces=facts.pieces,
        title=details.order.title,
        customer_name=details.order.customer_name,
        phone=facts.phone or "",
        description=item.description or "",
        condition=item.condition or "",
        serial=item.serial or "",
        place=facts.place or "",
        received_on=_received_on(details, settings),
        due_on=None if facts.due_on is None else date.fromisoformat(facts.due_on),
        due_time=facts.due_time or "",
        price_limit=facts.price_limit,
        currency=settings.currency,
        to_pay=None if due is None else ToPay(due.amount, due.currency),
        address=(await status_link(db, order_id, details.order.link_generation, services.public_url)).url,
        strokes=() if signature is None else signature.points,
        signer="" if signature is None else signature.name or "",
        signed_on=None if signature is None else local_date(signature.signed_at, settings.zone),
    )


def _received_on(details: StoredDetails, settings: DocumentSettings) -> date:
    return local_date(details.order.status_history[0].at, settings.zone)


def contact(settings: DocumentSettings) -> list[str]:
    hours = "" if settings.opening_hours is UNSET else settings.opening_hours
    return [line for text in (settings.address, settings.phone, hours) for line in text.split("\n") if line.strip()]
