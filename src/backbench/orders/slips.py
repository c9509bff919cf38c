"""Slips of orders. Nothing is stored and nothing is counted."""

from datetime import date

from msgspec import UNSET

from backbench.accounts import accounts
from backbench.documents.receipts import ReceiptQuery
from backbench.documents.slips import SlipDocument, SlipMoney, SlipQuery
from backbench.engine.database import Database, Read
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings, contact
from backbench.http.responses import Response, made_file
from backbench.http.streaming import disposition
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.orders import balances, order_links, order_signatures, payment_codes, receipts
from backbench.orders.balances import Balance
from backbench.orders.order_details import NO_ITEM, StoredDetails
from backbench.orders.order_links import OrderLinkCall, OrderRef, status_link
from backbench.orders.payments import Payment
from backbench.services import EndpointServices, Services
from backbench.sharing import deposits
from backbench.sharing.links import LinkCall
from backbench.values.calls import Call
from backbench.values.errors import FieldError, ValidationError
from backbench.values.shapes import made_of
from backbench.values.times import local_date
from backbench.workshops import workshops

# Verbs


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
    money = None
    if call.caller.may("payments:read"):
        money = _money((await balances.find_stored(db, order_id)).of_order(settings).balance())
    signature = await order_signatures.lookup(db, order_id)
    return made_of(
        SlipDocument,
        query,
        facts,
        item,
        details.order,
        locale=locale,
        workshop_name=workshop.name,
        workshop_contact=contact(settings),
        received_on=_received_on(details, settings),
        due_on=None if facts.due_on is None else date.fromisoformat(facts.due_on),
        currency=settings.currency,
        money=money,
        tax_id=settings.tax_id,
        terms=settings.slip_terms or "",
        has_place=query.place == "true",
        place=facts.place or "",
        address=(await status_link(db, order_id, details.order.link_generation, services.public_url)).url,
        strokes=() if signature is None else signature.points,
        signer="" if signature is None else signature.name or "",
        signed_on=None if signature is None else local_date(signature.signed_at, settings.zone),
    )


def _money(balance: Balance) -> SlipMoney | None:
    if balance.agreed is UNSET or balance.due is UNSET:
        return None
    return SlipMoney(balance.currency, balance.agreed, balance.paid, balance.due)


def _received_on(details: StoredDetails, settings: DocumentSettings) -> date:
    return local_date(details.order.status_history[0].at, settings.zone)


# Over HTTP


async def download(
    db: Database, call: Call, details: StoredDetails, query: SlipQuery, services: EndpointServices
) -> Response:
    """Download the slip of a piece of an order as PDF, on a page of exactly that paper."""
    async with db.read() as read:
        document = await find_document(read, call, details, query, services)
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
    shown = disposition(document.file_name, inline=True)
    return made_file(content, b"application/pdf", (b"content-disposition", shown))


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
