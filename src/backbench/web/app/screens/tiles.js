// Tiles: the grids as they are used. A tap on a tile is for its price, a hold moves it.

import { boundFields } from "../components/bound-fields.js";
import { isProblem } from "../api/problems.js";
import { actionButton } from "../components/action-button.js";
import { choice } from "../components/controls.js";
import { emptyState, notice } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { isOnline, needsConnection } from "../components/command.js";
import { kindOf } from "../components/prices.js";
import { sheet } from "../components/sheet.js";
import { button, component, div, h2, h3, icon, p, section, span } from "../components/tags.js";
import { price as priceText } from "../domain/format.js";
import { folded } from "../domain/search.js";
import { store, stored } from "../local/settings.js";
import {
  addTile,
  deleteGrid,
  deleteTile,
  editGrid,
  editTile,
  grids,
  loadMostUsed,
  mostUsed,
  reorderGrids,
} from "../state/grids.js";
import { hasOrders } from "../state/orders.js";
import { isPending } from "../state/outbox.js";
import { lastGrid } from "../state/preferences.js";
import { isTaxed, onTile } from "../state/prices.js";
import { go } from "../state/router.js";
import { offerDrop, offerUndo } from "../state/undo.js";
import { currency, tilePrices } from "../state/workshops.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { signal, useSignal } from "../vendor/signals.js";
import { explained } from "../words/problems.js";
import { tileWords } from "../words/tiles.js";
import { words, wordsLanguage } from "../words/words.js";
import { pictureFor } from "./tiles/emoji.js";
import { NewGrid } from "./tiles/new-grid.js";
import { TileList } from "./tiles/tile-list.js";
import { NewTile, TileSheet } from "./tiles/tile-sheet.js";
/** What is open over the grid: a tile by its id, or one of the sheets. @typedef {{ sheet: "tile" | "new-tile" | "grid" | "new-grid", id?: string }} Open */
/** @typedef {(open: Open | null) => void} Opens */

