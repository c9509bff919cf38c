"""Line item uses: one row per estimate, label and unit, for the most used line items.

A save changes only the rows that differ.
Counting them in the estimates' own lists would read and parse every list of the workshop: a tenth of a second for
5,000 estimates, during which the event loop serves no other request on SQLite (docs/decisions/line-items.md).
"""

from collections.abc import Sequence
from functools import cache
from string import ascii_lowercase

from backbench.domain.estimating.estimates import MostUsedLineItem
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.estimating.line_items import Uses

# Suffixes of the parameters of one row; their number is the most rows of one statement.
_ROWS = ascii_lowercase
# Above this many, all rows of the estimate are replaced with fewer statements.
_MOST_DELETED = len(_ROWS)


async def list_most_used(db: Read, workshop_id: str, limit: int) -> list[MostUsedLineItem]:
    """Those that most estimates use first, then the latest; each with the unit price of its latest use.

    The time of use is that of the estimate. It is read for those only that are used often enough for the list, from
    `changed`, which an index has: in its row it is behind the line items.
    """
    return await db.all(
        MostUsedLineItem,
        """
        WITH changed AS MATERIALIZED (
            SELECT id, updated_at FROM estimates WHERE workshop_id = :workshop_id
        ), counted AS (
            SELECT label, unit, count(*) AS number FROM line_uses WHERE workshop_id = :workshop_id GROUP BY label, unit
        ), listed AS (
            SELECT label, unit, number, (
                    SELECT max(e.updated_at) FROM line_uses u JOIN changed e ON e.id = u.estimate_id
                    WHERE u.workshop_id = :workshop_id AND u.label = counted.label AND u.unit = counted.unit
                ) AS last_used_at
            FROM counted WHERE number >= (
                SELECT min(number) FROM (SELECT number FROM counted ORDER BY number DESC LIMIT :limit) AS most
            )
            ORDER BY number DESC, last_used_at DESC, label, unit LIMIT :limit
        ), latest AS (
            SELECT label, unit, number, last_used_at, (
                    SELECT e.id FROM line_uses u JOIN changed e ON e.id = u.estimate_id
                    WHERE u.workshop_id = :workshop_id AND u.label = listed.label AND u.unit = listed.unit
                    ORDER BY e.updated_at DESC, e.id DESC LIMIT 1
                ) AS estimate_id
            FROM listed
        )
        SELECT latest.label, latest.unit, u.unit_price, latest.number AS count, latest.last_used_at,
            CASE WHEN e.facts LIKE '%"pricesEntered":"gross"%' THEN 'gross' END AS prices_entered
        FROM latest JOIN estimates e ON e.id = latest.estimate_id
        JOIN line_uses u ON u.workshop_id = :workshop_id AND u.label = latest.label AND u.unit = latest.unit
            AND u.estimate_id = latest.estimate_id
        ORDER BY latest.number DESC, latest.last_used_at DESC, latest.label, latest.unit
        """,
        workshop_id=workshop_id,
        limit=limit,
    )


async def save(db: Write, workshop_id: str, estimate_id: str, before: Uses, after: Uses) -> None:
    """Adds or changes the rows of `after`, and deletes those of `before` that are not in it.

    `before` is what they are, as far as they may be deleted: the estimate's row is locked since it was read.
    """
    outdated = [key for key in before if key not in after]
    new = [(*key, price) for key, price in after.items() if before.get(key) != price]
    if len(outdated) > _MOST_DELETED:
        await db.run("DELETE FROM line_uses WHERE estimate_id = :id", id=estimate_id)
        new = [(*key, price) for key, price in after.items()]
    elif outdated:
        await _delete(db, estimate_id, outdated)
    for start in range(0, len(new), len(_ROWS)):
        await _insert(db, workshop_id, estimate_id, new[start : start + len(_ROWS)])


async def _delete(db: Write, estimate_id: str, keys: Sequence[tuple[str, str]]) -> None:
    values: dict[str, Value] = {"id": estimate_id}
    for letter, (label, unit) in zip(_ROWS, keys, strict=False):
        values[f"label_{letter}"], values[f"unit_{letter}"] = label, unit
    await db.run(_delete_statement(len(keys)), **values)


async def _insert(db: Write, workshop_id: str, estimate_id: str, uses: Sequence[tuple[str, str, str]]) -> None:
    values: dict[str, Value] = {"workshop": workshop_id, "id": estimate_id}
    for letter, (label, unit, price) in zip(_ROWS, uses, strict=False):
        values[f"label_{letter}"], values[f"unit_{letter}"], values[f"price_{letter}"] = label, unit, price
    await db.run(_insert_statement(len(uses)), **values)


@cache
def _insert_statement(rows: int) -> str:
    rows_sql = ", ".join(f"(:workshop, :id, :label_{a}, :unit_{a}, :price_{a})" for a in _ROWS[:rows])
    return f"""
        INSERT INTO line_uses (workshop_id, estimate_id, label, unit, unit_price) VALUES {rows_sql}
        ON CONFLICT (workshop_id, label, unit, estimate_id) DO UPDATE SET unit_price = excluded.unit_price
    """


@cache
def _delete_statement(rows: int) -> str:
    conditions = " OR ".join(f"(label = :label_{a} AND unit = :unit_{a})" for a in _ROWS[:rows])
    return f"DELETE FROM line_uses WHERE estimate_id = :id AND ({conditions})"
