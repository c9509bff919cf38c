"""Status link of an order: its address, and a new one that ends all earlier ones."""

from backbench.actions.orders.order_details import authorize
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_links import LinkedOrder, StatusLink, page_url, token_of
from backbench.domain.values.errors import NotFound
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_links


async def get(db: Read, call: Call, order_id: str, services: Services) -> StatusLink:
    """Read the address of the status page of an order, which slips have as a QR code."""
    await authorize(db, call, order_id)
    return await status_link(db, order_id, services.public_url)


async def renew(db: Write, call: Call, order_id: str, services: Services) -> Audited[StatusLink]:
    """Make a new address of the status page of an order. Older addresses and printed codes end at once."""
    await authorize(db, call, order_id)
    order = await _lock(db, order_id)
    await order_links.save_renewed(db, order_id)
    return Audited(await status_link(db, order_id, services.public_url), order.workshop_id, order_id)


async def status_link(db: Read, order_id: str, public_url: str) -> StatusLink:
    """The address. Raises NotFound. The caller checks membership."""
    order = await order_links.find(db, order_id)
    token = token_of(await order_links.key(db), order_id, order.link_generation)
    return StatusLink(page_url(public_url, token))


async def _lock(db: Write, order_id: str) -> LinkedOrder:
    order = await order_links.lock(db, order_id)
    if order is None:
        raise NotFound
    return order