/** @param {{ params: Readonly<Record<string, string>> }} props `gridId` is the grid to show first */
export function screen({ params }) {
  useEffect(() => {
    if (params.gridId) lastGrid.value = params.gridId;
    void loadMostUsed();
  }, [params.gridId]);
  const open = useSignal(/** @type {Open | null} */ (null));
  const opens = (/** @type {Open | null} */ next) => (open.value = next);
  const shown = grids.value.find(({ id }) => id === lastGrid.value) ?? grids.value[0];
  return frame(
    {
      title: tileWords.value.title,
      place: "shop",
      back: "/shop",
      wide: true,
      actions: shown && settings(opens),
    },
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

// Tabs of the grids, and the one that makes another.

/** @param {{ shown: Api.Grid, onNew: () => void }} props */
function GridTabs({ shown, onNew }) {
  useEffect(() => {
    document.getElementById(`grid-${shown.id}`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown.id]);
  return div(
    { class: "page-tabs" },
    div(
      { class: "row-of-tabs", role: "tablist", "aria-label": tileWords.value.grids, onKeyDown: onArrow },
      ...grids.value.map((grid) => tab(grid, grid.id === shown.id)),
    ),
    button(
      { class: "page-tab new", type: "button", onClick: onNew },
      icon("plus"),
      span({}, tileWords.value.newGrid),
    ),
  );
}

/** @param {Api.Grid} grid @param {boolean} selected */
function tab(grid, selected) {
  return button(
    {
      key: grid.id,
      class: "page-tab",
      type: "button",
      role: "tab",
      id: `grid-${grid.id}`,
      "aria-controls": "grid",
      "aria-selected": selected,
      tabIndex: selected ? 0 : -1,
      onClick: () => (lastGrid.value = grid.id),
    },
    grid.name,
    isPending(grid.id) && icon("clock", { label: words.value.common.connection.notSentYet }),
  );
}

/** @param {KeyboardEvent} event */
function onArrow(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = grids.value;
  const at = all.findIndex(({ id }) => event.target instanceof Element && event.target.id === `grid-${id}`);
  const next = all[(at + step + all.length) % all.length];
  if (!next) return;
  lastGrid.value = next.id;
  document.getElementById(`grid-${next.id}`)?.focus();
}

// Learnt: what the workshop's estimates say about its tiles: another price, or a tile that is missing.

/** @typedef {typeof mostUsed.value[number]} Line */
/** @typedef {{ line: Line, gridId: string, tile?: Api.Grid["buttons"][number] }} Lesson */

const LEFT = "backbench-left-prices";
/** What somebody has decided to leave as it is, in this browser. */
const left = signal(/** @type {string[]} */ (stored(LEFT, [])));
/** So many estimates make a habit; for a new tile one more. */
const HABIT = 2;
const MOST = 2;

/** @param {{ grid: Api.Grid }} props */
function Learnt({ grid }) {
  const found = lessons(grid).slice(0, MOST);
  if (found.length === 0) return null;
  return section(
    { class: "stack" },
    h2({}, tileWords.value.learnt),
    ...found.map((lesson) => component(Lesson, { key: nameOf(lesson.line), ...lesson })),
  );
}

/** Prices first: a new tile goes on the grid that is shown. @param {Api.Grid} grid @returns {Lesson[]} */
function lessons(grid) {
  const known = new Map(
    grids.value.flatMap(({ id, buttons }) => buttons.map((tile) => [sameness(tile), { gridId: id, tile }])),
  );
  const all = mostUsed.value
    .map((line) => ({ ...line, unitPrice: onTile(line.unitPrice, line.pricesEntered) }))
    .filter((line) => line.count >= HABIT && line.unitPrice > 0 && !left.value.includes(nameOf(line)))
    .map((line) => ({ line, gridId: grid.id, ...known.get(sameness(line)) }));
  const dearer = all.filter(({ line, tile }) => tile && tile.unitPrice !== line.unitPrice);
  return [...dearer, ...all.filter(({ line, tile }) => !tile && line.count > HABIT)];
}

/** @param {{ label: string, unit: string }} line */
const sameness = ({ label, unit }) => `${unit}/${folded(label)}`;
/** @param {Line} line */
const nameOf = (line) => `${sameness(line)}/${line.unitPrice}`;

/** @param {Lesson} props */
function Lesson({ line, gridId, tile }) {
  const text = tileWords.value;
  const shown = (/** @type {number} */ value) => priceText(value, currency.value, wordsLanguage.value);
  const there = tile ? tile.unitPrice ? text.onTile(shown(tile.unitPrice)) : text.noPriceYet : text.noTileYet;
  const learn = () => tile ? keep(line, gridId, tile, shown) : make(line, gridId);
  return div(
    { class: "notice lesson" },
    p({}, text.charged(line.label, shown(line.unitPrice), line.count)),
    p({ class: "quiet-text" }, there),
    div(
      { class: "row" },
      actionButton({
        label: tile ? text.keep(shown(line.unitPrice)) : text.makeTile,
        icon: tile ? "check" : "plus",
        about: line.label,
        onClick: learn,
      }),
      actionButton({ label: text.leave, kind: "quiet", about: line.label, onClick: () => leave(line) }),
    ),
  );
}

/** @param {Line} line @param {string} gridId @param {Api.Grid["buttons"][number]} tile @param {(value: number) => string} shown */
function keep(line, gridId, tile, shown) {
  const before = tile.unitPrice;
  editTile(gridId, tile.id, { unitPrice: line.unitPrice });
  offerUndo(tileWords.value.kept(tile.label, shown(line.unitPrice)), () => {
    editTile(gridId, tile.id, { unitPrice: before });
  });
}

/** @param {Line} line @param {string} gridId */
function make({ label, unit, unitPrice }, gridId) {
  const id = addTile(gridId, { emoji: pictureFor(label), label, unit, unitPrice });
  offerUndo(tileWords.value.newTile, () => void deleteTile(gridId, id));
}

/** @param {Line} line */
function leave(line) {
  left.value = [...left.value, nameOf(line)].slice(-200);
  store(LEFT, left.value);
}

// Sheet of a grid: its name, the size of its tiles, its place among the grids.

const SIZES = /** @type {const} */ (["small", "medium", "large"]);

/** @param {{ grid: Api.Grid, onClose: () => void }} props */
function GridSheet({ grid, onClose }) {
  const text = tileWords.value;
  return sheet(
    {
      title: grid.name,
      onClose,
      foot: actionButton({ label: words.value.common.buttons.done, kind: "main", onClick: onClose }),
    },
    component(Name, { grid }),
    choice({
      label: text.size,
      value: grid.iconSize,
      options: SIZES.map((value) => ({ value, label: text.sizes[value] })),
      onChange: (iconSize) => void editGrid(grid.id, { iconSize }),
    }),
    grids.value.length > 1 && component(Place, { grid }),
    actionButton({
      label: text.deleteGrid,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => remove(grid, onClose),
    }),
  );
}

/** A grid without a name is refused: the last one stays until there is another. @param {{ grid: Api.Grid }} props */
function Name({ grid }) {
  const text = tileWords.value;
  const check = (/** @type {string} */ name) => name.trim() ? undefined : text.nameMissing;
  const save = (/** @type {Api.GridEdit} */ fields) => editGrid(grid.id, fields);
  return boundFields({ kind: "grid", id: grid.id, value: { value: grid }, save }, { name: text.name }).text(
    "name",
    {
      maxLength: 250,
      check,
    },
  );
}

/** The order of the grids is the server's alone. @param {{ grid: Api.Grid }} props */
function Place({ grid }) {
  const text = tileWords.value;
  const [problem, setProblem] = useState("");
  const ids = grids.value.map(({ id }) => id);
  const at = ids.indexOf(grid.id);
  /** @param {string} label @param {string} icon @param {number} to */
  const step = (label, icon, to) =>
    actionButton({
      label,
      icon,
      disabled: to < 0 || to >= ids.length || !isOnline(),
      onClick: () => void move(grid.id, ids, to).then(setProblem),
    });
  return div(
    { class: "stack" },
    h3({ class: "label" }, `${text.place}: ${text.position(at + 1, ids.length)}`),
    div(
      { class: "row halves" },
      step(text.earlier, "arrow-left", at - 1),
      step(text.later, "arrow-right", at + 1),
    ),
    needsConnection(),
    problem && notice({ kind: "alarm", text: problem }),
  );
}

/** Why it was refused, or "". @param {string} id @param {string[]} ids @param {number} to */
async function move(id, ids, to) {
  const others = ids.filter((other) => other !== id);
  try {
    await reorderGrids([...others.slice(0, to), id, ...others.slice(to)]);
    return "";
  } catch (error) {
    if (!isProblem(error)) throw error;
    return explained(error);
  }
}

/** @param {Api.Grid} grid @param {() => void} onClose */
function remove(grid, onClose) {
  offerDrop(tileWords.value.deleted(grid.name), deleteGrid(grid.id), () => {
    lastGrid.value = grid.id;
  });
  onClose();
}
