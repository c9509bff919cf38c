"""Estimates: the line items and percentages of a job, and what a member changes of them."""

from collections.abc import Sequence
from typing import Annotated, Protocol

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, structs

from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.engine.rows import JoinedRow, columns, or_none
from backbench.estimating import document_facts, document_settings, line_items
from backbench.estimating.document_facts import DocumentFacts, EstimateRef, lock_customer, state_with
from backbench.estimating.line_items import Figures, Label, LineItem, LineItems, MostUsedLineItem
from backbench.orders.orders import CustomerName, NewOrder, Title
from backbench.values.calls import Call
from backbench.values.enums import LineItemUnit, PricesEntered
from backbench.values.errors import Conflict, FieldError, Forbidden, NotFound
from backbench.values.ids import NewId
from backbench.values.money import Totals
from backbench.values.numbers import Number, to_json, to_json_text
from backbench.values.pagination import Page, PageQuery
from backbench.values.scalars import NO_MARKS, ONE_WORD, Name, OptionalName, between, fold_case
from backbench.values.shapes import edited, made_of, with_ids
from backbench.values.times import Instant
from backbench.workshops.audit import Audited, Unchanged

# Of line items and buttons: as a path accepts it.
ItemId = Annotated[str, Meta(min_length=1, max_length=64, pattern=NO_MARKS, extra=ONE_WORD)]
UnitPrice = Annotated[Number, between(0, 10**9, places=4)]
Quantity = Annotated[Number, between(0, 10**6, places=4)]
MarkupPercent = Annotated[Number, between(0, 1000, places=4)]
DiscountPercent = Annotated[Number, between(0, 100, places=4)]
ZERO = Number(0)


