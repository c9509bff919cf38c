// Learnt: what the workshop's estimates say about its tiles: another price, or a tile that is missing.

import { actionButton } from "../../components/action-button.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { price as priceText } from "../../domain/format.js";
import { folded } from "../../domain/search.js";
import { wordsLanguage } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { store, stored } from "../../local/settings.js";
import { addTile, deleteTile, editTile, grids, mostUsed } from "../../state/grids.js";
import { onTile } from "../../state/prices.js";
import { offerUndo } from "../../state/undo.js";
import { currency } from "../../state/workshops.js";
import { signal } from "../../vendor/signals.js";
import { pictureFor } from "./emoji-search.js";

/** @typedef {typeof mostUsed.value[number]} Line */
/** @typedef {{ line: Line, gridId: string, tile?: Api.Grid["buttons"][number] }} Lesson */

const LEFT = "backbench-left-prices";
/** What somebody has decided to leave as it is, in this browser. */
const left = signal(/** @type {string[]} */ (stored(LEFT, [])));
/** So many estimates make a habit; for a new tile one more. */
const HABIT = 2;
const MOST = 2;

/** @param {{ grid: Api.Grid }} props */
export function Learnt({ grid }) {
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
