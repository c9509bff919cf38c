"""Line items of an estimate: add, change and delete one. Changes of different lines never conflict.

The row of the estimate is locked from being read to being saved, so that each change starts from the one before.
"""

from msgspec import Raw, structs

from backbench.actions.estimating.estimates import lock_for
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.estimates import MAX_LINE_ITEMS, Estimate, LineItemEdit, NewLineItem
from backbench.domain.estimating.figures import Figures
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Write
from backbench.storage.estimating import estimates
from backbench.storage.estimating.estimates import StoredEstimate
from backbench.storage.estimating.line_items import LineItems


async def add(
    db: Write, caller: Caller, estimate_id: str, body: NewLineItem, now: Instant, new_id: NewId
) -> Estimate | Unchanged[Estimate]:
    """Append a line item to an estimate. An `id` that the estimate has already changes nothing.

    Raises Conflict `plan_limit` where the estimate has 500 line items.
    """
    estimate = await lock_for(db, caller, estimate_id)
    lines = estimate.lines
    line = body.with_id(new_id())
    if line.id in lines:
        # The same request again, after its response was lost; the line may have been changed since.
        return Unchanged(estimate.shown)
    if len(lines) >= MAX_LINE_ITEMS:
        detail = f"An estimate can have at most {MAX_LINE_ITEMS} line items"
        raise Conflict("plan_limit", detail, limit=MAX_LINE_ITEMS, current=len(lines))
    figures = estimate.read_figures().plus([line])
    return await _save(db, estimate, lines, lines.added(line), {line.label}, figures, now)


async def update(
    db: Write, caller: Caller, estimate_id: str, line_id: str, body: LineItemEdit, now: Instant
) -> Estimate | Unchanged[Estimate]:
    """Change a line item of an estimate."""
    estimate = await lock_for(db, caller, estimate_id)
    lines = estimate.lines
    line = lines.lookup(line_id)
    if line is None:
        raise NotFound
    edited = body.apply(line)
    if edited == line:
        return Unchanged(estimate.shown)
    figures = estimate.read_figures().minus([line]).plus([edited])
    return await _save(db, estimate, lines, lines.replaced(edited), {line.label, edited.label}, figures, now)


async def delete(db: Write, caller: Caller, estimate_id: str, line_id: str, now: Instant) -> Estimate:
    """Delete a line item of an estimate."""
    estimate = await lock_for(db, caller, estimate_id)
    lines = estimate.lines
    line = lines.lookup(line_id)
    if line is None:
        raise NotFound
    figures = estimate.read_figures().minus([line])
    return await _save(db, estimate, lines, lines.removed(line_id), {line.label}, figures, now)


async def _save(
    db: Write,
    estimate: StoredEstimate,
    before: LineItems,
    after: LineItems,
    labels: set[str],
    figures: Figures,
    now: Instant,
) -> Estimate:
    saved = structs.replace(estimate.shown, line_items=Raw(after.json), updated_at=now)
    await estimates.save_lines(db, before, saved, after, labels, figures)
    return saved
