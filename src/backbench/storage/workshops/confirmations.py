"""Confirmation of an estimate in the database: all that it needs in one statement, and the estimate changed by one.

In this folder because documents show the workshop: the statements of estimates know nothing of those of workshops.
"""

from msgspec import Struct

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.engine.database import Write
from backbench.storage.estimating import document_facts, estimates
from backbench.storage.estimating.document_facts import StoredFacts
from backbench.storage.estimating.estimates import StoredEstimate
from backbench.storage.workshops import workshops

_FOUND = f"""
    SELECT {estimates.OF_CALLER_COLUMNS}, {document_facts.COLUMNS}, w.document_settings, {workshops.COLUMNS}
    FROM estimates e JOIN members m ON m.workshop_id = e.workshop_id AND m.account_id = :uid
        JOIN workshops w ON w.id = e.workshop_id
    WHERE e.id = :id
"""


class _Settings(Struct, frozen=True):
    document_settings: DocumentSettings


class Confirmable(StoredEstimate, frozen=True):
    """A locked estimate of one of the caller's workshops, with what its documents show."""

    facts: StoredFacts
    settings: _Settings
    workshop: StoredWorkshop


async def lock(db: Write, estimate_id: str, uid: str) -> Confirmable | None:
    """None where there is no such estimate, or the account is not a member: a stranger waits for no lock."""
    return await db.locking().one(Confirmable, _FOUND, id=estimate_id, uid=uid)


async def save(db: Write, estimate_id: str, revision_number: int, number: str, series_number: str | None) -> bool:
    """The estimate is then as its latest revision, which is to be added in the same transaction.

    `number` is that of its documents; `series_number` is given where it is a new one of the series. Returns whether the
    estimate has orders, for which another price may hold now.
    """
    orders = await db.value(
        """
        UPDATE estimates SET latest_revision = :revision, state = 'confirmed', number = :number,
            series_number = coalesce(:series, series_number), number_folded = coalesce(:series, number_folded)
        WHERE id = :id RETURNING (SELECT count(*) FROM orders o WHERE o.estimate_id = estimates.id)
        """,
        id=estimate_id,
        revision=revision_number,
        number=number,
        series=series_number,
    )
    return bool(orders)
