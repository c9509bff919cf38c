"""Estimates in the database."""

from msgspec import UNSET, Raw, Struct, UnsetType, structs

from backbench.domain.estimating.estimates import Estimate
from backbench.domain.estimating.figures import Figures
from backbench.domain.values.enums import PricesEntered
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json
from backbench.domain.values.scalars import fold_case
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.parameters import or_none
from backbench.storage.engine.rows import JoinedRow, columns
from backbench.storage.estimating import files, line_uses
from backbench.storage.estimating.line_items import LineItems
from backbench.storage.estimating.states import state_with

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


class EstimateRef(Struct, frozen=True):
    """The estimate of a path, for what belongs to it: revisions, documents, links and decisions."""

    id: str
    workshop_id: str


# The estimate of a path. Its state, revisions, links and decisions are judged under its lock.
ESTIMATE = Loaded(StoredEstimate, "estimate", "estimates e", key="estimate_id", own_columns=STORED_COLUMNS)
ESTIMATE_REF = Loaded(EstimateRef, "estimate", "estimates e", key="estimate_id")


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
    await line_uses.save(db, estimate.workshop_id, estimate.id, {}, lines.uses())


async def save(db: Write, before: StoredEstimate, after: ListedEstimate, figures: Figures) -> None:
    """Saves an estimate that is locked. `figures` are those of its new line items."""
    lines = LineItems(bytes(after.line_items))
    await db.run(_SAVE, id=after.id, **_values(after, lines.json, figures))
    if after.line_items is not before.shown.line_items:
        await line_uses.save(
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


async def delete(db: Write, estimate_id: str) -> None:
    """Deletes the estimate with its revisions, PDF exports and hand-offs."""
    await files.delete_of_estimate(db, estimate_id)
    await db.run("DELETE FROM estimates WHERE id = :id", id=estimate_id)
