"""Document facts of estimates in the database, with the numbers of their documents.

`series_number` is the number that the estimate got from the series of its workshop; `number` is the one that documents
show: that of the facts, or else `series_number`.
"""

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.domain.estimating.document_facts import NO_FACTS, DocumentFacts
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.estimating import document_numbers
from backbench.storage.estimating.estimates import EstimateRef
from backbench.storage.estimating.states import state_with

COLUMNS = "coalesce(e.facts, '{}') AS own_facts, e.customer_id, e.number, e.latest_revision"


class StoredFacts(Struct, frozen=True):
    """`number` is None until the first confirmation, unless the facts have one."""

    own_facts: DocumentFacts
    customer_id: str | None
    number: str | None
    latest_revision: int

    @property
    def facts(self) -> DocumentFacts:
        """With the customer, as the API has them."""
        if self.customer_id is None:
            return self.own_facts
        return structs.replace(self.own_facts, customer_id=self.customer_id)

    @property
    def is_confirmed(self) -> bool:
        """Whether a revision may show its number."""
        return self.latest_revision > 0


_SAVE = f"""
    UPDATE estimates SET facts = :facts, customer_id = :customer_id, number = coalesce(:number, series_number),
        number_folded = coalesce(:number_folded, series_number), updated_at = :at,
        state = {state_with(facts=":facts", customer_id=":customer_id")}
    WHERE id = :id
"""


async def find(db: Read, estimate_id: str) -> StoredFacts:
    """Raises NotFound."""
    sql = f"SELECT {COLUMNS} FROM estimates e WHERE id = :id"
    stored = await db.one(StoredFacts, sql, id=estimate_id)
    if stored is None:
        raise NotFound
    return stored


async def save(db: Write, estimate: EstimateRef, before: StoredFacts, facts: DocumentFacts, at: Instant) -> bool:
    """Whether they differ from those `before`; if not, nothing is written. The estimate is locked.

    Raises Conflict `number_taken` where the number is another document's.
    """
    id_, workshop_id = estimate.id, estimate.workshop_id
    if before.facts == facts:
        return False
    if facts.number is not UNSET and facts.number != before.number:
        await document_numbers.claim(db, workshop_id, id_, facts.number)
    if before.facts.number is not UNSET and before.facts.number != facts.number and not before.is_confirmed:
        await document_numbers.release(db, workshop_id, id_, before.facts.number)
    folded = None if facts.number is UNSET else fold_case(facts.number)
    await db.run(
        _SAVE,
        id=id_,
        facts=to_json_text(facts.without_customer()),
        customer_id=or_none(facts.customer_id),
        number=or_none(facts.number),
        number_folded=folded,
        at=at,
    )
    return True


async def release_number(db: Write, estimate: EstimateRef) -> None:
    """Gives back the own number of an estimate that is to be deleted, unless a revision shows it."""
    stored = await find(db, estimate.id)
    if stored.facts.number is not UNSET and not stored.is_confirmed:
        await document_numbers.release(db, estimate.workshop_id, estimate.id, stored.facts.number)


async def copy(db: Write, from_id: str, to_id: str) -> int:
    """Gives the new estimate the facts of the other one, without its number. Returns how many bytes they take."""
    facts = (await find(db, from_id)).facts.without_number()
    own = facts.without_customer()
    text = None if own == NO_FACTS else to_json_text(own)
    # Also without facts: the new estimate has those that the settings gave it.
    sql = "UPDATE estimates SET facts = :facts, customer_id = :customer_id WHERE id = :id"
    await db.run(sql, id=to_id, facts=text, customer_id=or_none(facts.customer_id))
    return len((text or "").encode())


class DocumentRecord(Struct, frozen=True, rename="camel"):
    """The facts and the number of an estimate, as the data archive has them."""

    estimate_id: str
    number: str | None
    document: DocumentFacts
    customer_id: str | UnsetType


async def list_all(db: Read, workshop_id: str, after: str, limit: int) -> list[DocumentRecord]:
    """The next `limit` estimates that have facts or a number, by their id."""
    return await db.all(
        DocumentRecord,
        """
        SELECT id AS estimate_id, number, coalesce(facts, '{}') AS document, customer_id FROM estimates
        WHERE workshop_id = :workshop_id AND id > :after
            AND (facts IS NOT NULL OR number IS NOT NULL OR customer_id IS NOT NULL)
        ORDER BY id LIMIT :limit
        """,
        workshop_id=workshop_id,
        after=after,
        limit=limit,
    )
