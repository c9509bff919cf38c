"""What a run found: one figure a line, with the goal it is held against."""

from collections.abc import Iterable, Sequence

from msgspec import Struct


class Bound(Struct, frozen=True):
    """What the project set itself for a figure. A floor is the point below which the work is not done."""

    goal: float
    floor: float | None = None
    # The goal is a ceiling: less is better.
    is_ceiling: bool = False

    def verdict(self, value: float) -> str:
        if self._holds(value, self.goal):
            return "met"
        if self.floor is not None and self._holds(value, self.floor):
            return "above the floor"
        return "MISSED"

    def _holds(self, value: float, bound: float) -> bool:
        return value <= bound if self.is_ceiling else value >= bound


class Figure(Struct, frozen=True):
    """`value` is what the bound is held against, most often a ratio; the cells are for reading."""

    part: str
    what: str
    ours: str
    peer: str = ""
    value: float | None = None
    shown: str = ""
    bound: Bound | None = None
    numbers: dict[str, float] = {}

    @property
    def verdict(self) -> str:
        return "" if self.bound is None or self.value is None else self.bound.verdict(self.value)


class Note(Struct, frozen=True):
    """A sentence about the run that no figure tells."""

    part: str
    words: str


Found = Figure | Note
_HEAD = ("what", "Backbench", "peer", "result", "goal", "floor", "")


def table(figures: Iterable[Figure]) -> str:
    """The figures as a Markdown table, its columns lined up."""
    rows = [_HEAD, *(_cells(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _cells(figure: Figure) -> tuple[str, ...]:
    bound = figure.bound
    goal = floor = ""
    if bound is not None:
        sign = "≤" if bound.is_ceiling else "≥"
        goal = f"{sign} {bound.goal:g}"
        floor = "" if bound.floor is None else f"{sign} {bound.floor:g}"
    return (figure.what, figure.ours, figure.peer, figure.shown, goal, floor, figure.verdict)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
