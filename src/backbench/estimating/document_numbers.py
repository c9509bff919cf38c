"""Numbers of documents: those of the series of a workshop and year, such as `12/2026`, and any other text."""

import re

from msgspec import Struct

from backbench.engine.database import Write
from backbench.values.errors import Conflict

_IN_SERIES = re.compile(r"([1-9][0-9]{0,8})/([0-9]{4})")


class SeriesNumber(Struct, frozen=True):
    """The `place` counts from 1."""

    place: int
    year: int

    def __str__(self) -> str:
        return f"{self.place}/{self.year}"


def in_series(number: str) -> SeriesNumber | None:
    """The place in the series, where the number has the form of one."""
    found = _IN_SERIES.fullmatch(number)
    return None if found is None else SeriesNumber(int(found[1]), int(found[2]))


# Statements


_NEXT = """
    INSERT INTO document_series (workshop_id, year, latest, own) VALUES (:workshop_id, :year, 1, ',')
    ON CONFLICT (workshop_id, year) DO UPDATE SET latest = document_series.latest + 1 RETURNING latest, own
"""
_LOCKED = """
    INSERT INTO document_series (workshop_id, year, latest, own) VALUES (:workshop_id, :year, 0, ',')
    ON CONFLICT (workshop_id, year) DO UPDATE SET latest = document_series.latest RETURNING latest, own
"""
_SAVE_OWN = "UPDATE document_series SET own = :own WHERE workshop_id = :workshop_id AND year = :year"
_OF_ESTIMATE = "workshop_id = :workshop_id AND number = :number AND estimate_id = :estimate_id"


class _Series(Struct, frozen=True):
    """The row of a year. `own`: places between commas; empty in a row of an earlier version."""

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
        series = await _series(db, _NEXT, workshop_id, year)
        if not series.has_own(series.latest):
            return str(SeriesNumber(series.latest, year))


async def claim(db: Write, workshop_id: str, estimate_id: str, number: str) -> None:
    """Gives the estimate a number of its own. Raises Conflict `number_taken` where it is another document's."""
    of_estimate = {"workshop_id": workshop_id, "number": number, "estimate_id": estimate_id}
    wanted = in_series(number)
    series = None if wanted is None else await _series(db, _LOCKED, workshop_id, wanted.year)
    if wanted and series and wanted.place <= series.latest and not series.has_own(wanted.place):
        await _require_series_number(db, estimate_id, number)
    elif not await db.add_new("document_numbers", key="workshop_id, number", **of_estimate):
        if await db.value(f"SELECT 1 FROM document_numbers WHERE {_OF_ESTIMATE}", **of_estimate) is None:
            raise _taken(number)
    elif wanted and series:
        await db.run(_SAVE_OWN, workshop_id=workshop_id, year=wanted.year, own=f"{series.own}{wanted.place},")


async def release(db: Write, workshop_id: str, estimate_id: str, number: str) -> None:
    """Gives back a number that no revision shows. Does nothing where it is not the estimate's own."""
    wanted = in_series(number)
    # In the order of `claim`: the row of the year is locked first.
    series = None if wanted is None else await _series(db, _LOCKED, workshop_id, wanted.year)
    sql = f"DELETE FROM document_numbers WHERE {_OF_ESTIMATE}"
    released = await db.run(sql, workshop_id=workshop_id, number=number, estimate_id=estimate_id)
    if released and wanted and series:
        own = series.own.replace(f",{wanted.place},", ",")
        await db.run(_SAVE_OWN, workshop_id=workshop_id, year=wanted.year, own=own)


async def _series(db: Write, sql: str, workshop_id: str, year: int) -> _Series:
    """The row of the year, locked."""
    series = await db.one(_Series, sql, workshop_id=workshop_id, year=year)
    assert series is not None
    if series.own:
        return series
    own = ","
    of_year = "SELECT number FROM document_numbers WHERE workshop_id = :workshop_id AND number LIKE :form"
    for number in await db.all(str, of_year, workshop_id=workshop_id, form=f"%/{year}"):
        found = in_series(number)
        own += "" if found is None else f"{found.place},"
    await db.run(_SAVE_OWN, workshop_id=workshop_id, year=year, own=own)
    return _Series(series.latest, own)


async def _require_series_number(db: Write, estimate_id: str, number: str) -> None:
    """Raises Conflict `number_taken` unless the series has given the number to this estimate."""
    sql = "SELECT 1 FROM estimates WHERE id = :id AND series_number = :number"
    if await db.value(sql, id=estimate_id, number=number) is None:
        raise _taken(number)


def _taken(number: str) -> Conflict:
    return Conflict("number_taken", f"Another document of this workshop has the number {number}")
