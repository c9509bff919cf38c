"""Files: CSV and XLSX as tables of headings and rows, and the reasons why other files are none."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import msgspec

from backbench.imports import vcards
from backbench.imports.cells import Broken, Cell, Money, shown, terms_of
from backbench.imports.tables import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS, Row, Table, UnreadableFile

# A table is at most so many rows down: titles and empty lines come before it.
_HEADING_ROWS = 20
# More lines than a table may have, titles and empty ones included, are not read. Of a spreadsheet all are, since it may
# have a space in its last one.
_MOST_LINES = MAX_ROWS + 1_000
_LINES_TRIED = 50
_SEPARATORS = (";", ",", "\t", "|")
# Bytes that are letters of Polish in Windows-1250 and signs in Windows-1252: Ą Ł Ś Ź ł ś ź ą ż.
_POLISH = frozenset(b"\xa5\xa3\x8c\x8f\xb3\x9c\x9f\xb9\xbf")
# Letters of Western languages in Windows-1252 which in Windows-1250 are letters that Polish does not have: À Ã Å È …
_WESTERN = frozenset(b"\xc0\xc3\xc5\xc8\xcc\xd2\xd5\xd8\xd9\xdb\xe0\xe3\xe5\xe8\xec\xf0\xf2\xf5\xf8\xf9\xfb")
_ESCAPE = re.compile(r"""(?:(?<=[,;\t\r\n])|(?<=[,;\t\r\n]"))'(?=[=+\-@\t\r\n])""")
# What spreadsheets write for a value that they could not compute, in English, Polish, German and French.
_BROKEN = re.compile(r"#(?:[A-ZŁ]+/[0A]|[A-ZÉŁ/0]+[!?]|N/[AD]|BRAK|NV)!?")
# What a format of numbers shows as it is: `[$€-407]`, `"zł/m2"`, `\€`, `$`; not colours, and signs that fill or pad.
_TEXT_OF_FORMAT = re.compile(r'\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|"([^"]*)"|\\(.)|[_*].|([$€£¥])')
_LONGEST_FORMAT, _LONGEST_SIGN = 255, 40
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
# What the parts of a spreadsheet say that they unpack to, together. One that says less and unpacks to more ends at the
# limits of the process.
_MOST_UNPACKED = 200 << 20
_MOST_PARTS = 2_000

# Whether a text is a heading that is known.
Known = Callable[[str], bool]


def read(content: bytes, known: Known) -> tuple[Table, bool]:
    """The table of a file, by its content, and whether it has contacts. Raises UnreadableFile."""
    if content.startswith(_ZIP):
        return _table_of(list(_spreadsheet_rows(content)), known), False
    text = _decoded(content)
    if text.lstrip()[:11].upper() == "BEGIN:VCARD":
        return vcards.table_of(text), True
    _require_no_markup(text)
    return _table_of(_csv_rows(text, known), known), False


# Headings and rows


def _table_of(rows: Sequence[Row], known: Known) -> Table:
    """The table in the rows: from the row of headings on, without empty rows. Raises UnreadableFile.

    Rows without any known heading, but with an email address or a number, are data already: such a file has none.
    """
    filled = [row for row in rows if _width(row.cells)]
    if not filled:
        raise UnreadableFile("empty", "The file has no rows")
    at = _heading_at(filled[:_HEADING_ROWS], known)
    heading, data = ([], filled) if at is None else ([shown(cell) for cell in filled[at].cells], filled[at + 1 :])
    if not data:
        raise UnreadableFile("empty", "The file has headings and no rows")
    if len(data) > MAX_ROWS:
        raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} rows")
    width = max(_width(heading), *(_width(row.cells) for row in data))
    if width > MAX_COLUMNS:
        raise UnreadableFile("too_many_columns", f"A file can have at most {MAX_COLUMNS} columns")
    names = [name[:250] or f"Column {number}" for number, name in enumerate(_padded(heading, width), start=1)]
    return Table(names, [Row(row.number, _padded(row.cells, width)) for row in data])


def _heading_at(rows: Sequence[Row], known: Known) -> int | None:
    """The index of the row of headings; None where the file has none."""
    scores = [sum(isinstance(cell, str) and known(cell) for cell in row.cells) for row in rows]
    if best := max(scores):
        return scores.index(best)
    # Titles have one cell or two; headings have as many as the rows below them.
    widths = [sum(cell != "" for cell in row.cells) for row in rows]
    usual = max(widths, key=widths.count)
    at = next(at for at, width in enumerate(widths) if width >= usual)
    return None if any(_is_data(cell) for cell in rows[at].cells) or len(rows) == at + 1 else at


