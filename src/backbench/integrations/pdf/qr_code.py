"""QR codes as SVG, made of one path, so that they stay sharp in a PDF."""

from itertools import groupby

_INK = "#211f1d"
# Rows overlap a little: some viewers would show a thin line between them.
_ROW_HEIGHT = "1.04"


def qr_svg(text: str) -> str:
    """The code without a margin: the page around it must be empty for four modules."""
    # Imported when it is first needed: most documents have no code.
    import segno

    # Level M: readable with 15 % of the code damaged, as on a creased page.
    rows = segno.make(text, error="m", micro=False, boost_error=False).matrix
    size = len(rows)
    path = "".join(_runs(row, modules) for row, modules in enumerate(rows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}">'
        f'<path d="{path}" fill="{_INK}"/></svg>'
    )


def _runs(row: int, modules: bytearray) -> str:
    """A rectangle for each run of dark modules."""
    path, column = "", 0
    for is_dark, run in groupby(modules):
        length = len(list(run))
        if is_dark:
            path += f"M{column} {row}h{length}v{_ROW_HEIGHT}h-{length}z"
        column += length
    return path
