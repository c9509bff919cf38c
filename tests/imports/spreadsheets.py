"""XLSX files for tests, written by hand: with formulas, dates, and what no program would write."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="List" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    # The second format of cells is that of a date.
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    "</styleSheet>",
}


def text(value: str) -> str:
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def number(value: float) -> str:
    return f"<c><v>{value}</v></c>"


def day(serial: int) -> str:
    """A date by its days since 1899-12-30."""
    return f'<c s="1"><v>{serial}</v></c>'


def formatted(value: float, style: int) -> str:
    """A number in one of the formats of `with_formats`, from 0."""
    return f'<c s="{style}"><v>{value}</v></c>'


def with_formats(*codes: str) -> dict[str, str]:
    """The part of a spreadsheet whose cells have these formats of numbers."""
    named = "".join(
        f'<numFmt numFmtId="{at}" formatCode={quoteattr(code)}/>' for at, code in enumerate(codes, start=164)
    )
    styles = "".join(f'<xf numFmtId="{at}"/>' for at in range(164, 164 + len(codes)))
    content = f'<styleSheet xmlns="{_MAIN}"><numFmts>{named}</numFmts><cellXfs>{styles}</cellXfs></styleSheet>'
    return {"xl/styles.xml": content}


def formula(value: float | None) -> str:
    """A formula, with the value that was stored for it or without one."""
    return "<c><f>SUM(1,2)</f>" + ("" if value is None else f"<v>{value}</v>") + "</c>"


def row(*cells: str) -> str:
    return f"<row>{''.join(cells)}</row>"


def sharing(value: str, count: int) -> bytes:
    """A spreadsheet with a column whose cells all refer to one shared text."""
    rels = _PARTS["xl/_rels/workbook.xml.rels"]
    relation = f'<Relationship Id="r3" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    parts = {
        "xl/_rels/workbook.xml.rels": rels.replace("</Relationships>", relation),
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}"><si><t>{escape(value)}</t></si></sst>',
    }
    return xlsx([row(text("Title")), *[row('<c t="s"><v>0</v></c>')] * count], parts)


def xlsx(rows: Iterable[str | bytes], parts: Mapping[str, str] | None = None, *merged: str) -> bytes:
    """A spreadsheet with one page of these rows; `merged` are ranges such as "A2:A4"."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in {**_PARTS, **(parts or {})}.items():
            archive.writestr(name, f'<?xml version="1.0"?>{content}')
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as page:
            page.write(f'<?xml version="1.0"?><worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for each in rows:
                page.write(each if isinstance(each, bytes) else each.encode())
            cells = "".join(f'<mergeCell ref="{each}"/>' for each in merged)
            page.write(f"</sheetData>{cells and f'<mergeCells>{cells}</mergeCells>'}</worksheet>".encode())
    return file.getvalue()
