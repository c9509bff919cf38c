"""Numbers of documents: those of the series of a workshop and year, such as `12/2026`, and any other text."""

import re

from msgspec import Struct

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
