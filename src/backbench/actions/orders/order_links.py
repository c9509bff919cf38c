"""Status link of an order: its address, and a new one that ends all earlier ones."""

from backbench.actions.services import Services
from backbench.domain.orders.order_links import StatusLink, page_url, token_of
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_links
from backbench.storage.orders.order_links import OrderRef


async def get(db: Read, order: OrderRef, services: Services) -> StatusLink:
    """Read the address of the status page of an order, which slips have as a QR code."""
    return await status_link(db, order.id, order.link_generation, services.public_url)


async def renew(db: Write, order: OrderRef, services: Services) -> StatusLink:
    """Make a new address of the status page of an order. Older addresses and printed codes end at once."""
    await order_links.save_renewed(db, order.id)
    return await status_link(db, order.id, order.link_generation + 1, services.public_url)


async def status_link(db: Read, order_id: str, generation: int, public_url: str) -> StatusLink:
    return StatusLink(page_url(public_url, token_of(await order_links.key(db), order_id, generation)))