class NewLineItem(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A line item of a request: with the id of an existing line, or without an id for a new one."""

    label: Label
    unit: LineItemUnit
    unit_price: UnitPrice
    quantity: Quantity
    id: ItemId | UnsetType = UNSET
    # The grid button that the line was created with. Not checked, as the specification requires.
    source_button_id: str | UnsetType = UNSET


MAX_LINE_ITEMS = 500
NewLineItems = Annotated[list[NewLineItem], Meta(max_length=MAX_LINE_ITEMS)]


class LineItemEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    label: Label | UnsetType = UNSET
    unit: LineItemUnit | UnsetType = UNSET
    unit_price: UnitPrice | UnsetType = UNSET
    quantity: Quantity | UnsetType = UNSET

    at_least_one = True


class Estimate(Struct, frozen=True, rename="camel"):
    id: str
    workshop_id: str
    name: str
    markup_percent: Number
    discount_percent: Number
    created_at: Instant
    updated_at: Instant
    line_items: list[LineItem]
    recipient_name: str | UnsetType = UNSET

    def duplicate(self, estimate_id: str, at: Instant) -> "Estimate":
        """A copy with its own id and without revisions."""
        return structs.replace(self, id=estimate_id, created_at=at, updated_at=at)


class EstimatesList(Struct, frozen=True):
    estimates: list[Estimate]


class EstimateRevision(Struct, frozen=True, rename="camel"):
    id: str
    revision_number: int
    created_at: Instant
    created_by_uid: str
    name: str
    markup_percent: Number
    discount_percent: Number
    line_items: list[LineItem]


class EstimateRevisionsList(Struct, frozen=True):
    revisions: list[EstimateRevision]


class MostUsedLineItemsList(Struct, frozen=True, rename="camel"):
    line_items: list[MostUsedLineItem]


class MostUsedQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=500)] = 20


class EstimateConfirmation(Struct, frozen=True):
    estimate: Estimate
    revision: EstimateRevision


class NewEstimate(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    recipient_name: OptionalName | UnsetType = UNSET
    markup_percent: MarkupPercent | UnsetType = UNSET
    discount_percent: DiscountPercent | UnsetType = UNSET
    line_items: NewLineItems | UnsetType = UNSET
    # Made without a connection: the prices of the workshop may be others by now.
    prices_entered: PricesEntered | UnsetType = UNSET
    # Taxes and sections name lines by their ids, which the client then makes.
    document: DocumentFacts | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        return [] if self.line_items is UNSET else duplicate_ids(self.line_items, "/lineItems")

    def to_estimate(self, workshop_id: str, new_id: NewId, at: Instant) -> Estimate:
        """The new estimate. Percentages that were not sent are 0, and line items are empty."""
        return Estimate(
            id=new_id(),
            workshop_id=workshop_id,
            name=self.name,
            recipient_name=self.recipient_name or UNSET,
            markup_percent=ZERO if self.markup_percent is UNSET else self.markup_percent,
            discount_percent=ZERO if self.discount_percent is UNSET else self.discount_percent,
            created_at=at,
            updated_at=at,
            line_items=[] if self.line_items is UNSET else with_ids(LineItem, self.line_items, new_id),
        )


class EstimateEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name | UnsetType = UNSET
    recipient_name: OptionalName | UnsetType | None = UNSET
    markup_percent: MarkupPercent | UnsetType = UNSET
    discount_percent: DiscountPercent | UnsetType = UNSET
    line_items: NewLineItems | UnsetType = UNSET

    at_least_one = True

    def field_errors(self) -> list[FieldError]:
        return [] if self.line_items is UNSET else duplicate_ids(self.line_items, "/lineItems")


class OrderFromEstimate(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Title and customer of the order. Defaults: the name and recipient of the estimate."""

    title: Title | UnsetType = UNSET
    customer_name: CustomerName | UnsetType = UNSET

    def to_new_order(self, estimate: Estimate) -> NewOrder:
        recipient = "" if estimate.recipient_name is UNSET else estimate.recipient_name
        return NewOrder(
            title=estimate.name if self.title is UNSET else self.title,
            customer_name=recipient if self.customer_name is UNSET else self.customer_name,
        )


class _Entry(Protocol):
    @property
    def id(self) -> str | UnsetType: ...


def duplicate_ids(entries: Sequence[_Entry], pointer: str) -> list[FieldError]:
    """An error for every entry that repeats the id of an earlier one."""
    seen: set[str] = set()
    found = []
    for index, entry in enumerate(entries):
        if entry.id is UNSET:
            continue
        if entry.id in seen:
            found.append(FieldError(f"{pointer}/{index}/id", "duplicate", "Duplicate id"))
        seen.add(entry.id)
    return found


# Statements


COLUMNS = columns(Estimate)
# Of a StoredEstimate.
STORED_COLUMNS = f"{columns(Estimate, 'e')}, e.figures"
_STATE = state_with(
    name=":name",
    recipient_name=":recipient_name",
    markup_percent=":markup_percent",
    discount_percent=":discount_percent",
    line_items=":line_items",
)
_SAVE = f"""
    UPDATE estimates SET name = :name, name_folded = :name_folded, recipient_name = :recipient_name,
        recipient_folded = :recipient_folded, markup_percent = :markup_percent,
        discount_percent = :discount_percent, line_items = :line_items, figures = :figures,
        updated_at = :updated_at, state = {_STATE}
    WHERE id = :id
"""
_SAVE_LINES = f"""
    UPDATE estimates SET line_items = :line_items, figures = :figures, updated_at = :updated_at,
        state = {state_with(line_items=":line_items")}
    WHERE id = :id
"""


async def find(db: Read, estimate_id: str) -> Estimate:
    """Raises NotFound."""
    estimate = await db.one(Estimate, f"SELECT {COLUMNS} FROM estimates WHERE id = :id", id=estimate_id)
    if estimate is None:
        raise NotFound
    return estimate


async def lookup_workshop(db: Read, estimate_id: str) -> str | None:
    """The id of the estimate's workshop; None where there is no such estimate."""
    workshop_id: str | None = await db.value("SELECT workshop_id FROM estimates WHERE id = :id", id=estimate_id)
    return workshop_id


class ListedEstimate(Estimate, frozen=True):
    """An estimate whose line items stay the JSON that is stored, which is the JSON of a response.

    Decoding and encoding the 500 lines of an estimate would take 4 ms.
    """

    line_items: Raw  # type: ignore[assignment]


class StoredEstimate(JoinedRow, frozen=True):
    """`figures` are None where they have not been computed yet."""

    shown: ListedEstimate
    figures: str | None

    @property
    def decoded(self) -> Estimate:
        """The estimate with its line items."""
        line_items = LineItems(bytes(self.shown.line_items)).all()
        return Estimate(**{**structs.asdict(self.shown), "line_items": line_items})

    def read(self) -> tuple[LineItems, Figures]:
        """Its line items and their figures."""
        json = bytes(self.shown.line_items)
        figures = Figures.of(LineItems(json).all()) if self.figures is None else Figures.parse(self.figures)
        return LineItems.stored(json, figures.lines), figures


# The estimate of a path. Its state, revisions, links and decisions are judged under its lock.
ESTIMATE = Loaded(StoredEstimate, "estimate", "estimates e", key="estimate_id", own_columns=STORED_COLUMNS)


def of_workshop(workshop_id: str) -> NewestFirst[ListedEstimate]:
    """The workshop's estimates."""
    source = "FROM estimates WHERE workshop_id = :workshop_id"
    select = f"SELECT {COLUMNS} {source}"
    return NewestFirst(
        ListedEstimate, select, {"workshop_id": workshop_id}, source=source, size="octet_length(line_items)"
    )


async def list_ids(db: Read, workshop_id: str) -> list[str]:
    """The ids of the workshop's estimates, newest first."""
    sql = "SELECT id FROM estimates WHERE workshop_id = :workshop_id ORDER BY created_at DESC, id DESC"
    return await db.all(str, sql, workshop_id=workshop_id)


async def lock_row(db: Write, estimate_id: str) -> None:
    """Locks the estimate until the end of the transaction, for a caller that is no member."""
    await db.locking().one(str, "SELECT id FROM estimates WHERE id = :id", id=estimate_id)


async def add(db: Write, estimate: Estimate, prices_entered: PricesEntered | UnsetType = UNSET) -> None:
    """Its prices are `prices_entered`, or what the prices of the workshop are at this moment."""
    lines = LineItems(to_json(estimate.line_items))
    await db.run(
        """
        INSERT INTO estimates (id, workshop_id, name, name_folded, recipient_name, recipient_folded, markup_percent,
            discount_percent, line_items, figures, created_at, updated_at, facts)
        VALUES (:id, :workshop_id, :name, :name_folded, :recipient_name, :recipient_folded, :markup_percent,
            :discount_percent, :line_items, :figures, :created_at, :updated_at,
            (SELECT '{"pricesEntered":"gross"}' FROM workshops w WHERE w.id = :workshop_id
                AND (:prices_entered = 'gross'
                    OR :prices_entered = '' AND w.document_settings LIKE '%"pricesEntered":"gross"%')))
        """,
        id=estimate.id,
        workshop_id=estimate.workshop_id,
        created_at=estimate.created_at,
        prices_entered=prices_entered or "",
        **_values(estimate, lines.json, Figures.of(estimate.line_items)),
    )
    await line_items.save(db, estimate.workshop_id, estimate.id, {}, lines.uses())


async def save(db: Write, before: StoredEstimate, after: ListedEstimate, figures: Figures) -> None:
    """Saves an estimate that is locked. `figures` are those of its new line items."""
    lines = LineItems(bytes(after.line_items))
    await db.run(_SAVE, id=after.id, **_values(after, lines.json, figures))
    if after.line_items is not before.shown.line_items:
        await line_items.save(
            db, after.workshop_id, after.id, LineItems(bytes(before.shown.line_items)).uses(), lines.uses()
        )


async def save_lines(db: Write, after: ListedEstimate, figures: Figures) -> None:
    """Saves the line items of a locked estimate, of which nothing else has changed. Their uses are saved apart."""
    await db.run(
        _SAVE_LINES,
        id=after.id,
        line_items=bytes(after.line_items).decode(),
        figures=str(figures),
        updated_at=after.updated_at,
    )


def _values(estimate: Estimate, line_items: bytes, figures: Figures) -> dict[str, Value]:
    """The columns that a change can change."""
    recipient = or_none(estimate.recipient_name)
    return {
        "name": estimate.name,
        "name_folded": fold_case(estimate.name),
        "recipient_name": recipient,
        "recipient_folded": fold_case(recipient or ""),
        "markup_percent": estimate.markup_percent.shortest(),
        "discount_percent": estimate.discount_percent.shortest(),
        "line_items": line_items.decode(),
        "figures": str(figures),
        "updated_at": estimate.updated_at,
    }


# Verbs


async def list_all(db: Read, workshop_id: str, query: PageQuery) -> Page[ListedEstimate]:
    """List the estimates of a workshop, newest first."""
    return await of_workshop(workshop_id).page(db, query)


async def create(db: Write, call: Call, workshop_id: str, body: NewEstimate) -> Estimate:
    """Create an estimate. Line items without an id get one.

    Raises Conflict `number_taken` where the document has the number of another one.
    """
    estimate = body.to_estimate(workshop_id, call.new_id, call.now)
    await add(db, estimate, body.prices_entered)
    if body.document is not UNSET:
        # A draft of an agent has none: replacing them is not its operation either.
        if not call.caller.may("estimates:write"):
            raise Forbidden(missing_scope="estimates:write")
        await document_facts.put(db, call, EstimateRef(estimate.id, workshop_id), body.document, at="/document")
    return estimate


async def get(db: Read, estimate: StoredEstimate) -> Estimate:
    """Read an estimate as it is now."""
    return estimate.shown


async def update(db: Write, call: Call, estimate: StoredEstimate, body: EstimateEdit) -> Estimate | Unchanged[Estimate]:
    """Change an estimate. `lineItems` replaces the whole list; line items keep the ids they are sent with."""
    line_items = None if body.line_items is UNSET else with_ids(LineItem, body.line_items, call.new_id)
    after = _edited(estimate.shown, body, line_items)
    if after == estimate.shown:
        return Unchanged(after)
    after = structs.replace(after, updated_at=call.now)
    figures = estimate.read()[1] if line_items is None else Figures.of(line_items)
    await save(db, estimate, after, figures)
    return after


async def duplicate(db: Write, call: Call, estimate: StoredEstimate) -> Audited[Estimate]:
    """Copy an estimate: name, recipient, percentages, line items and document facts.

    Not its document number, revisions, PDF exports and hand-offs.
    """
    duplicated = estimate.decoded.duplicate(call.new_id(), call.now)
    await add(db, duplicated)
    await lock_customer(db, estimate.shown.id, duplicated.workshop_id)
    copied = await document_facts.copy(db, estimate.shown.id, duplicated.id)
    return Audited(duplicated, duplicated.workshop_id, duplicated.id, copied=copied)


async def get_totals(db: Read, estimate: StoredEstimate) -> Totals:
    """Read the totals of an estimate as it is now, in the workshop's currency."""
    settings = await document_settings.find(db, estimate.shown.workshop_id)
    facts = (await document_facts.find(db, estimate.shown.id)).facts
    return facts.revision_terms(settings).totals(estimate.decoded)


async def list_most_used(db: Read, workshop_id: str, query: MostUsedQuery) -> MostUsedLineItemsList:
    """List the line items that most of the workshop's estimates use, with the unit price of their latest use."""
    return MostUsedLineItemsList(await line_items.list_most_used(db, workshop_id, query.limit))


def _edited(estimate: ListedEstimate, edit: EstimateEdit, line_items: list[LineItem] | None) -> ListedEstimate:
    """The estimate with the members that were sent. `line_items` stay the same object where they do not change."""
    stored = estimate.line_items
    sent = stored if line_items is None else Raw(to_json(line_items))
    recipient = estimate.recipient_name if edit.recipient_name is UNSET else edit.recipient_name
    return structs.replace(
        estimate,
        name=estimate.name if edit.name is UNSET else edit.name,
        recipient_name=recipient or UNSET,
        markup_percent=estimate.markup_percent if edit.markup_percent is UNSET else edit.markup_percent,
        discount_percent=estimate.discount_percent if edit.discount_percent is UNSET else edit.discount_percent,
        line_items=stored if bytes(sent) == bytes(stored) else sent,
    )


async def add_line(
    db: Write, call: Call, estimate: StoredEstimate, body: NewLineItem
) -> Estimate | Unchanged[Estimate]:
    """Append a line item to an estimate. An `id` that the estimate has already changes nothing.

    Raises Conflict `plan_limit` where the estimate has 500 line items.
    """
    lines, figures = estimate.read()
    line = made_of(LineItem, body, id=body.id or call.new_id())
    if body.id is not UNSET and line.id in lines:
        # The same request again, after its response was lost; the line may have been changed since.
        return Unchanged(estimate.shown)
    if figures.lines >= MAX_LINE_ITEMS:
        detail = f"An estimate can have at most {MAX_LINE_ITEMS} line items"
        raise Conflict("plan_limit", detail, limit=MAX_LINE_ITEMS, current=figures.lines)
    saved = await _save(db, estimate, lines.added(line), figures.plus([line]), call.now)
    # The price of the last line item with its label and unit counts.
    price = to_json_text(line.unit_price)
    await line_items.save(db, saved.workshop_id, saved.id, {}, {(line.label, line.unit): price})
    return saved


async def update_line(
    db: Write, call: Call, estimate: StoredEstimate, line_id: str, body: LineItemEdit
) -> Estimate | Unchanged[Estimate]:
    """Change a line item of an estimate."""
    lines, figures = estimate.read()
    line = lines.lookup(line_id)
    if line is None:
        raise NotFound
    changed = edited(line, body)
    if changed == line:
        return Unchanged(estimate.shown)
    after = lines.replaced(changed)
    saved = await _save(db, estimate, after, figures.minus([line]).plus([changed]), call.now)
    if _use(changed) != _use(line):
        await _save_uses(db, saved, lines, after, {line.label, changed.label})
    return saved


async def delete_line(db: Write, call: Call, estimate: StoredEstimate, line_id: str) -> Estimate:
    """Delete a line item of an estimate."""
    lines, figures = estimate.read()
    line = lines.lookup(line_id)
    if line is None:
        raise NotFound
    after = lines.removed(line_id)
    saved = await _save(db, estimate, after, figures.minus([line]), call.now)
    await _save_uses(db, saved, lines, after, {line.label})
    return saved


async def _save(db: Write, estimate: StoredEstimate, after: LineItems, figures: Figures, now: Instant) -> Estimate:
    saved = structs.replace(estimate.shown, line_items=Raw(after.json), updated_at=now)
    await save_lines(db, saved, figures)
    return saved


async def _save_uses(db: Write, saved: Estimate, before: LineItems, after: LineItems, labels: set[str]) -> None:
    """Only line items with these labels have changed."""
    await line_items.save(db, saved.workshop_id, saved.id, before.uses(labels), after.uses(labels))


def _use(line: LineItem) -> tuple[str, str, Number]:
    return line.label, line.unit, line.unit_price
