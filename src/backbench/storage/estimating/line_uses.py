"""Line item uses: one row per estimate, label and unit, updated with each save, for the most used line items.

Counting them in the estimates' own lists would read and parse every list of the workshop: a tenth of a second for
5,000 estimates, during which the event loop serves no other request on SQLite. Counting rows takes a tenth of that
(docs/decisions/0011).
"""

from collections.abc import Iterable, Sequence
from functools import cache
from string import ascii_lowercase

from backbench.domain.estimating.estimates import Estimate, LineItem, MostUsedLineItem
from backbench.storage.engine.database import Read, Value, Write

# Suffixes of the parameters of one row; their number is the most rows of one statement.
_ROWS = ascii_lowercase


async def list_most_used(db: Read, workshop_id: str, limit: int) -> list[MostUsedLineItem]:
    """Those that most estimates use first, then the latest; each with the unit price of its latest use."""
    return await db.all(
        MostUsedLineItem,
        """
        SELECT label, unit, (
                SELECT unit_price FROM line_uses latest
                WHERE latest.workshop_id = :workshop_id AND latest.label = counted.label
                    AND latest.unit = counted.unit AND latest.used_at = counted.last_used_at
                ORDER BY latest.estimate_id DESC LIMIT 1
            ) AS unit_price, number AS count, last_used_at
        FROM (
            SELECT label, unit, count(*) AS number, max(used_at) AS last_used_at FROM line_uses
            WHERE workshop_id = :workshop_id GROUP BY label, unit
            ORDER BY number DESC, last_used_at DESC, label, unit LIMIT :limit
        ) AS counted
        ORDER BY number DESC, last_used_at DESC, label, unit
        """,
        workshop_id=workshop_id,
        limit=limit,
    )


async def add(db: Write, estimate: Estimate) -> None:
    lines = _distinct(estimate.line_items)
    for start in range(0, len(lines), len(_ROWS)):
        await _insert(db, estimate, lines[start : start + len(_ROWS)])


async def save(db: Write, estimate: Estimate) -> None:
    """Replaces the rows of the estimate. To be called after the estimate was saved in the same transaction.

    Its row is then locked until the transaction ends, so no other transaction can do the same at the same time.
    """
    await db.run("DELETE FROM line_uses WHERE estimate_id = :id", id=estimate.id)
    await add(db, estimate)


async def save_used_at(db: Write, estimate: Estimate) -> None:
    """Updates the time of use after the estimate was saved with unchanged line items."""
    await db.run("UPDATE line_uses SET used_at = :at WHERE estimate_id = :id", id=estimate.id, at=estimate.updated_at)


def _distinct(lines: Iterable[LineItem]) -> list[LineItem]:
    """The last line item of each label and unit, whose price is the latest."""
    return list({(line.label, line.unit): line for line in lines}.values())


async def _insert(db: Write, estimate: Estimate, lines: Sequence[LineItem]) -> None:
    values: dict[str, Value] = {"workshop": estimate.workshop_id, "id": estimate.id, "at": estimate.updated_at}
    for letter, line in zip(_ROWS, lines, strict=False):
        values[f"label_{letter}"] = line.label
        values[f"unit_{letter}"] = line.unit
        values[f"price_{letter}"] = line.unit_price.shortest()
    await db.run(_statement(len(lines)), **values)


@cache
def _statement(rows: int) -> str:
    rows_sql = ", ".join(f"(:workshop, :id, :at, :label_{a}, :unit_{a}, :price_{a})" for a in _ROWS[:rows])
    return f"INSERT INTO line_uses (workshop_id, estimate_id, used_at, label, unit, unit_price) VALUES {rows_sql}"
