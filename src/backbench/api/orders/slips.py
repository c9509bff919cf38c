"""Slips, receipts and payment codes over HTTP, and the code of an order for a screen: made for each request."""

from backbench.actions.orders import order_links, payment_codes, receipts, slips
from backbench.actions.sharing import deposits
from backbench.api.services import EndpointServices
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.receipts import ReceiptQuery
from backbench.domain.documents.slips import SlipQuery
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.orders.payments import Payment
from backbench.domain.sharing.links import LinkCall
from backbench.http.responses import Response, made_file
from backbench.http.streaming.ranges import disposition
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.storage.engine.database import Database, Read
from backbench.storage.orders.order_details import StoredDetails
from backbench.storage.orders.order_links import OrderRef


async def download(
    db: Database, call: Call, details: StoredDetails, query: SlipQuery, services: EndpointServices
) -> Response:
    """Download the slip of a piece of an order as PDF, on a page of exactly that paper."""
    async with db.read() as read:
        document = await slips.find_document(read, call, details, query, services)
    async with services.pdf_slots.slot(call.uid):
        content = await services.renderer.render_slip(document)
    name = f"{document.number}-{document.piece}-{document.format}.pdf"
    return made_file(content, b"application/pdf", (b"content-disposition", disposition(name, inline=True)))


async def code(db: Read, order: OrderRef, services: EndpointServices) -> Response:
    """Show the QR code of the status page of an order."""
    return _svg((await order_links.get(db, order, services)).url)


async def receipt(
    db: Database, call: Call, payment: Payment, query: ReceiptQuery, services: EndpointServices
) -> Response:
    """Download the receipt of a payment as PDF. It is no fiscal receipt, and says so."""
    async with db.read() as read:
        document = await receipts.find_document(read, call, payment, query)
    async with services.pdf_slots.slot(call.uid):
        content = await services.renderer.render_receipt(document)
    name = f"{document.number}-{document.received_on}.pdf"
    return made_file(content, b"application/pdf", (b"content-disposition", disposition(name, inline=True)))


async def payment_code(db: Read, order: OrderRef) -> Response:
    """Draw the payment code of an order, of what is still due."""
    return _svg(await payment_codes.find_code(db, order))


async def payment_code_for_customer(db: Read, call: OrderLinkCall) -> Response:
    """Draw the payment code of the order of a status link, of what is still due."""
    return _svg(await payment_codes.find_code_for_customer(db, call))


async def deposit_code(db: Read, call: LinkCall) -> Response:
    """Draw the payment code of what is left of the deposit of an accepted estimate."""
    return _svg(await deposits.find_code(db, call))


def _svg(text: str) -> Response:
    return made_file(qr_svg(text, margin=QUIET_MODULES).encode(), b"image/svg+xml")
