"""Line items of an estimate: add, change and delete one. Changes of different lines never conflict.

The row of the estimate is locked from being read to being saved, so that each change starts from the one before.
"""

from msgspec import UNSET, Raw, structs

from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.estimates import MAX_LINE_ITEMS, Estimate, LineItem, LineItemEdit, NewLineItem
from backbench.domain.estimating.figures import Figures
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.numbers import Number, to_json_text
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Write
from backbench.storage.estimating import estimates, line_uses
from backbench.storage.estimating.estimates import StoredEstimate
from backbench.storage.estimating.line_items import LineItems


async def add(db: Write, call: Call, estimate: StoredEstimate, body: NewLineItem) -> Estimate | Unchanged[Estimate]:
    """Append a line item to an estimate. An `id` that the estimate has already changes nothing.

    Raises Conflict `plan_limit` where the estimate has 500 line items.
    """
    lines, figures = estimate.read()
    line = body.with_id(call.new_id() if body.id is UNSET else body.id)
    if body.id is not UNSET and line.id in lines:
        # The same request again, after its response was lost; the line may have been changed since.
        return Unchanged(estimate.shown)
    if figures.lines >= MAX_LINE_ITEMS:
        detail = f"An estimate can have at most {MAX_LINE_ITEMS} line items"
        raise Conflict("plan_limit", detail, limit=MAX_LINE_ITEMS, current=figures.lines)
    saved = await _save(db, estimate, lines.added(line), figures.plus([line]), call.now)
    # The price of the last line item with its label and unit counts.
    price = to_json_text(line.unit_price)
    await line_uses.save(db, saved.workshop_id, saved.id, {}, {(line.label, line.unit): price})
    return saved


async def update(
    db: Write, call: Call, estimate: StoredEstimate, line_id: str, body: LineItemEdit
) -> Estimate | Unchanged[Estimate]:
    """Change a line item of an estimate."""
    lines, figures = estimate.read()
    line = lines.lookup(line_id)
    if line is None:
        raise NotFound
    edited = body.apply(line)
    if edited == line:
        return Unchanged(estimate.shown)
    after = lines.replaced(edited)
    saved = await _save(db, estimate, after, figures.minus([line]).plus([edited]), call.now)
    if _use(edited) != _use(line):
        await _save_uses(db, saved, lines, after, {line.label, edited.label})
    return saved


async def delete(db: Write, call: Call, estimate: StoredEstimate, line_id: str) -> Estimate:
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
    await estimates.save_lines(db, saved, figures)
    return saved


async def _save_uses(db: Write, saved: Estimate, before: LineItems, after: LineItems, labels: set[str]) -> None:
    """Only line items with these labels have changed."""
    await line_uses.save(db, saved.workshop_id, saved.id, before.uses(labels), after.uses(labels))


def _use(line: LineItem) -> tuple[str, str, Number]:
    return line.label, line.unit, line.unit_price
