"""Document facts of estimates in the database, and the numbers of documents.

`series_number` is the number that the estimate got from the series of its workshop; `number` is the one that documents
show: that of the facts, or else `series_number`.
"""

from msgspec import UNSET, Struct

from backbench.domain.estimating.document_facts import NO_FACTS, DocumentFacts
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.estimating.states import state_with


class StoredFacts(Struct, frozen=True):
    """`number` is None until the first confirmation, unless the facts have one."""

    facts: DocumentFacts
    number: str | None


async def find(db: Read, estimate_id: str) -> StoredFacts:
    """Raises NotFound."""
    sql = "SELECT coalesce(facts, '{}') AS facts, number FROM estimates WHERE id = :id"
    stored = await db.one(StoredFacts, sql, id=estimate_id)
    if stored is None:
        raise NotFound
    return stored


async def save(db: Write, estimate_id: str, facts: DocumentFacts, at: Instant) -> bool:
    """Whether they differ from those that the estimate had; if not, nothing is written."""
    changed = await db.run(
        f"""
        UPDATE estimates SET facts = :facts, number = coalesce(:number, series_number),
            number_folded = coalesce(:number_folded, lower(series_number)), updated_at = :at,
            state = {state_with(facts=":facts")}
        WHERE id = :id AND coalesce(facts, '{{}}') <> :facts
        """,
        id=estimate_id,
        facts=to_json_text(facts),
        number=or_none(facts.number),
        number_folded=None if facts.number is UNSET else fold_case(facts.number),
        at=at,
    )
    return changed > 0


async def copy(db: Write, from_id: str, to_id: str) -> None:
    """Gives the new estimate the facts of the other one, without its number."""
    facts = (await find(db, from_id)).facts.without_number()
    if facts != NO_FACTS:
        await db.run("UPDATE estimates SET facts = :facts WHERE id = :id", id=to_id, facts=to_json_text(facts))


async def take_number(db: Write, workshop_id: str, year: int) -> str:
    """The next number of the year, such as `12/2026`.

    The row of the year is locked until the transaction ends, and a transaction that fails takes no number: no gap and
    no duplicate under concurrent requests.
    """
    number = await db.value(
        """
        INSERT INTO document_series (workshop_id, year, latest) VALUES (:workshop_id, :year, 1)
        ON CONFLICT (workshop_id, year) DO UPDATE SET latest = document_series.latest + 1 RETURNING latest
        """,
        workshop_id=workshop_id,
        year=year,
    )
    return f"{number}/{year}"


async def save_series_number(db: Write, estimate_id: str, number: str) -> None:
    """Stores the number of an estimate that had none."""
    # Digits and a slash: nothing to fold.
    sql = "UPDATE estimates SET series_number = :number, number = :number, number_folded = :number WHERE id = :id"
    await db.run(sql, id=estimate_id, number=number)


class DocumentRecord(Struct, frozen=True, rename="camel"):
    """The facts and the number of an estimate, as the data archive has them."""

    estimate_id: str
    number: str | None
    document: DocumentFacts


async def list_all(db: Read, workshop_id: str, after: str, limit: int) -> list[DocumentRecord]:
    """The next `limit` estimates that have facts or a number, by their id."""
    return await db.all(
        DocumentRecord,
        """
        SELECT id AS estimate_id, number, coalesce(facts, '{}') AS document FROM estimates
        WHERE workshop_id = :workshop_id AND id > :after AND (facts IS NOT NULL OR number IS NOT NULL)
        ORDER BY id LIMIT :limit
        """,
        workshop_id=workshop_id,
        after=after,
        limit=limit,
    )
