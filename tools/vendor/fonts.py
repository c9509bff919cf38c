"""Title fonts: the faces of the PDFs, with the letters of European languages alone, as WOFF2."""

import io
from collections.abc import Mapping
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont
from tools.vendor.packages import ROOT

FONTS = ROOT / "src" / "backbench" / "integrations" / "pdf" / "fonts"
_CHARACTERS = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *range(0x218, 0x21C),
    *(0x192, 0x2BC, 0x2C6, 0x2DA, 0x2DC, 0x1E9E),
    *range(0x2010, 0x2015),
    *range(0x2018, 0x201F),
    *(0x2020, 0x2021, 0x2022, 0x2026, 0x202F, 0x2030, 0x2039, 0x203A, 0x2044, 0x20AC, 0x2116, 0x2122, 0x2212),
]
_NAME_IDS = (1, 3, 4, 6, 16)


def title_font(row: Mapping[str, Any]) -> bytes:
    """The subset, named after its use: some licences reserve the name of the original."""
    font = TTFont(FONTS / row["font"], recalcTimestamp=False)
    options = subset.Options(hinting=False, layout_features=["kern", "locl", "tnum"])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=_CHARACTERS)
    subsetter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in _NAME_IDS:
            name = row["family"].replace(" ", "") if record.nameID == 6 else row["family"]
            font["name"].setName(name, record.nameID, record.platformID, record.platEncID, record.langID)
    font.flavor = "woff2"
    written = io.BytesIO()
    font.save(written)
    return written.getvalue()


def licences(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """For each title font the licence of its original."""
    originals = {path.rpartition("/")[2]: row for path, row in rows.items()}
    texts = {name: (FONTS / "licences" / row["licence"]).read_text("utf-8").strip() for name, row in originals.items()}
    return [f"{name}: {row['font']}, changed\n\n{texts[name]}" for name, row in originals.items()]
