"""Order messages: what a customer is informed of, in two languages and two tones, from built-in templates.

The Polish texts avoid forms that need declension or a guess at gender, as those of estimates do.
"""

from datetime import date

from msgspec import Struct

from backbench.engine.database import Write
from backbench.estimating import document_settings
from backbench.orders.balances import AmountDue
from backbench.orders.balances import find as find_money
from backbench.orders.issued_invoices import OverdueInvoice, find_overdue
from backbench.orders.order_details import StoredDetails
from backbench.orders.order_links import status_link
from backbench.orders.order_notices import NoticeKind
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, MessageTone
from backbench.values.locales import day, money
from backbench.values.shapes import made_of
from backbench.values.text import quoted
from backbench.words import words
from backbench.workshops import workshops


class NewOrderMessage(Struct, frozen=True, forbid_unknown_fields=True):
    kind: NoticeKind
    locale: DocumentLocale
    tone: MessageTone


class OrderMessage(Struct, frozen=True, rename="camel"):
    """`ai_drafted` is false: these few sentences are templates."""

    subject: str
    body: str
    ai_drafted: bool = False


class OrderMessageFacts(Struct, frozen=True):
    """The facts that a message states. Empty texts are left out. `page` is the address of the status page.

    `due`: what is still to pay, and `invoice` is past its due date; None where nothing is.
    """

    number: int
    title: str
    page: str
    workshop_name: str
    crafter_name: str = ""
    phone: str = ""
    opening_hours: str = ""
    due_on: date | None = None
    due_time: str = ""
    due: AmountDue | None = None
    invoice: OverdueInvoice | None = None
    is_collected: bool = False


def order_message(facts: OrderMessageFacts, message: NewOrderMessage) -> OrderMessage:
    locale = message.locale
    parts, tone = words(locale).order_message, words(locale).order_messages[message.tone]
    # What was collected already, or is on an invoice that is due, is reminded of because it is not paid.
    invoice = facts.invoice if message.kind == "reminder" else None
    due = facts.due if invoice is None else invoice.left
    is_payment = invoice is not None or (message.kind == "reminder" and facts.is_collected and due is not None)
    wording = tone.kinds["payment" if is_payment else message.kind]
    amount = "" if due is None else money(due.amount, due.currency, locale)
    order = parts.order.format(number=facts.number, title=quoted(facts.title, locale))
    opening = wording.news.format(order=order, amount=amount)
    if invoice is not None:
        opening += " " + parts.invoice.format(
            number=invoice.number, day=day(date.fromisoformat(invoice.due_date), locale)
        )
    if wording.due and facts.due_on is not None:
        opening += " " + wording.due.format(day=_due(facts.due_on, facts.due_time, locale))
    if wording.pay and amount:
        opening += " " + wording.pay.format(amount=amount)
    hours = parts.hours.format(hours=facts.opening_hours) if wording.hours and facts.opening_hours else ""
    names = dict.fromkeys([facts.crafter_name, facts.workshop_name])
    signature = "\n".join(line for line in [tone.closing, *names, facts.phone] if line)
    paragraphs = [tone.greeting, opening, hours, parts.page.format(page=facts.page), signature]
    return OrderMessage(
        f"{wording.subject} ({facts.number})", "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    )


def _due(on: date, time: str, locale: DocumentLocale) -> str:
    text = day(on, locale)
    return words(locale).order_message.at.format(day=text, time=time) if time else text


# Verbs


async def draft(
    db: Write, call: Call, details: StoredDetails, body: NewOrderMessage, services: Services
) -> OrderMessage:
    """Draft a message about an order in the customer's language, with the address of the status page. Sends nothing."""
    order_id = details.order.id
    may_see_invoices = call.caller.may("invoices:read")
    workshop = await workshops.find(db, details.order.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    facts = made_of(
        OrderMessageFacts,
        details.facts,
        details.order,
        workshop,
        settings,
        page=(await status_link(db, order_id, details.order.link_generation, services.public_url)).url,
        workshop_name=workshop.name,
        # Of the workshop, not of the customer.
        phone=settings.phone,
        due_on=None if details.facts.due_on is None else date.fromisoformat(details.facts.due_on),
        due=(await find_money(db, order_id, settings)).left() if call.caller.may("payments:read") else None,
        invoice=await find_overdue(db, order_id, settings.today(call.now)) if may_see_invoices else None,
    )
    return order_message(facts, body)
