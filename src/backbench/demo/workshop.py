"""Contents of the demo workshops, read from TOML files into the types of request bodies."""

import tomllib
from datetime import datetime, time, timedelta
from decimal import Decimal
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from backbench.customers.customers import NewCustomer
from backbench.demo.pictures import Picture
from backbench.estimating.document_facts import DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import EstimateEdit, NewEstimate, OrderFromEstimate, Quantity
from backbench.estimating.grids import NewGrid
from backbench.estimating.handoffs import NewHandoff
from backbench.estimating.pdf_exports import NewPdfExport
from backbench.orders.balances import NewPrice
from backbench.orders.invoices import NewCorrection, NewInvoice
from backbench.orders.order_details import OrderDetailsEdit
from backbench.orders.orders import NewOrder, OrderStatus
from backbench.orders.payments import NewPayment
from backbench.orders.photos import NewPhoto
from backbench.sharing.links import NewLink
from backbench.values import numbers, times
from backbench.values.enums import UserLocale
from backbench.values.scalars import AccountName, Email
from backbench.values.times import Instant
from backbench.workshops.workshops import ContextEdit, WorkshopEdit

# Days ago, and a time of day in UTC.
Moment = tuple[int, str]


# The joinery in English, and the upholsterer in Polish.
WORKSHOPS = ("joinery", "upholstery")


class Person(Struct, frozen=True):
    email: Email
    name: AccountName


class PlannedCorrection(Struct, frozen=True):
    """Of an invoice: the quantities of its lines as they should have been."""

    at: Moment
    body: NewCorrection
    quantities: list[Quantity]


class PlannedInvoice(Struct, frozen=True):
    """An invoice of an order, issued at once unless it is a draft."""

    at: Moment
    body: NewInvoice
    is_draft: bool = False
    correction: PlannedCorrection | None = None


class History(Struct, frozen=True):
    """What happened to an order after its creation. Without `details` of the shelf, one that is done was collected.

    `due_in`: days from now.
    """

    notes: str
    moves: list[tuple[OrderStatus, Moment]]
    details: OrderDetailsEdit | None = None
    due_in: int | None = None
    # Agreed without an estimate when the order came in, and what was paid.
    price: NewPrice | None = None
    payments: list[tuple[NewPayment, Moment]] = []
    invoices: list[PlannedInvoice] = []


class DemoPhoto(Struct, frozen=True):
    picture: Picture
    at: Moment
    body: NewPhoto


class DemoOrder(Struct, frozen=True):
    body: NewOrder
    created: Moment
    history: History
    photos: list[DemoPhoto]


class Accepted(Struct, frozen=True):
    """The estimate became an order."""

    body: OrderFromEstimate
    history: History


class Step(Struct, frozen=True):
    """A later change of an estimate: `body` is None for a confirmation. `partner`: made by the other member."""

    at: Moment
    body: EstimateEdit | DocumentFacts | NewHandoff | Accepted | None
    partner: bool = False


class PlannedComment(Struct, frozen=True):
    """A comment of the client, or an answer of the workshop."""

    at: Moment
    text: str
    is_answer: bool = False


class Shared(Struct, frozen=True):
    """A link of the estimate, and what the client did with it."""

    link: NewLink
    client: str
    at: Moment
    opened: list[Moment] = []
    comments: list[PlannedComment] = []
    accepted: Moment | None = None


class DemoEstimate(Struct, frozen=True):
    body: NewEstimate
    created: Moment
    steps: list[Step]
    pdf: NewPdfExport | None
    shared: Shared | None

    @property
    def changed(self) -> Moment:
        """The time of its last step."""
        return self.steps[-1].at if self.steps else self.created


class Contents(Struct, frozen=True):
    locale: UserLocale
    owner: Person
    partner: Person
    created: Moment
    workshop: WorkshopEdit
    documents: DocumentSettings
    context: ContextEdit
    customers: list[NewCustomer]
    orders: list[DemoOrder]
    estimates: list[DemoEstimate]
    grids: list[NewGrid]


