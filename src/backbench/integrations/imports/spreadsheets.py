"""XLSX files as rows of texts: the first page that has any, with the stored value of each formula."""

import io
import zipfile
from datetime import date, datetime, time, timedelta

import python_calamine
from python_calamine import CalamineWorkbook

from backbench.domain.imports.tables import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS, Row, UnreadableFile

ZIP = b"PK\x03\x04"
# What the parts of the file say that they unpack to, together. A file that says less than that and unpacks to more ends
# at the limits of the process.
_MOST_UNPACKED = 200 << 20
_MOST_PARTS = 2_000
_MOST_LINES = MAX_ROWS + 1_000
# Digits that a spreadsheet shows: 0.1 + 0.2 is 0.3.
_DIGITS = ".15g"


def rows_of(content: bytes) -> list[Row]:
    """Raises UnreadableFile."""
    _require_spreadsheet(content)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for name in workbook.sheet_names:
            page = workbook.get_sheet_by_name(name)
            if page.width > MAX_COLUMNS and page.height:
                raise UnreadableFile("too_many_columns", f"A file can have at most {MAX_COLUMNS} columns")
            if page.height > _MOST_LINES:
                raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} rows")
            if page.height:
                first = 1 + (page.start or (0, 0))[0]
                return [
                    Row(number, [_text(cell) for cell in cells])
                    for number, cells in enumerate(page.to_python(skip_empty_area=True), start=first)
                ]
    except python_calamine.PasswordError:
        raise UnreadableFile("encrypted", "The spreadsheet has a password") from None
    except (python_calamine.CalamineError, OSError, ValueError):
        raise UnreadableFile("damaged", "The spreadsheet is damaged") from None
    raise UnreadableFile("empty", "The spreadsheet has no rows")


def _require_spreadsheet(content: bytes) -> None:
    """Raises UnreadableFile for another ZIP file, and for one that unpacks to more than a spreadsheet of ours."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError):
        raise UnreadableFile("damaged", "The spreadsheet is damaged") from None
    if not any(part.filename == "xl/workbook.xml" for part in parts):
        raise UnreadableFile("not_text", "The file is neither a text nor a spreadsheet")
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _MOST_UNPACKED:
        raise UnreadableFile("too_large", "The spreadsheet unpacks to more than 200 MB")


def _text(cell: object) -> str:
    if isinstance(cell, str):
        if len(cell) > MAX_CELL_LENGTH:
            raise UnreadableFile("too_long", f"A cell of the file is longer than {MAX_CELL_LENGTH:,} characters")
        return cell.strip()
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return format(cell, _DIGITS) if abs(cell) < 1e15 else str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "minutes") if cell.time() != time() else cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, time):
        return cell.isoformat("minutes")
    if isinstance(cell, timedelta):
        minutes = int(cell.total_seconds()) // 60
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return ""
