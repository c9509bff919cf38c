"""Examples of grids, files and the catalog."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.estimating.catalog import CatalogKeywords, PredefinedItemsCatalog, catalog, catalog_keywords
from backbench.estimating.file_types import FileRecord, FilesList
from backbench.estimating.grids import (
    AddedButtons,
    Grid,
    GridButton,
    GridEdit,
    GridOrder,
    GridsList,
    NewGrid,
    NewGridButton,
)
from backbench.reference.examples.ids import (
    ANNA_UID,
    BENCH_GRID_ID,
    CHANGED_AT,
    ESTIMATE_ID,
    GRID_ID,
    ICON_ID,
    OAK_BUTTON_ID,
    PDF_EXPORT_ID,
    PLACED_LINE_ID,
    SAWING_BUTTON_ID,
    SENT_AT,
    SIGNED_UP_AT,
    WORKSHOP_ID,
)
from backbench.values.emoji import EmojiSet, emoji_set
from backbench.values.numbers import Number

GRID = Grid(
    id=GRID_ID,
    workshop_id=WORKSHOP_ID,
    name="Tables",
    icon_size="medium",
    created_at=SIGNED_UP_AT,
    updated_at=SIGNED_UP_AT,
    buttons=[
        GridButton(
            id=OAK_BUTTON_ID,
            emoji="🪵",
            label="Oak boards, 40 mm",
            unit="sqm",
            unit_price=Number("320"),
            background_color="#C9A678",
            icon_file_id=ICON_ID,
        ),
        GridButton(id=SAWING_BUTTON_ID, emoji="🪚", label="Joinery work", unit="hour", unit_price=Number("110")),
    ],
)
ICON = FileRecord(
    id=ICON_ID,
    scope="workshop",
    scope_id=WORKSHOP_ID,
    category="grid_tile_icon",
    content_type="image/png",
    size_bytes=18_204,
    uploaded_by_uid=ANNA_UID,
    created_at=SIGNED_UP_AT,
    name="oak.png",
)
PDF_FILE = FileRecord(
    id=PDF_EXPORT_ID,
    scope="estimate",
    scope_id=ESTIMATE_ID,
    category="estimate_pdf",
    content_type="application/pdf",
    size_bytes=55_208,
    uploaded_by_uid=ANNA_UID,
    created_at=SENT_AT,
    name="Oak dining table, 220 × 95 cm 1.pdf",
    estimate_id=ESTIMATE_ID,
)
# Of the catalog itself: the entries exist, as they are.
CATALOG = PredefinedItemsCatalog(
    tuple(each for each in catalog().items if each.id in ("site-measurement-joinery", "joinery-drawings")),
    tuple(each for each in catalog().domains if each.slug == "carpentry"),
    tuple(each for each in catalog().templates if each.slug == "fitted-furniture"),
)
EMOJI = EmojiSet(tuple(each for each in emoji_set().emoji if each.emoji in ("🔨", "🪚", "🪵")))
KEYWORDS = CatalogKeywords(
    tuple(each for each in catalog_keywords().items if each.id == "furniture-assembly"),
    tuple(each for each in catalog_keywords().emoji if each.emoji == "🪵"),
)
BODIES: Mapping[str, Any] = {
    "createGrid": NewGrid(
        name="Tables",
        icon_size="medium",
        buttons=[
            NewGridButton(
                emoji=button.emoji,
                label=button.label,
                unit=button.unit,
                unit_price=button.unit_price,
                background_color=button.background_color,
                icon_file_id=button.icon_file_id,
            )
            for button in GRID.buttons
        ],
    ),
    "reorderGrids": GridOrder([BENCH_GRID_ID, GRID_ID]),
    "addGridButtons": AddedButtons(item_ids=["fitted-wardrobe", "kitchen-base-cabinet"], locale="en"),
    "updateGrid": GridEdit(name="Tables and benches", icon_size="large"),
}
RESPONSES: Mapping[str, Any] = {
    "listGrids": GridsList([GRID]),
    "createGrid": GRID,
    "reorderGrids": GridsList([structs.replace(GRID, id=BENCH_GRID_ID, name="Benches", buttons=[]), GRID]),
    "addGridButtons": structs.replace(
        GRID,
        updated_at=CHANGED_AT,
        buttons=[
            *GRID.buttons,
            *AddedButtons(item_ids=["fitted-wardrobe", "kitchen-base-cabinet"]).to_buttons(
                "en", lambda: PLACED_LINE_ID
            ),
        ],
    ),
    "getGrid": GRID,
    "updateGrid": structs.replace(GRID, name="Tables and benches", icon_size="large", updated_at=CHANGED_AT),
    "getCatalog": CATALOG,
    "listEmoji": EMOJI,
    "listCatalogKeywords": KEYWORDS,
    "uploadFile": ICON,
    "listFiles": FilesList([PDF_FILE, ICON]),
}
