"""Order messages: what a customer is informed of, in two languages and two tones, from built-in templates.

The Polish texts avoid forms that need declension or a guess at gender, as those of estimates do.
"""

from datetime import date
from typing import Literal

from msgspec import Struct

from backbench.engine.database import Write
from backbench.estimating import document_settings
from backbench.orders.balances import AmountDue
from backbench.orders.balances import find as find_money
from backbench.orders.order_details import StoredDetails
from backbench.orders.order_links import status_link
from backbench.orders.order_notices import NoticeKind
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, MessageTone
from backbench.values.locales import day, money
from backbench.values.shapes import made_of
from backbench.values.text import quoted
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

    `due`: what is still to pay; None where nothing is.
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
    is_collected: bool = False


# What was collected already is reminded of because it is not paid.
_Kind = NoticeKind | Literal["payment"]


class _Wording(Struct, frozen=True):
    """`news` names the order by {order}, `due` the day by {day}, `pay` what is still to pay by {amount}.

    `due` and `pay` are used where there is a day or something to pay. `hours`: with the opening hours.
    """

    subject: str
    news: str
    due: str = ""
    pay: str = ""
    hours: bool = False


_ENGLISH: dict[tuple[MessageTone, _Kind], _Wording] = {
    ("formal", "received"): _Wording(
        "We have received your order",
        "Thank you for your order. We have received {order}.",
        "It should be ready by {day}.",
    ),
    ("formal", "waiting"): _Wording(
        "Your order is waiting",
        "The work on {order} is waiting at the moment.",
        "We still expect it to be ready by {day}.",
    ),
    ("formal", "delayed"): _Wording(
        "Your order will take longer",
        "We are sorry to say that {order} will take longer than planned.",
        "The new date is {day}.",
    ),
    ("formal", "ready"): _Wording(
        "Your order is ready",
        "We are pleased to tell you that {order} is ready for you to collect.",
        pay="The amount still to be paid is {amount}.",
        hours=True,
    ),
    ("formal", "reminder"): _Wording(
        "Your order is still waiting for you",
        "A kind reminder that {order} is ready and waiting for you.",
        pay="The amount still to be paid is {amount}.",
        hours=True,
    ),
    ("formal", "payment"): _Wording(
        "Payment for your order", "A kind reminder that {amount} is still to be paid for {order}."
    ),
    ("friendly", "received"): _Wording(
        "Your order is with us", "Thanks! We have {order} with us now.", "It should be ready by {day}."
    ),
    ("friendly", "waiting"): _Wording(
        "A short break in your order",
        "The work on {order} has to wait for a moment.",
        "It should still be ready by {day}.",
    ),
    ("friendly", "delayed"): _Wording(
        "Your order needs a little longer",
        "Sorry, {order} needs a little longer than planned.",
        "The new date is {day}.",
    ),
    ("friendly", "ready"): _Wording(
        "Ready to collect",
        "Good news: {order} is ready for you to collect.",
        pay="Still to pay: {amount}.",
        hours=True,
    ),
    ("friendly", "reminder"): _Wording(
        "Still here for you",
        "Just a reminder: {order} is ready and still here for you.",
        pay="Still to pay: {amount}.",
        hours=True,
    ),
    ("friendly", "payment"): _Wording("Still to pay", "Just a reminder: {amount} is still to pay for {order}."),
}
_POLISH: dict[tuple[MessageTone, _Kind], _Wording] = {
    ("formal", "received"): _Wording(
        "Przyjęcie zlecenia", "dziękujemy za zlecenie. Przyjęliśmy: {order}.", "Przewidywany termin: {day}."
    ),
    ("formal", "waiting"): _Wording(
        "Przerwa w realizacji zlecenia",
        "prace nad zleceniem {order} są chwilowo wstrzymane.",
        "Przewidywany termin pozostaje bez zmian: {day}.",
    ),
    ("formal", "delayed"): _Wording(
        "Zmiana terminu zlecenia",
        "z przykrością informujemy, że realizacja zlecenia {order} potrwa dłużej, niż planowaliśmy.",
        "Nowy termin: {day}.",
    ),
    ("formal", "ready"): _Wording(
        "Zlecenie gotowe do odbioru",
        "informujemy, że zlecenie {order} jest gotowe do odbioru.",
        pay="Pozostało do zapłaty: {amount}.",
        hours=True,
    ),
    ("formal", "reminder"): _Wording(
        "Przypomnienie o odbiorze",
        "uprzejmie przypominamy, że zlecenie {order} czeka na odbiór.",
        pay="Pozostało do zapłaty: {amount}.",
        hours=True,
    ),
    ("formal", "payment"): _Wording(
        "Przypomnienie o płatności",
        "uprzejmie przypominamy o płatności za zlecenie {order}. Pozostało do zapłaty: {amount}.",
    ),
    ("friendly", "received"): _Wording(
        "Zlecenie przyjęte", "dziękuję! Zlecenie {order} jest już u nas.", "Powinno być gotowe do: {day}."
    ),
    ("friendly", "waiting"): _Wording(
        "Krótka przerwa", "zlecenie {order} musi chwilę poczekać.", "Termin na razie się nie zmienia: {day}."
    ),
    ("friendly", "delayed"): _Wording(
        "Trochę dłużej, niż planowaliśmy",
        "przepraszam, zlecenie {order} potrwa trochę dłużej, niż planowaliśmy.",
        "Nowy termin: {day}.",
    ),
    ("friendly", "ready"): _Wording(
        "Gotowe do odbioru",
        "dobra wiadomość: zlecenie {order} jest gotowe. Zapraszam po odbiór.",
        pay="Do zapłaty: {amount}.",
        hours=True,
    ),
    ("friendly", "reminder"): _Wording(
        "Zlecenie czeka na odbiór",
        "przypominam, że zlecenie {order} jest gotowe i czeka na odbiór.",
        pay="Do zapłaty: {amount}.",
        hours=True,
    ),
    ("friendly", "payment"): _Wording(
        "Przypomnienie o płatności", "przypominam o płatności za zlecenie {order}. Do zapłaty: {amount}."
    ),
}
_WORDINGS: dict[DocumentLocale, dict[tuple[MessageTone, _Kind], _Wording]] = {"en": _ENGLISH, "pl": _POLISH}
_GREETINGS: dict[tuple[DocumentLocale, MessageTone], str] = {
    ("en", "formal"): "Dear customer,",
    ("en", "friendly"): "Hello,",
    ("pl", "formal"): "Szanowni Państwo,",
    ("pl", "friendly"): "Dzień dobry,",
}
_CLOSINGS: dict[tuple[DocumentLocale, MessageTone], str] = {
    ("en", "formal"): "Yours faithfully,",
    ("en", "friendly"): "All the best,",
    ("pl", "formal"): "Z poważaniem",
    ("pl", "friendly"): "Pozdrawiam",
}
_PAGE: dict[DocumentLocale, str] = {
    "en": "How it stands, and a place for questions: {page}",
    "pl": "Stan zlecenia i miejsce na pytania: {page}",
}
_HOURS: dict[DocumentLocale, str] = {"en": "Opening hours:\n{hours}", "pl": "Godziny otwarcia:\n{hours}"}


