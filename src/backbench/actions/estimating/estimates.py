"""Estimates of a workshop: list, create, read, update, duplicate, delete, price, and turn into orders."""

from msgspec import UNSET, Raw, structs

from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.estimates import (
    Estimate,
    EstimateEdit,
    LineItem,
    MostUsedLineItemsList,
    MostUsedQuery,
    NewEstimate,
    OrderFromEstimate,
)
from backbench.domain.estimating.figures import Figures
from backbench.domain.values.errors import Conflict
from backbench.domain.values.ids import with_ids
from backbench.domain.values.money import Totals
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.domain.workshops.orders import Order
from backbench.storage.customers import customers
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_facts, document_settings, estimates, files, line_uses
from backbench.storage.estimating.estimates import EstimateRef, ListedEstimate, StoredEstimate
from backbench.storage.orders import order_details, owed
from backbench.storage.sharing import decisions
from backbench.storage.workshops import orders


async def list_all(db: Read, workshop_id: str, query: PageQuery) -> Page[ListedEstimate]:
    """List the estimates of a workshop, newest first."""
    return await estimates.of_workshop(workshop_id).page(db, query)


async def create(db: Write, call: Call, workshop_id: str, body: NewEstimate) -> Estimate:
    """Create an estimate. Line items without an id get one."""
    estimate = body.to_estimate(workshop_id, call.new_id, call.now)
    await estimates.add(db, estimate, body.prices_entered)
    return estimate


async def get(db: Read, estimate: StoredEstimate) -> Estimate:
    """Read an estimate as it is now."""
    return estimate.shown


async def update(db: Write, call: Call, estimate: StoredEstimate, body: EstimateEdit) -> Estimate | Unchanged[Estimate]:
    """Change an estimate. `lineItems` replaces the whole list; line items keep the ids they are sent with."""
    line_items = None if body.line_items is UNSET else with_ids(body.line_items, call.new_id)
    after = _edited(estimate.shown, body, line_items)
    if after == estimate.shown:
        return Unchanged(after)
    after = structs.replace(after, updated_at=call.now)
    figures = estimate.read()[1] if line_items is None else Figures.of(line_items)
    await estimates.save(db, estimate, after, figures)
    return after


async def delete(db: Write, estimate: EstimateRef) -> None:
    """Delete an estimate with its revisions, PDF exports, hand-offs and links.

    Orders made from it stay, and so does the evidence of decisions about it.

    Raises Conflict `accepted` while a client's acceptance of it stands.
    """
    if await decisions.standing_outcome(db, estimate.id) == "accepted":
        raise Conflict("accepted", "A client has accepted this estimate; void the decision first")
    await decisions.keep(db, estimate.id)
    await document_facts.release_number(db, estimate)
    await estimates.delete(db, estimate.id)
    await owed.save_of_estimate(db, estimate.id)
    await files.delete_unused_logos(db, estimate.workshop_id)


async def duplicate(db: Write, call: Call, estimate: StoredEstimate) -> Audited[Estimate]:
    """Copy an estimate: name, recipient, percentages, line items and document facts.

    Not its document number, revisions, PDF exports and hand-offs.
    """
    duplicated = estimate.decoded.duplicate(call.new_id(), call.now)
    await estimates.add(db, duplicated)
    await _lock_customer(db, estimate.shown.id, duplicated.workshop_id)
    copied = await document_facts.copy(db, estimate.shown.id, duplicated.id)
    return Audited(duplicated, duplicated.workshop_id, duplicated.id, copied=copied)


async def get_totals(db: Read, estimate: StoredEstimate) -> Totals:
    """Read the totals of an estimate as it is now, in the workshop's currency."""
    settings = await document_settings.find(db, estimate.shown.workshop_id)
    facts = (await document_facts.find(db, estimate.shown.id)).facts
    return facts.revision_terms(settings).totals(estimate.decoded)


async def list_most_used(db: Read, workshop_id: str, query: MostUsedQuery) -> MostUsedLineItemsList:
    """List the line items that most of the workshop's estimates use, with the unit price of their latest use."""
    return MostUsedLineItemsList(await line_uses.list_most_used(db, workshop_id, query.limit))


async def create_order(db: Write, call: Call, estimate: StoredEstimate, body: OrderFromEstimate) -> Order:
    """Create an order from an estimate, for its customer.

    Title and customer name are the estimate's unless the body gives others.
    """
    estimate_id, workshop_id = estimate.shown.id, estimate.shown.workshop_id
    order = body.to_new_order(estimate.shown).to_order(workshop_id, call.new_id(), call.now)
    await orders.add(db, order)
    await orders.save_estimate(db, order.id, estimate_id)
    await _lock_customer(db, estimate_id, workshop_id)
    if (customer_id := (await document_facts.find(db, estimate_id)).customer_id) is not None:
        await order_details.save_customer(db, order.id, customer_id)
    return order


async def _lock_customer(db: Write, estimate_id: str, workshop_id: str) -> None:
    """Keeps the customer that the estimate names, if any, until the end of the transaction."""
    if (await document_facts.find(db, estimate_id)).customer_id is not None:
        await customers.lock_links(db, workshop_id)


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