def _is_data(cell: Cell) -> bool:
    text = shown(cell)
    digits = sum(each.isdecimal() for each in text)
    return "@" in text or (digits > 0 and digits * 2 >= len(text))


def _width(cells: Sequence[Cell]) -> int:
    return next((at for at in range(len(cells), 0, -1) if cells[at - 1] != ""), 0)


def _padded(cells: Sequence[Cell], width: int) -> list[Any]:
    return [*cells[:width], *[""] * (width - len(cells))]


# CSV


def _decoded(content: bytes) -> str:
    """The text of a file. Without a byte order mark it is UTF-8, or else what its letters suggest."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _strictly(content, "utf-16")
    if content.startswith(b"%PDF"):
        raise UnreadableFile("not_text", "The file is a PDF; save the list as CSV or XLSX")
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise UnreadableFile("encrypted", "The spreadsheet has a password; save it without one")
        raise UnreadableFile("old_workbook", "The file is a workbook of Excel before 2007; save it as XLSX")
    if b"\0" in content:
        return _without_mark(content)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Windows-1252 where letters say so, else Windows-1250. A few bytes of each have no meaning; the letters around
        # them can be read all the same.
        polish = sum(each in _POLISH for each in content)
        western = sum(each in _WESTERN for each in content)
        return content.decode("cp1252" if western > polish else "cp1250", errors="replace")


def _without_mark(content: bytes) -> str:
    """UTF-16 without a byte order mark: every second byte of Western text is zero, and the others are not."""
    zeros = [content[:200][at::2].count(0) for at in (0, 1)]
    if min(zeros) or max(zeros) * 3 < len(content[:200]):
        raise UnreadableFile("not_text", "The file is neither a text nor a spreadsheet; save the list as CSV or XLSX")
    return _strictly(content, "utf-16-le" if zeros[1] else "utf-16-be")


def _strictly(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise UnreadableFile("not_text", "The file is damaged: it is not the text that it begins as") from None


def _require_no_markup(text: str) -> None:
    """Raises UnreadableFile for what is a text and no table."""
    start = text.lstrip()[:200].lower()
    if start.startswith("<") and re.match(r"<(?:!doctype html|html|head|meta|style|table|body|div|!--)", start):
        detail = "The file is a web page with the name of a spreadsheet; open it in a spreadsheet and save it as XLSX"
        raise UnreadableFile("web_page", detail)
    if start.startswith("<?xml"):
        raise UnreadableFile("not_text", "The file is XML; save the list as CSV or XLSX")
    if start.startswith(("{", "[")):
        with suppress(msgspec.DecodeError):
            msgspec.json.decode(text)
            raise UnreadableFile("json", "The file is JSON; save the list as CSV or XLSX")


def _csv_rows(text: str, known: Known) -> list[Row]:
    """The rows with their cells, trimmed. Raises UnreadableFile."""
    lines = [f"{line}\n" for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    skipped = 0
    separator = None
    # What Excel reads as the separator.
    if lines[0].lower().startswith("sep=") and len(lines[0]) == len("sep=;\n"):
        separator, skipped = lines[0][-2], 1
    lines = lines[skipped:]
    separator = separator or _separator(lines, known)
    rows = []
    reader = _reader(lines, separator)
    begun = 0
    try:
        for number, cells in enumerate(reader, start=1 + skipped):
            if reader.line_num - begun > 1:
                _require_closed(lines[begun : reader.line_num], separator, number)
            begun = reader.line_num
            if number > _MOST_LINES:
                raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} rows")
            rows.append(Row(number, [_text(cell) for cell in cells]))
    except csv.Error:
        raise UnreadableFile("too_long", f"A cell of the file is longer than {MAX_CELL_LENGTH:,} characters") from None
    return rows


def _require_closed(lines: list[str], separator: str, number: int) -> None:
    """Raises UnreadableFile where a quotation mark of the row ends in the midst of another row, or nowhere."""
    try:
        list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error:
        raise UnreadableFile("open_quote", f"Row {number} has a quotation mark that is not closed", number) from None


def _separator(lines: list[str], known: Known) -> str:
    """The one that finds most known headings, then by which most rows have the same number of cells, above one."""
    found: dict[str, tuple[int, int, int]] = {}
    for separator in _SEPARATORS:
        try:
            rows = list(islice(_reader(lines, separator), _LINES_TRIED))
        except csv.Error:
            continue
        headings = max((sum(map(known, cells)) for cells in rows[:_HEADING_ROWS] if len(cells) > 1), default=0)
        widths = [len(cells) for cells in rows if len(cells) > 1]
        if widths:
            usual = max(set(widths), key=widths.count)
            found[separator] = (headings, widths.count(usual), usual)
    return max(found, key=lambda each: found[each]) if found else ","


def _reader(lines: list[str], separator: str) -> Any:
    csv.field_size_limit(MAX_CELL_LENGTH)
    return csv.reader(lines, delimiter=separator)


def _text(cell: str) -> Cell:
    text = cell.strip()
    if text.startswith("#") and _BROKEN.fullmatch(text):
        return Broken(text)
    # What spreadsheets write before a text that would be a formula.
    return text[1:] if text[:1] == "'" and text[1:2] in tuple("=+-@") else text


def unescaped(table: Table) -> Table:
    """A CSV file of our own without the apostrophes that it has within texts (exports/csv_files.py)."""
    rows = [
        Row(row.number, [_ESCAPE.sub("", cell) if isinstance(cell, str) else cell for cell in row.cells])
        for row in table.rows
    ]
    return Table(table.columns, rows, table.program)


# XLSX


def _spreadsheet_rows(content: bytes) -> Iterator[Row]:
    """The rows of the first page that people see and that has any. Raises UnreadableFile."""
    # No start needs it.
    import python_calamine
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    _require_spreadsheet(content)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for each in workbook.sheets_metadata:
            page = workbook.get_sheet_by_name(each.name) if each.visible == SheetVisibleEnum.Visible else None
            if page is not None and page.height:
                yield from _page_rows(page, _marked_cells(content, each.name))
                return
    except python_calamine.PasswordError:
        raise UnreadableFile("encrypted", "The spreadsheet has a password; save it without one") from None
    except (python_calamine.CalamineError, ElementTree.ParseError, OSError, ValueError, KeyError):
        raise UnreadableFile("damaged", "The spreadsheet is damaged") from None
    raise UnreadableFile("empty", "The spreadsheet has no rows on a page that is not hidden")


def _page_rows(page: Any, marks: dict[tuple[int, int], Broken | str]) -> Iterator[Row]:
    first_row, first_column = page.start or (0, 0)
    broken_rows = {row for (row, _), mark in marks.items() if isinstance(mark, Broken)}
    merged = {start: last for start, (last, _) in page.merged_cell_ranges or () if last > start[0]}
    above: dict[int, tuple[int, Cell]] = {}
    count = 0
    for at, values in enumerate(page.to_python(skip_empty_area=True), start=first_row):
        # A page that is used down to its last row has a million of them.
        if values.count("") == len(values) and at not in broken_rows:
            continue
        cells = [_marked(cell, marks.get((at, column))) for column, cell in enumerate(values, start=first_column)]
        if not _width(cells):
            continue
        count += 1
        if count > _MOST_LINES:
            raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} rows")
        for column, cell in enumerate(cells):
            if last := merged.get((at, first_column + column)):
                above[column] = last, cell
        yield Row(at + 1, _with_merged(at, cells, above))


def _with_merged(at: int, cells: list[Cell], above: dict[int, tuple[int, Cell]]) -> list[Cell]:
    """The cells with the words that reach down to the row: `above` has the last row of each cell, by column.

    An amount of several rows may be that of all of them. A row that has less of its own goes on with the row above.
    """
    found = {
        column: cell
        for column, (last, cell) in above.items()
        if at <= last and cells[column] == "" and isinstance(cell, str) and cell[:1].isalpha()
    }
    if not found or len(found) > sum(cell != "" for cell in cells):
        return cells
    return [found.get(column, cell) for column, cell in enumerate(cells)]


def _marked(cell: object, mark: Broken | str | None) -> Cell:
    if isinstance(mark, Broken):
        return mark
    value = _value(cell)
    return Money(value, mark) if mark and isinstance(value, float) else value


def _require_spreadsheet(content: bytes) -> None:
    """Raises UnreadableFile for another ZIP file, and for one that unpacks to more than a spreadsheet of ours."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError):
        raise UnreadableFile("damaged", "The spreadsheet is damaged") from None
    names = {part.filename for part in parts}
    if "content.xml" in names:
        raise UnreadableFile("other_spreadsheet", "The file is an OpenDocument spreadsheet; save it as XLSX")
    if any(name.endswith(".iwa") or name == "Index.zip" for name in names):
        raise UnreadableFile("other_spreadsheet", "The file is a spreadsheet of Numbers; export it as XLSX or CSV")
    if "xl/workbook.xml" not in names:
        raise UnreadableFile("not_text", "The file is neither a text nor a spreadsheet; save the list as CSV or XLSX")
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _MOST_UNPACKED:
        raise UnreadableFile("too_large", "The spreadsheet unpacks to more than 200 MB")


