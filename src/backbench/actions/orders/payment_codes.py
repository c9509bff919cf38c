"""Payment codes: how the open amount of an order is paid, for its members, for its customer, and on slips."""

from msgspec import Struct

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.balances import AmountDue
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.orders.payment_codes import Transfer, order_title, payment_request, transfer
from backbench.domain.sharing.payment_requests import PaymentRequest
from backbench.domain.values.errors import NotFound
from backbench.storage.customers import customers
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings
from backbench.storage.orders import balances, order_details
from backbench.storage.orders.order_links import OrderRef
from backbench.storage.sharing import links
from backbench.storage.workshops import members, workshops


class Payable(Struct, frozen=True):
    """What is due for an order, and what asking for it needs."""

    due: AmountDue
    settings: DocumentSettings
    workshop_name: str
    number: str
    title: str

    @property
    def request(self) -> PaymentRequest:
        return payment_request(self.settings, self.workshop_name, self.due, self.title, self.number)

    @property
    def transfer(self) -> Transfer | None:
        return transfer(self.settings, self.workshop_name, self.due, self.title)

    @property
    def code(self) -> str:
        """The text of the code. Raises NotFound where none can be made."""
        asked = self.transfer
        if asked is None or asked.code is None:
            raise NotFound
        return asked.code


async def get_request(db: Read, order: OrderRef) -> PaymentRequest:
    """Read what is due for an order, and how to pay it. Raises NotFound while no price is agreed."""
    return _present(await lookup(db, order.id)).request


async def find_code(db: Read, order: OrderRef) -> str:
    """The text of the payment code of an order. Raises NotFound where none can be made."""
    return _present(await lookup(db, order.id)).code


async def find_code_for_customer(db: Read, call: OrderLinkCall) -> str:
    """The same for the holder of a status link."""
    return _present(await lookup_for_customer(db, call.caller.order.order_id)).code


async def lookup_for_customer(db: Read, order_id: str) -> Payable | None:
    """None without a price that the customer knows: a confirmed revision counts once it was shared."""
    return await _lookup(db, order_id, for_customer=True)


async def lookup(db: Read, order_id: str) -> Payable | None:
    """None without a price. The caller checks membership."""
    return await _lookup(db, order_id, for_customer=False)


async def _lookup(db: Read, order_id: str, *, for_customer: bool) -> Payable | None:
    found = await order_details.find(db, order_id)
    workshop = await workshops.find(db, found.order.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    money = (await balances.find(db, order_id)).of_order(settings)
    due, estimate_id = money.due(), found.facts.estimate_id
    link = None if estimate_id is None else await links.lookup_newest(db, estimate_id)
    is_shared = link is not None or money.balance().source != "confirmed"
    if due is None or (for_customer and not is_shared):
        return None
    # The language of the estimate that was shared, else of the customer's record, else of the workshop.
    locale = None if link is None else link.locale
    if locale is None and found.facts.customer_id is not None:
        locale = await customers.lookup_locale(db, found.facts.customer_id)
    locale = locale or await members.owner_locale(db, workshop.id)
    number = found.facts.number
    return Payable(due, settings, workshop.name, str(number), order_title(number, locale))


def _present(payable: Payable | None) -> Payable:
    if payable is None:
        raise NotFound
    return payable
