"""QR codes as SVG, made of one path, so that they stay sharp in a PDF and on a screen."""

from functools import lru_cache
from itertools import groupby

_INK = "#211f1d"
# Rows overlap a little: some viewers would show a thin line between them.
_ROW_HEIGHT = "1.04"
# Empty modules around a code, without which readers do not find it.
QUIET_MODULES = 4


# Making one takes some 20 ms of the event loop, and several people read the code of an order again and again.
@lru_cache(maxsize=256)
def qr_svg(text: str, margin: int = 0) -> str:
    """The code. Without a margin, the page around it must be empty for four modules; one of `margin` modules is white.

    The text is in UTF-8, as banks require.
    """
    # Imported when it is first needed: most documents have no code.
    import segno

    # Level M: readable with 15 % of the code damaged, as on a creased page.
    rows = segno.make(text, error="m", micro=False, boost_error=False, encoding="utf-8").matrix
    size = len(rows) + 2 * margin
    path = "".join(_runs(row, modules, margin) for row, modules in enumerate(rows, margin))
    paper = f'<path d="M0 0h{size}v{size}H0z" fill="#fff"/>' if margin else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}">'
        f'{paper}<path d="{path}" fill="{_INK}"/></svg>'
    )


def _runs(row: int, modules: bytearray, column: int) -> str:
    """A rectangle for each run of dark modules of a row that begins at `column`."""
    path = ""
    for is_dark, run in groupby(modules):
        length = len(list(run))
        if is_dark:
            path += f"M{column} {row}h{length}v{_ROW_HEIGHT}h-{length}z"
        column += length
    return path
