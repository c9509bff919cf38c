// Tiles: the grids as they are used. A tap on a tile is for its price, a hold moves it.

import { actionButton } from "../components/action-button.js";
import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { kindOf } from "../components/prices.js";
import { component, div, p } from "../components/tags.js";
import { words } from "../words/words.js";
import { tileWords } from "../words/tiles.js";
import { grids, loadGrids, loadMostUsed } from "../state/grids.js";
import { hasOrders } from "../state/orders.js";
import { lastGrid } from "../state/preferences.js";
import { isTaxed } from "../state/prices.js";
import { go } from "../state/router.js";
import { tilePrices } from "../state/workshops.js";
import { useEffect } from "../vendor/hooks.js";
import { useSignal } from "../vendor/signals.js";
import { GridSheet } from "./tiles/grid-sheet.js";
import { GridTabs } from "./tiles/grid-tabs.js";
import { Learnt } from "./tiles/learnt.js";
import { NewGrid } from "./tiles/new-grid.js";
import { TileList } from "./tiles/tile-list.js";
import { NewTile, TileSheet } from "./tiles/tile-sheet.js";

/** What is open over the grid: a tile by its id, or one of the sheets. @typedef {{ sheet: "tile" | "new-tile" | "grid" | "new-grid", id?: string }} Open */
/** @typedef {(open: Open | null) => void} Opens */

/** @param {{ params: Readonly<Record<string, string>> }} props `gridId` is the grid to show first */
export function screen({ params }) {
  useEffect(() => {
    if (params.gridId) lastGrid.value = params.gridId;
    void loadGrids();
    void loadMostUsed();
  }, [params.gridId]);
  const open = useSignal(/** @type {Open | null} */ (null));
  const opens = (/** @type {Open | null} */ next) => (open.value = next);
  const shown = grids.value.find(({ id }) => id === lastGrid.value) ?? grids.value[0];
  return frame(
    { title: tileWords.value.title, place: "tiles", wide: true, actions: shown && settings(opens) },
    shown ? component(Shown, { grid: shown, opens }) : noGrids(opens),
    openSheet(open.value, shown, opens),
  );
}

/** @param {Opens} opens */
const settings = (opens) =>
  actionButton({
    label: tileWords.value.settings,
    icon: "settings",
    kind: "quiet",
    onClick: () => opens({ sheet: "grid" }),
  });

/** @param {{ grid: Api.Grid, opens: Opens }} props */
function Shown({ grid, opens }) {
  const text = tileWords.value;
  return div(
    { class: "stack" },
    component(GridTabs, { shown: grid, onNew: () => opens({ sheet: "new-grid" }) }),
    div(
      { role: "tabpanel", id: "grid", "aria-labelledby": `grid-${grid.id}`, class: "stack" },
      component(TileList, { key: grid.id, grid, opens }),
      p({ class: "quiet-text" }, grid.buttons.length ? text.howTo : text.empty, pricesAre()),
      actionButton({ label: text.fromCatalog, icon: "book-open", href: `/catalog?grid=${grid.id}` }),
    ),
    component(Learnt, { grid }),
  );
}

function pricesAre() {
  return isTaxed.value && ` ${tileWords.value.pricesAre(kindOf(tilePrices.value))}`;
}

/** @param {Opens} opens */
function noGrids(opens) {
  const text = tileWords.value;
  if (!hasOrders.value) return p({ class: "quiet-text late" }, words.value.common.loading);
  return div(
    { class: "stack" },
    emptyState({
      picture: "🪚",
      text: text.noGrids,
      action: { label: text.chooseCraft, onClick: () => go("/start") },
    }),
    actionButton({
      label: text.newGrid,
      icon: "plus",
      kind: "quiet",
      onClick: () => opens({ sheet: "new-grid" }),
    }),
    actionButton({
      label: text.fromFile,
      icon: "file-text",
      kind: "quiet",
      href: "/shop/connections/imports",
    }),
  );
}

/** @param {Open | null} open @param {Api.Grid | undefined} grid @param {Opens} opens */
function openSheet(open, grid, opens) {
  const onClose = () => opens(null);
  if (open?.sheet === "new-grid") return component(NewGrid, { onClose });
  if (!open || !grid) return null;
  if (open.sheet === "grid") return component(GridSheet, { grid, onClose });
  if (open.sheet === "new-tile") return component(NewTile, { grid, onClose });
  return component(TileSheet, { key: open.id, grid, tileId: open.id ?? "", onClose });
}
