"""Message drafts of an order: what the customer is to be informed of, to be sent by other means."""

from datetime import date

from msgspec import UNSET

from backbench.actions.orders.balances import find as find_money
from backbench.actions.orders.order_links import status_link
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_messages import NewOrderMessage, OrderMessage, OrderMessageFacts, order_message
from backbench.storage.engine.database import Write
from backbench.storage.estimating import document_settings
from backbench.storage.orders.order_details import StoredDetails
from backbench.storage.workshops import workshops


async def draft(
    db: Write, call: Call, details: StoredDetails, body: NewOrderMessage, services: Services
) -> OrderMessage:
    """Draft a message about an order in the customer's language, with the address of the status page. Sends nothing."""
    order_id = details.order.id
    workshop = await workshops.find(db, details.order.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    facts = OrderMessageFacts(
        number=details.facts.number,
        title=details.order.title,
        page=(await status_link(db, order_id, details.order.link_generation, services.public_url)).url,
        workshop_name=workshop.name,
        crafter_name=workshop.crafter_name,
        phone=settings.phone,
        opening_hours="" if settings.opening_hours is UNSET else settings.opening_hours,
        due_on=None if details.facts.due_on is None else date.fromisoformat(details.facts.due_on),
        due_time=details.facts.due_time or "",
        due=(await find_money(db, order_id, settings)).left() if call.caller.may("payments:read") else None,
        is_collected=details.order.is_collected,
    )
    return order_message(facts, body)
