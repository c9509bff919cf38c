"""Confirmation of an estimate in the database: all that it needs in one statement, and the estimate changed by one.

In this folder because documents show the workshop: the statements of estimates know nothing of those of workshops.
"""

from msgspec import Struct

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.engine.database import Write
from backbench.storage.engine.objects import Loaded
from backbench.storage.estimating import document_facts
from backbench.storage.estimating.document_facts import StoredFacts
from backbench.storage.estimating.estimates import STORED_COLUMNS, StoredEstimate
from backbench.storage.workshops import workshops


class _Settings(Struct, frozen=True):
    document_settings: DocumentSettings


class Confirmable(StoredEstimate, frozen=True):
    """An estimate with what its documents show."""

    facts: StoredFacts
    settings: _Settings
    workshop: StoredWorkshop


# The estimate of a path that is to be confirmed: its snapshot, its number and the count against the plan belong to one
# state of it.
CONFIRMABLE = Loaded(
    Confirmable,
    "estimate",
    "estimates e",
    key="estimate_id",
    own_columns=f"{STORED_COLUMNS}, {document_facts.COLUMNS}, w.document_settings, {workshops.COLUMNS}",
    joins="LEFT JOIN workshops w ON w.id = e.workshop_id",
)


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