def contents(name: str = WORKSHOPS[0]) -> Contents:
    text = (resources.files(__package__) / f"{name}.toml").read_text("utf-8")
    table = tomllib.loads(text, parse_float=Decimal)
    return Contents(
        locale=table["locale"],
        owner=_convert(Person, table["owner"]),
        partner=_convert(Person, table["partner"]),
        created=_convert(Moment, table["created"]),
        workshop=_convert(WorkshopEdit, table["workshop"]),
        documents=_convert(DocumentSettings, table["documents"]),
        context=_convert(ContextEdit, table["context"]),
        customers=[_convert(NewCustomer, entry) for entry in table["customers"]],
        orders=[_order(**entry) for entry in table["orders"]],
        estimates=[_estimate(**entry) for entry in table["estimates"]],
        grids=[_convert(NewGrid, entry) for entry in table["grids"]],
    )


def instant(moment: Moment, now: Instant) -> Instant:
    """The moment as seen from `now`."""
    days, clock = moment
    day = times.parse(now).date() - timedelta(days=days)
    return times.from_datetime(datetime.combine(day, time.fromisoformat(clock), times.parse(now).tzinfo))


def _order(created: Any, photos: Any = (), **body: Any) -> DemoOrder:
    history = _history(body)
    return DemoOrder(_convert(NewOrder, body), _convert(Moment, created), history, [_photo(**each) for each in photos])


def _photo(picture: Any, at: Any, **body: Any) -> DemoPhoto:
    return DemoPhoto(_convert(Picture, picture), _convert(Moment, at), _convert(NewPhoto, body))


def _history(body: dict[str, Any]) -> History:
    """Taken out of the table of an order."""
    moves = [(status, _convert(Moment, at)) for status, *at in body.pop("moves")]
    notes, details = body.pop("notes", ""), body.pop("details", None)
    price = body.pop("price", None)
    payments = [
        (_convert(NewPayment, {"kind": kind, "amount": amount, "method": method}), _convert(Moment, at))
        for kind, amount, method, *at in body.pop("payments", [])
    ]
    invoices = [_invoice(**each) for each in body.pop("invoices", [])]
    due_in = None if details is None else details.pop("dueIn", None)
    return History(
        notes,
        moves,
        None if details is None else _convert(OrderDetailsEdit, details),
        due_in,
        None if price is None else _convert(NewPrice, {"amount": price}),
        payments,
        invoices,
    )


def _invoice(at: Any, draft: bool = False, correction: Any = None, **body: Any) -> PlannedInvoice:
    corrected = None
    if correction is not None:
        reason = NewCorrection(correction["reason"])
        quantities = _convert(list[Quantity], correction["quantities"])
        corrected = PlannedCorrection(_convert(Moment, correction["at"]), reason, quantities)
    return PlannedInvoice(_convert(Moment, at), _convert(NewInvoice, body), draft, corrected)


def _estimate(created: Any, steps: list[Any], pdf: Any = None, shared: Any = None, **body: Any) -> DemoEstimate:
    export = None if pdf is None else _convert(NewPdfExport, pdf)
    link = None if shared is None else _convert(Shared, shared)
    return DemoEstimate(
        _convert(NewEstimate, body), _convert(Moment, created), [_step(**step) for step in steps], export, link
    )


_STEP_TYPES: dict[str, Any] = {"edit": EstimateEdit, "facts": DocumentFacts, "hand_off": NewHandoff}


def _step(action: str, at: Any, partner: bool = False, **body: Any) -> Step:
    moment = _convert(Moment, at)
    if action == "confirm":
        return Step(moment, None, partner)
    if action == "order":
        history = _history(body)
        return Step(moment, Accepted(_convert(OrderFromEstimate, body), history), partner)
    if action == "hand_off":
        body["aiDrafted"] = False
    return Step(moment, _convert(_STEP_TYPES[action], body), partner)


def _convert(type_: Any, value: Any) -> Any:
    return msgspec.convert(value, type_, dec_hook=numbers.read)
