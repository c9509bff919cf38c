// Tile pages: the grids as pages of tiles, with the lines used most as the first one.

import { emptyState } from "../../components/notice.js";
import { button, component, div, icon, isDesk, section, span } from "../../components/tags.js";
import { tile as tileButton } from "../../components/tile.js";
import { quantity } from "../../domain/format.js";
import { builderWords } from "../../words/builder.js";
import { wordsLanguage } from "../../words/words.js";
import { pricesOf } from "../../state/totals.js";
import { grids, mostUsed } from "../../state/grids.js";
import { lastGrid } from "../../state/preferences.js";
import { go } from "../../state/router.js";
import { tilePrices } from "../../state/workshops.js";
import { useCallback, useEffect, useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { computed } from "../../vendor/signals.js";
import { isOf, withPriceOn } from "./editing.js";

/** @typedef {import("../../components/tile.js").TileLook} Look */
/** @typedef {import("./editing.js").Source} Source */
/** @typedef {{ id: string, name: string, size: Api.Grid["iconSize"], tiles: { key: string, look: Look, source: Source }[] }} Page */

const MOST_USED = "most-used";

/** The pages; a line used most looks like its tile. */
const pages = computed(() => {
  const ofGrids = grids.value.map(gridPage);
  const used = mostUsed.value.map(usedTile(ofGrids));
  const first = { id: MOST_USED, name: "", size: /** @type {const} */ ("medium"), tiles: used };
  return used.length ? [first, ...ofGrids] : ofGrids;
});

/** The page that is shown: the one used last, or the first grid. */
export const page = computed(() =>
  pages.value.find(({ id }) => id === lastGrid.value) ??
    pages.value.find(({ id }) => id !== MOST_USED) ?? pages.value[0]
);

/** The page, with the prices on its tiles that they have on the estimate. @param {string} id @param {Page} page @returns {Page} */
function onEstimatePage(id, page) {
  const prices = pricesOf(id);
  if (page.tiles.every(({ source }) => (source.prices ?? tilePrices.value) === prices)) return page;
  const tiles = page.tiles.map((each) => {
    const { unitPrice } = withPriceOn(id, each.source);
    return { ...each, look: { ...each.look, unitPrice } };
  });
  return { ...page, tiles };
}

/** @param {Api.Grid} grid @returns {Page} */
function gridPage({ id, name, iconSize, buttons }) {
  const tiles = buttons.map((look) => ({
    key: look.id,
    look,
    source: { label: look.label, unit: look.unit, unitPrice: look.unitPrice, gridId: id, tileId: look.id },
  }));
  return { id, name, size: iconSize, tiles };
}

/** @param {Page[]} ofGrids */
function usedTile(ofGrids) {
  const known = new Map(ofGrids.flatMap(({ tiles }) => tiles).map((tile) => [nameOf(tile.look), tile]));
  return (/** @type {typeof mostUsed.value[number]} */ line) => {
    const found = known.get(nameOf(line));
    const look = {
      emoji: "🧾",
      ...found?.look,
      label: line.label,
      unit: line.unit,
      unitPrice: line.unitPrice,
    };
    const { label, unit, unitPrice, pricesEntered } = line;
    /** @type {Source} */
    const source = { label, unit, unitPrice, prices: pricesEntered ?? "net" };
    return { key: nameOf(line), look, source };
  };
}

/** @param {{label: string, unit: string}} line */
const nameOf = ({ label, unit }) => `${unit}/${label}`;

/** @param {{ id: string, lines: readonly Api.LineItem[], onTap: (source: Source) => void, onFree: () => void }} props `id` of the estimate */
export function TilePages({ id, lines, onTap, onFree }) {
  const shown = page.value && onEstimatePage(id, page.value);
  useEffect(() => {
    document.getElementById(`page-${shown?.id}`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown?.id]);
  const free = useCallback(onFree, []);
  const tap = useCallback(onTap, []);
  return section(
    { class: "builder-tiles", "aria-label": builderWords.value.tiles },
    pages.value.length > 1 && tabs(shown),
    shown ? tilesOf(shown, lines, tap, free) : noTiles(free),
  );
}

/** @param {Page | undefined} shown */
function tabs(shown) {
  return div(
    { class: "page-tabs", role: "tablist", "aria-label": builderWords.value.tiles, onKeyDown: onArrow },
    ...pages.value.map(({ id, name }) =>
      button(
        {
          key: id,
          class: "page-tab",
          type: "button",
          role: "tab",
          id: `page-${id}`,
          "aria-controls": "page",
          "aria-selected": id === shown?.id,
          tabIndex: id === shown?.id ? 0 : -1,
          onClick: () => (lastGrid.value = id),
        },
        id === MOST_USED && icon("star"),
        id === MOST_USED ? builderWords.value.mostUsed : name,
      )
    ),
  );
}

/** @param {KeyboardEvent} event */
function onArrow(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = pages.value;
  const at = all.findIndex(({ id }) => id === page.value?.id);
  const next = all[(at + step + all.length) % all.length];
  if (!next) return;
  lastGrid.value = next.id;
  document.getElementById(`page-${next.id}`)?.focus();
}

/** @param {Page} shown @param {readonly Api.LineItem[]} lines @param {(source: Source) => void} onTap @param {() => void} onFree */
function tilesOf(shown, lines, onTap, onFree) {
  return div(
    { class: "builder-page", role: "tabpanel", id: "page", "aria-labelledby": `page-${shown.id}` },
    component(Tiles, { shown, lines, onTap, onFree }),
  );
}

/** @param {{ shown: Page, lines: readonly Api.LineItem[], onTap: (source: Source) => void, onFree: () => void }} props */
function Tiles({ shown, lines, onTap, onFree }) {
  const counts = countsOf(shown, lines);
  const grid = useRef(/** @type {any} */ (null));
  // Each time: another page, or a change of this one, has other tiles.
  useLayoutEffect(() => oneStop(grid.current));
  return div(
    { class: `tiles ${shown.size}`, onKeyDown: onTileArrow, onFocusIn: onTileFocus, ref: grid },
    ...shown.tiles.map(({ key, look, source }, at) =>
      component(Tile, {
        key,
        look,
        source,
        count: counts.get(key),
        digit: isDesk.value && at < 9 ? String(at + 1) : undefined,
        onTap,
      })
    ),
    component(FreeTile, { key: "free", onFree }),
  );
}

const STEPS =
  /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/** The tiles of a grid are one stop of the Tab key: arrows lead on. @param {Element | null} grid */
function oneStop(grid) {
  const all = [...grid?.querySelectorAll("button") ?? []];
  const present = all.find((each) => each.tabIndex === 0 && each.dataset.stop) ?? all[0];
  for (const each of all) each.tabIndex = each === present ? 0 : -1;
}

/** @param {FocusEvent} event */
function onTileFocus({ currentTarget, target }) {
  const grid = /** @type {Element} */ (currentTarget);
  for (const each of grid.querySelectorAll("button")) {
    each.tabIndex = each === target ? 0 : -1;
    if (each === target) each.dataset.stop = "yes";
    else delete each.dataset.stop;
  }
}

/** @param {KeyboardEvent} event */
function onTileArrow(event) {
  const step = STEPS[event.key];
  if (!step || event.altKey) return;
  event.preventDefault();
  const all = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button")];
  const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  all[(at + step + all.length) % all.length]?.focus();
}

/** How much of each tile is in the lines. @param {Page} shown @param {readonly Api.LineItem[]} lines */
function countsOf({ tiles }, lines) {
  const labels = new Set(tiles.map(({ look }) => look.label));
  const related = lines.filter(({ label }) => labels.has(label));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { key, look, source } of tiles) {
    const shown = { ...source, unitPrice: look.unitPrice };
    const own = related.filter((line) => isOf(line, shown));
    const sum = own.reduce((total, line) => total + line.quantity, 0);
    if (own.length) counts.set(key, Math.round(sum * 10_000) / 10_000);
  }
  return counts;
}

/** @param {{ look: Look, source: Source, count?: number | undefined, digit?: string | undefined, onTap: (source: Source) => void }} props */
function Tile({ look, source, count, digit, onTap }) {
  return tileButton({
    tile: look,
    onTap: () => onTap(source),
    ...(count === undefined ? {} : { count: quantity(count, wordsLanguage.value) }),
    ...(digit === undefined ? {} : { digit }),
  });
}

/** @param {{ onFree: () => void }} props */
function FreeTile({ onFree }) {
  return button(
    { class: "tile dashed", type: "button", onClick: onFree },
    span({ class: "tile-picture" }, icon("pencil")),
    span({ class: "tile-label" }, builderWords.value.somethingElse),
  );
}

/** @param {() => void} onFree */
function noTiles(onFree) {
  const text = builderWords.value;
  return div(
    { class: "builder-page" },
    emptyState({ text: text.noTiles, action: { label: text.toCatalog, onClick: () => go("/catalog") } }),
    div({ class: "tiles medium" }, component(FreeTile, { onFree })),
  );
}
