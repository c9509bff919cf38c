"""Deposits: what is due of an accepted estimate, and the code to pay it."""

from decimal import Decimal

from backbench.documents.titles import transfer_title
from backbench.engine.database import Read
from backbench.estimating import document_settings
from backbench.orders import balances
from backbench.orders.balances import AmountDue
from backbench.orders.payment_codes import Payable, order_title
from backbench.sharing.client_documents import summary_of
from backbench.sharing.links import LinkCall, StoredLink
from backbench.values.errors import NotFound
from backbench.values.money import plain
from backbench.values.times import Instant
from backbench.workshops import workshops


async def lookup(db: Read, link: StoredLink, now: Instant) -> Payable | None:
    """What is left of the deposit of the revision that the client accepted; None where none is asked for."""
    if link.state(now) != "accepted":
        return None
    shown = summary_of(link.document)
    if shown.deposit is None:
        return None
    paid = await balances.paid_for_estimate(db, link.estimate_id, shown.currency)
    due = AmountDue(shown.currency, plain(max(shown.deposit - paid.amount, Decimal(0))))
    settings = await document_settings.find(db, link.workshop_id)
    name = (await workshops.find(db, link.workshop_id)).name
    if paid.order_number is None:
        return Payable(due, settings, name, shown.number, transfer_title(shown.title, shown.number, link.locale))
    return Payable(due, settings, name, str(paid.order_number), order_title(paid.order_number, link.locale))


async def find_code(db: Read, call: LinkCall) -> str:
    """The text of the payment code of the deposit. Raises NotFound where none can be made."""
    payable = await lookup(db, call.caller.link, call.now)
    if payable is None:
        raise NotFound
    return payable.code
