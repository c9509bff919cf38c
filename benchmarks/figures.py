"""Figures of a run, compared with their goals, and the Markdown table of them."""

from collections.abc import Iterable, Sequence

from msgspec import Struct


class Bound(Struct, frozen=True):
    """The goal of a figure. Below the floor a figure is not acceptable."""

    goal: float
    floor: float | None = None
    # Lower is better.
    is_ceiling: bool = False

    def verdict(self, value: float) -> str:
        if self._reaches(value, self.goal):
            return "met"
        if self.floor is not None and self._reaches(value, self.floor):
            return "above the floor"
        return "MISSED"

    def _reaches(self, value: float, bound: float) -> bool:
        return value <= bound if self.is_ceiling else value >= bound


class Figure(Struct, frozen=True):
    """`value`, usually a ratio, is compared with `bound`; `backbench`, `peer` and `result` are cells of the table."""

    suite: str
    name: str
    backbench: str
    peer: str = ""
    value: float | None = None
    result: str = ""
    bound: Bound | None = None
    numbers: dict[str, float] = {}

    @property
    def verdict(self) -> str:
        return "" if self.bound is None or self.value is None else self.bound.verdict(self.value)


class Note(Struct, frozen=True):
    """A remark on the run."""

    suite: str
    text: str


Result = Figure | Note
_HEAD = ("what", "Backbench", "peer", "result", "goal", "floor", "")


def table(figures: Iterable[Figure]) -> str:
    """The figures as a Markdown table with aligned columns."""
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
    return (figure.name, figure.backbench, figure.peer, figure.result, goal, floor, figure.verdict)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
