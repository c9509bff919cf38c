"""What the demo workshop holds, read from `workshop.toml` into the shapes that the API takes."""

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

# Days ago, and a time of day.
Moment = tuple[int, str]


class Person(Struct, frozen=True):
    email: Email
    name: AccountName


class DemoOrder(Struct, frozen=True):
    body: NewOrder
    notes: str
    opened: Moment
    moves: list[tuple[OrderStatus, Moment]]


class Step(Struct, frozen=True):
    """What became of an estimate: it was confirmed where there is nothing else."""

    at: Moment
    body: EstimateEdit | NewHandoff | None


class DemoEstimate(Struct, frozen=True):
    body: NewEstimate
    drawn: Moment
    steps: list[Step]
    pdf: NewPdfExport | None


class Contents(Struct, frozen=True):
    owner: Person
    partner: Person
    opened: Moment
    workshop: WorkshopEdit
    documents: DocumentSettings
    context: ContextEdit
    orders: list[DemoOrder]
    estimates: list[DemoEstimate]
    grids: list[NewGrid]


def contents() -> Contents:
    text = (resources.files(__package__) / "workshop.toml").read_text("utf-8")
    read = tomllib.loads(text, parse_float=Decimal)
    return Contents(
        owner=_shaped(Person, read["owner"]),
        partner=_shaped(Person, read["partner"]),
        opened=_shaped(Moment, read["opened"]),
        workshop=_shaped(WorkshopEdit, read["workshop"]),
        documents=_shaped(DocumentSettings, read["documents"]),
        context=_shaped(ContextEdit, read["context"]),
        orders=[_order(**entry) for entry in read["orders"]],
        estimates=[_estimate(**entry) for entry in read["estimates"]],
        grids=[_shaped(NewGrid, entry) for entry in read["grids"]],
    )


def instant(moment: Moment, now: Instant) -> Instant:
    days, clock = moment
    day = times.parse(now).date() - timedelta(days=days)
    return times.from_datetime(datetime.combine(day, time.fromisoformat(clock), times.parse(now).tzinfo))


def _order(opened: Any, moves: list[Any], notes: str = "", **body: Any) -> DemoOrder:
    stood = [(status, _shaped(Moment, at)) for status, *at in moves]
    return DemoOrder(_shaped(NewOrder, body), notes, _shaped(Moment, opened), stood)


def _estimate(drawn: Any, steps: list[Any], pdf: Any = None, **body: Any) -> DemoEstimate:
    planned = [_step(**step) for step in steps]
    paper = None if pdf is None else _shaped(NewPdfExport, pdf)
    return DemoEstimate(_shaped(NewEstimate, body), _shaped(Moment, drawn), planned, paper)


def _step(does: str, at: Any, **body: Any) -> Step:
    shapes: dict[str, Any] = {"edit": EstimateEdit, "hand_off": NewHandoff}
    if does == "hand_off":
        body["aiDrafted"] = False
    return Step(_shaped(Moment, at), _shaped(shapes[does], body) if does in shapes else None)


def _shaped(type_: Any, value: Any) -> Any:
    return msgspec.convert(value, type_, dec_hook=numbers.read)
