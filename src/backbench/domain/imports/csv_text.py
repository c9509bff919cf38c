"""CSV as people have it: of any usual encoding, separated by commas, semicolons or tabs."""

import csv
from collections.abc import Iterator
from itertools import islice

from backbench.domain.imports.tables import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS, Row, UnreadableFile

_SEPARATORS = (";", ",", "\t")
_LINES_TRIED = 50
# More rows than a table may have, titles and empty lines included, are not read.
_MOST_LINES = MAX_ROWS + 1_000
# Bytes that are letters of Polish in Windows-1250 and signs in Windows-1252: Ą Ł Ś Ź ł ś ź ą ż.
_POLISH = frozenset(b"\xa5\xa3\x8c\x8f\xb3\x9c\x9f\xb9\xbf")
# Letters of Western languages in Windows-1252 which in Windows-1250 are letters that Polish does not have: À Ã Å È …
_WESTERN = frozenset(b"\xc0\xc3\xc5\xc8\xcc\xd2\xd5\xd8\xd9\xdb\xe0\xe3\xe5\xe8\xec\xf0\xf2\xf5\xf8\xf9\xfb")
# How files begin that are taken for lists, and are none that can be read.
_NO_TABLES = (
    (b"%PDF", "not_text", "The file is a PDF; save the list as CSV or XLSX"),
    (
        b"\xd0\xcf\x11\xe0",
        "old_workbook",
        "The file is a workbook of Excel before 2007, or has a password; save it as XLSX without one",
    ),
)


def decoded(content: bytes) -> str:
    """The text of a file. Without a byte order mark it is UTF-8, or else what its letters suggest."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _strictly(content, "utf-16")
    for beginning, code, detail in _NO_TABLES:
        if content.startswith(beginning):
            raise UnreadableFile(code, detail)
    if b"\0" in content:
        return _without_mark(content)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # A few bytes of each have no meaning; the letters around them can be read all the same.
        return content.decode(_code_page(content), errors="replace")


def rows_of(text: str) -> list[Row]:
    """The rows with their cells, trimmed. Raises UnreadableFile."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    skipped = 0
    separator = None
    # What Excel reads as the separator.
    if lines[0].lower().startswith("sep=") and len(lines[0]) == len("sep=;"):
        separator, skipped = lines[0][-1], 1
    lines = [f"{line}\n" for line in lines[skipped:]]
    separator = separator or _separator(lines)
    rows = []
    try:
        for number, cells in enumerate(_reader(lines, separator), start=1 + skipped):
            if number > _MOST_LINES:
                raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} rows")
            if len(cells) > MAX_COLUMNS and any(cells[MAX_COLUMNS:]):
                raise UnreadableFile("too_many_columns", f"A file can have at most {MAX_COLUMNS} columns")
            rows.append(Row(number, [unescaped(cell.strip()) for cell in cells[:MAX_COLUMNS]]))
    except csv.Error:
        raise UnreadableFile("too_long", f"A cell of the file is longer than {MAX_CELL_LENGTH:,} characters") from None
    return rows


def unescaped(cell: str) -> str:
    """Without the apostrophe that our own CSV files have before what would be a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell


def _without_mark(content: bytes) -> str:
    """UTF-16 without a byte order mark: every second byte of Western text is zero, and the others are not."""
    zeros = [content[:200][at::2].count(0) for at in (0, 1)]
    if min(zeros) or max(zeros) * 3 < len(content[:200]):
        raise UnreadableFile("not_text", "The file is neither a text nor a spreadsheet")
    return _strictly(content, "utf-16-le" if zeros[1] else "utf-16-be")


def _strictly(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise UnreadableFile("not_text", "The file is damaged: it is not the text that it begins as") from None


def _code_page(content: bytes) -> str:
    """Windows-1252 where letters say so, else Windows-1250."""
    polish = sum(each in _POLISH for each in content)
    western = sum(each in _WESTERN for each in content)
    return "cp1252" if western > polish else "cp1250"


def _separator(lines: list[str]) -> str:
    """The one by which most of the first rows have the same number of cells, above one."""
    found: dict[str, tuple[int, int]] = {}
    for separator in _SEPARATORS:
        try:
            widths = [len(cells) for cells in islice(_reader(lines, separator), _LINES_TRIED) if len(cells) > 1]
        except csv.Error:
            continue
        if widths:
            usual = max(set(widths), key=widths.count)
            found[separator] = (widths.count(usual), usual)
    return max(found, key=lambda each: found[each]) if found else ","


def _reader(lines: list[str], separator: str) -> Iterator[list[str]]:
    csv.field_size_limit(MAX_CELL_LENGTH)
    return csv.reader(lines, delimiter=separator)