def order_message(facts: OrderMessageFacts, message: NewOrderMessage) -> OrderMessage:
    locale, tone = message.locale, message.tone
    is_payment = message.kind == "reminder" and facts.is_collected and facts.due is not None
    wording = _WORDINGS[locale][tone, "payment" if is_payment else message.kind]
    amount = "" if facts.due is None else money(facts.due.amount, facts.due.currency, locale)
    opening = wording.news.format(order=_order(facts, locale), amount=amount)
    if wording.due and facts.due_on is not None:
        opening += " " + wording.due.format(day=_due(facts.due_on, facts.due_time, locale))
    if wording.pay and amount:
        opening += " " + wording.pay.format(amount=amount)
    hours = _HOURS[locale].format(hours=facts.opening_hours) if wording.hours and facts.opening_hours else ""
    names = dict.fromkeys([facts.crafter_name, facts.workshop_name])
    signature = "\n".join(line for line in [_CLOSINGS[locale, tone], *names, facts.phone] if line)
    paragraphs = [_GREETINGS[locale, tone], opening, hours, _PAGE[locale].format(page=facts.page), signature]
    return OrderMessage(
        f"{wording.subject} ({facts.number})", "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    )


def _order(facts: OrderMessageFacts, locale: DocumentLocale) -> str:
    title = quoted(facts.title, locale)
    return f"nr {facts.number} {title}" if locale == "pl" else f"order {facts.number} {title}"


def _due(on: date, time: str, locale: DocumentLocale) -> str:
    if not time:
        return day(on, locale)
    return f"{day(on, locale)}, {'godz. ' if locale == 'pl' else ''}{time}"


# Verbs


async def draft(
    db: Write, call: Call, details: StoredDetails, body: NewOrderMessage, services: Services
) -> OrderMessage:
    """Draft a message about an order in the customer's language, with the address of the status page. Sends nothing."""
    order_id = details.order.id
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
    )
    return order_message(facts, body)