def _value(cell: object) -> Cell:
    if isinstance(cell, str):
        if len(cell) > MAX_CELL_LENGTH:
            raise UnreadableFile("too_long", f"A cell of the file is longer than {MAX_CELL_LENGTH:,} characters")
        return cell.strip()
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return float(cell)
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


def _marked_cells(content: bytes, name: str) -> dict[tuple[int, int], Broken | str]:
    """What the library does not read of cells, by row and column from 0: errors and formulas without a stored value,
    which it reads as empty, and the currency with which a number is shown. A formula whose value is an empty text has
    one."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = _xml(archive.read("xl/workbook.xml")).iter()
        named = next(each for each in parts if each.tag.endswith("}sheet") and each.get("name") == name)
        relation = next(value for key, value in named.items() if key.endswith("}id"))
        relations = _xml(archive.read("xl/_rels/workbook.xml.rels"))
        target = next(each.get("Target", "") for each in relations if each.get("Id") == relation)
        page = archive.read(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
        signs = _signs(_xml(archive.read("xl/styles.xml"))) if "xl/styles.xml" in archive.namelist() else {}
    if not signs and b"<f" not in page and b't="e"' not in page:
        return {}
    found: dict[tuple[int, int], Broken | str] = {}
    row = column = -1
    for event, each in ElementTree.iterparse(io.BytesIO(page), ("start", "end")):  # noqa: S314 - as in `_xml`
        tag = each.tag.rpartition("}")[2]
        if event == "start" and tag == "row":
            row, column = int(each.get("r", row + 2)) - 1, -1
        elif event == "start" and tag == "c":
            reference = each.get("r")
            column = _column(reference) if reference else column + 1
        elif event == "end" and tag == "c":
            if mark := _mark_of(each, signs):
                found[row, column] = mark
        elif event == "end" and tag == "row":
            each.clear()
    return found


def _mark_of(cell: ElementTree.Element, signs: dict[str, str]) -> Broken | str | None:
    value = next((child.text for child in cell if child.tag.endswith("}v")), None)
    is_formula = any(child.tag.endswith("}f") for child in cell)
    if cell.get("t") == "e" or (is_formula and value is None and cell.get("t") != "str"):
        return Broken(value or "=")
    return signs.get(cell.get("s", "")) if value is not None else None


def _signs(styles: ElementTree.Element) -> dict[str, str]:
    """What the styles of cells show next to a number, of those that show a currency, by their index."""
    formats = {
        each.get("numFmtId"): each.get("formatCode", "") for each in styles.iter() if each.tag.endswith("}numFmt")
    }
    styles_of_cells = next((each for each in styles if each.tag.endswith("}cellXfs")), ())
    found = {str(at): _sign_of(formats.get(each.get("numFmtId"), "")) for at, each in enumerate(styles_of_cells)}
    return {at: sign for at, sign in found.items() if sign}


@lru_cache(1 << 8)
def _sign_of(code: str) -> str:
    """The texts of the format of positive numbers, with their currency; "" where it has none."""
    texts = ("".join(found.groups("")) for found in _TEXT_OF_FORMAT.finditer(code[:_LONGEST_FORMAT].partition(";")[0]))
    sign = " ".join("".join(texts).split())[:_LONGEST_SIGN]
    return sign if terms_of(f"0 {sign}").currencies else ""


def _xml(content: bytes) -> ElementTree.Element:
    # expat bounds what entities expand to, and the process what is left.
    return ElementTree.fromstring(content)  # noqa: S314


def _column(reference: str) -> int:
    """The index of the column: 0 for A7, 26 for AA7."""
    number = 0
    for letter in reference.rstrip("0123456789"):
        number = number * 26 + ord(letter) - 64
    return number - 1
