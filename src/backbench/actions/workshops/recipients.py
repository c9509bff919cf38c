"""Recipients of a workshop, for clients that complete a name while it is typed."""

from backbench.domain.accounts.calls import Call
from backbench.domain.workshops.recipients import RecipientsList, RecipientsQuery
from backbench.storage.engine.database import Read
from backbench.storage.workshops import recipients


async def list_latest(db: Read, call: Call, workshop_id: str, query: RecipientsQuery) -> RecipientsList:
    """List the recipients of a workshop's latest estimates and orders, the latest first.

    For a key without `orders:read`: of its estimates alone.
    """
    has_orders = call.caller.may("orders:read")
    return RecipientsList(await recipients.list_latest(db, workshop_id, query.q, query.limit, has_orders=has_orders))
