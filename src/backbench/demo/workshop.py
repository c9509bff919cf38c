"""Contents of the demo workshop, read from `workshop.toml` into the types of request bodies."""

import tomllib
from datetime import datetime, time, timedelta
from decimal import Decimal
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from backbench.domain.documents.pdf_exports import NewPdfExport
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import EstimateEdit, NewEstimate
from backbench.domain.estimating.grids import NewGrid
from backbench.domain.estimating.handoffs import NewHandoff
from backbench.domain.values import numbers, times
from backbench.domain.values.scalars import AccountName, Email
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import NewOrder, OrderStatus
from backbench.domain.workshops.workshops import ContextEdit, WorkshopEdit

# Days ago, and a time of day in UTC.
Moment = tuple[int, str]


class Person(Struct, frozen=True):
    email: Email
    name: AccountName


class DemoOrder(Struct, frozen=True):
    body: NewOrder
    notes: str
    created: Moment
    moves: list[tuple[OrderStatus, Moment]]


class Step(Struct, frozen=True):
    """A later change of an estimate: an edit, a hand-off, or a confirmation if `body` is None."""

    at: Moment
    body: EstimateEdit | NewHandoff | None


class DemoEstimate(Struct, frozen=True):
    body: NewEstimate
    created: Moment
    steps: list[Step]
    pdf: NewPdfExport | None


class Contents(Struct, frozen=True):
    owner: Person
    partner: Person
    created: Moment
    workshop: WorkshopEdit
    documents: DocumentSettings
    context: ContextEdit
    orders: list[DemoOrder]
    estimates: list[DemoEstimate]
    grids: list[NewGrid]


def contents() -> Contents:
    text = (resources.files(__package__) / "workshop.toml").read_text("utf-8")
    table = tomllib.loads(text, parse_float=Decimal)
    return Contents(
        owner=_convert(Person, table["owner"]),
        partner=_convert(Person, table["partner"]),
        created=_convert(Moment, table["created"]),
        workshop=_convert(WorkshopEdit, table["workshop"]),
        documents=_convert(DocumentSettings, table["documents"]),
        context=_convert(ContextEdit, table["context"]),
        orders=[_order(**entry) for entry in table["orders"]],
        estimates=[_estimate(**entry) for entry in table["estimates"]],
        grids=[_convert(NewGrid, entry) for entry in table["grids"]],
    )


def instant(moment: Moment, now: Instant) -> Instant:
    """The moment as seen from `now`."""
    days, clock = moment
    day = times.parse(now).date() - timedelta(days=days)
    return times.from_datetime(datetime.combine(day, time.fromisoformat(clock), times.parse(now).tzinfo))


def _order(created: Any, moves: list[Any], notes: str = "", **body: Any) -> DemoOrder:
    status_changes = [(status, _convert(Moment, at)) for status, *at in moves]
    return DemoOrder(_convert(NewOrder, body), notes, _convert(Moment, created), status_changes)


def _estimate(created: Any, steps: list[Any], pdf: Any = None, **body: Any) -> DemoEstimate:
    export = None if pdf is None else _convert(NewPdfExport, pdf)
    return DemoEstimate(
        _convert(NewEstimate, body), _convert(Moment, created), [_step(**step) for step in steps], export
    )


def _step(action: str, at: Any, **body: Any) -> Step:
    types: dict[str, Any] = {"edit": EstimateEdit, "hand_off": NewHandoff}
    if action == "hand_off":
        body["aiDrafted"] = False
    return Step(_convert(Moment, at), _convert(types[action], body) if action in types else None)


def _convert(type_: Any, value: Any) -> Any:
    return msgspec.convert(value, type_, dec_hook=numbers.read)
