"""A drawn signature as an SVG with one smooth path for each stroke."""

from collections.abc import Sequence

Point = tuple[float, float]

_PEN = 2.4
_INK = "#211f1d"


def signature_svg(strokes: Sequence[Sequence[Point]]) -> str:
    """The strokes in their bounding box; "" without a point. The pen is 2.4 units wide."""
    points = [point for stroke in strokes for point in stroke]
    if not points:
        return ""
    left, top = min(x for x, _ in points) - _PEN, min(y for _, y in points) - _PEN
    width = max(x for x, _ in points) + _PEN - left
    height = max(y for _, y in points) + _PEN - top
    path = " ".join(_stroke_path(stroke) for stroke in strokes if stroke)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}" height="{height:.2f}" '
        f'viewBox="{left:.2f} {top:.2f} {width:.2f} {height:.2f}">'
        f'<path d="{path}" fill="none" stroke="{_INK}" stroke-width="{_PEN}" stroke-linecap="round" '
        'stroke-linejoin="round"/></svg>'
    )


def _stroke_path(stroke: Sequence[Point]) -> str:
    """Curves through all points (Catmull-Rom). A single point is a line of no length, which the pen draws as a dot."""
    parts = [f"M{stroke[0][0]:.2f} {stroke[0][1]:.2f}"]
    if len(stroke) == 1:
        return f"{parts[0]}h0.01"
    around = [stroke[0], *stroke, stroke[-1]]
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        parts.append("C" + " ".join(f"{x:.2f} {y:.2f}" for x, y in (first, second, end)))
    return "".join(parts)
