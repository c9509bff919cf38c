"""Numbers of documents in the database: no two documents of a workshop have the same one.

The row of a year says which numbers of its series are taken: those up to `latest`, and those in `own`, which a member
has given a document. It is locked by whoever takes a number of its form. `document_numbers` has the members' numbers.
"""

from msgspec import Struct

from backbench.domain.estimating.document_numbers import SeriesNumber, in_series
from backbench.domain.values.errors import Conflict
from backbench.storage.engine.database import Write

_NEXT = """
    INSERT INTO document_series (workshop_id, year, latest) VALUES (:workshop_id, :year, 1)
    ON CONFLICT (workshop_id, year) DO UPDATE SET latest = document_series.latest + 1 RETURNING latest, own
"""
_LOCKED = """
    INSERT INTO document_series (workshop_id, year, latest) VALUES (:workshop_id, :year, 0)
    ON CONFLICT (workshop_id, year) DO UPDATE SET latest = document_series.latest RETURNING latest, own
"""
_CLAIM = """
    INSERT INTO document_numbers (workshop_id, number, estimate_id) VALUES (:workshop_id, :number, :estimate_id)
    ON CONFLICT (workshop_id, number) DO NOTHING
"""
_OF_ESTIMATE = "workshop_id = :workshop_id AND number = :number AND estimate_id = :estimate_id"


class _Series(Struct, frozen=True):
    latest: int
    own: str

    def has_own(self, place: int) -> bool:
        return f",{place}," in self.own


async def take(db: Write, workshop_id: str, year: int) -> str:
    """The next number of the year, such as `12/2026`, without those that members have given.

    The row of the year is locked until the transaction ends, and a transaction that fails takes no number: no gap and
    no duplicate under concurrent requests.
    """
    while True:
        series = await db.one(_Series, _NEXT, workshop_id=workshop_id, year=year)
        assert series is not None
        if not series.has_own(series.latest):
            return str(SeriesNumber(series.latest, year))


async def claim(db: Write, workshop_id: str, estimate_id: str, number: str) -> None:
    """Gives the estimate a number of its own. Raises Conflict `number_taken` where it is another document's."""
    of_estimate = {"workshop_id": workshop_id, "number": number, "estimate_id": estimate_id}
    wanted = in_series(number)
    if wanted is not None:
        series = await db.one(_Series, _LOCKED, workshop_id=workshop_id, year=wanted.year)
        assert series is not None
        if wanted.place <= series.latest and not series.has_own(wanted.place):
            await _require_series_number(db, estimate_id, number)
            return
    if not await db.run(_CLAIM, **of_estimate):
        if await db.value(f"SELECT 1 FROM document_numbers WHERE {_OF_ESTIMATE}", **of_estimate) is None:
            raise _taken(number)
    elif wanted is not None:
        sql = "UPDATE document_series SET own = own || :added WHERE workshop_id = :workshop_id AND year = :year"
        await db.run(sql, workshop_id=workshop_id, year=wanted.year, added=f"{wanted.place},")


async def release(db: Write, workshop_id: str, estimate_id: str, number: str) -> None:
    """Gives back a number that no revision shows. Does nothing where it is not the estimate's own."""
    wanted = in_series(number)
    if wanted is not None:
        # In the order of `claim`: the row of the year is locked first.
        await db.one(_Series, _LOCKED, workshop_id=workshop_id, year=wanted.year)
    sql = f"DELETE FROM document_numbers WHERE {_OF_ESTIMATE}"
    released = await db.run(sql, workshop_id=workshop_id, number=number, estimate_id=estimate_id)
    if released and wanted is not None:
        await db.run(
            """
            UPDATE document_series SET own = replace(own, :released, ',')
            WHERE workshop_id = :workshop_id AND year = :year
            """,
            workshop_id=workshop_id,
            year=wanted.year,
            released=f",{wanted.place},",
        )


async def _require_series_number(db: Write, estimate_id: str, number: str) -> None:
    """Raises Conflict `number_taken` unless the series has given the number to this estimate."""
    sql = "SELECT 1 FROM estimates WHERE id = :id AND series_number = :number"
    if await db.value(sql, id=estimate_id, number=number) is None:
        raise _taken(number)


def _taken(number: str) -> Conflict:
    return Conflict("number_taken", f"Another document of this workshop has the number {number}")
