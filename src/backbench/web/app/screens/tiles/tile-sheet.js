// Sheet of a tile: its price first, then all the rest. Every change is made at once.

import { actionButton } from "../../components/action-button.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { sheet } from "../../components/sheet.js";
import { div, h3, p } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { addTile, deleteTile, editTile, moveTile } from "../../state/grids.js";
import { loadEmoji } from "../../state/catalog.js";
import { offerDrop } from "../../state/undo.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { pictureFor } from "./emoji-search.js";
import { pictureChoice } from "./picture.js";
import { tileForm } from "./tile-form.js";

/** @typedef {Parameters<typeof editTile>[2]} Fields */

/** @param {{ grid: Api.Grid, tileId: string, onClose: () => void }} props */
export function TileSheet({ grid, tileId, onClose }) {
  const [picks, setPicks] = useState(false);
  const found = grid.buttons.find(({ id }) => id === tileId);
  const text = tileWords.value;
  if (!found) return sheet({ title: text.title, onClose }, p({}, text.tileGone));
  const change = (/** @type {Fields} */ fields) => void editTile(grid.id, tileId, fields);
  if (picks) return picturesOf(found, change, () => setPicks(false));
  return sheet(
    { title: found.label, onClose, foot: done(onClose) },
    tileForm({ tile: found, onChange: change, onPicture: () => setPicks(true) }),
    ...["unitPrice", "label", "unit"].map((field) =>
      conflictChoice({ objectId: grid.id, field, part: tileId })
    ),
    place(grid, found),
    actionButton({
      label: text.deleteTile,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => remove(grid, found, onClose),
    }),
  );
}

/** A new tile is on the grid once it has a name. @param {{ grid: Api.Grid, onClose: () => void }} props */
export function NewTile({ grid, onClose }) {
  const [picks, setPicks] = useState(false);
  const [draft, setDraft] = useState(
    /** @type {import("./tile-form.js").Draft} */ ({ emoji: "", label: "", unit: "piece", unitPrice: 0 }),
  );
  useEffect(() => void loadEmoji(), []);
  const text = tileWords.value;
  const shown = { ...draft, emoji: draft.emoji || pictureFor(draft.label) };
  const change = (/** @type {object} */ fields) => setDraft((now) => ({ ...now, ...fields }));
  const add = () => {
    addTile(grid.id, withoutNulls({ ...shown, label: draft.label.trim() }));
    onClose();
  };
  if (picks) return picturesOf(shown, change, () => setPicks(false));
  const foot = actionButton({
    label: text.putOnGrid,
    kind: "main",
    disabled: draft.label.trim() === "",
    onClick: add,
  });
  return sheet(
    { title: text.newTile, onClose, foot },
    tileForm({ tile: shown, onChange: change, onPicture: () => setPicks(true), isNew: true }),
  );
}

/** @template {object} T @param {T} record @returns {any} */
const withoutNulls = (record) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** @param {import("./tile-form.js").Draft} tile @param {(fields: any) => void} change @param {() => void} onClose */
function picturesOf(tile, change, onClose) {
  return sheet(
    { title: tileWords.value.choosePicture, onClose, foot: done(onClose) },
    pictureChoice({ tile, onChange: change, onDone: onClose }),
  );
}

/** @param {() => void} onClick */
const done = (onClick) => actionButton({ label: words.value.common.buttons.done, kind: "main", onClick });

/** Buttons beside dragging. @param {Api.Grid} grid @param {Api.GridButton} tile */
function place(grid, tile) {
  const text = tileWords.value;
  const at = grid.buttons.indexOf(tile);
  const count = grid.buttons.length;
  /** @param {string} label @param {string} icon @param {number} to */
  const step = (label, icon, to) =>
    actionButton({
      label,
      icon,
      disabled: to < 0 || to >= count,
      onClick: () => void moveTile(grid.id, tile.id, to),
    });
  return div(
    { class: "stack" },
    h3({ class: "label" }, `${text.place}: ${text.position(at + 1, count)}`),
    div(
      { class: "row halves" },
      step(text.earlier, "arrow-left", at - 1),
      step(text.later, "arrow-right", at + 1),
    ),
  );
}

/** @param {Api.Grid} grid @param {Api.GridButton} tile @param {() => void} onClose */
function remove(grid, tile, onClose) {
  offerDrop(tileWords.value.deleted(tile.label), deleteTile(grid.id, tile.id));
  onClose();
}
