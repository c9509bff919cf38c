// Tiles of a grid, in their order: a tap opens one, a hold takes it to another place, Alt and an arrow key as well.

import { button, component, div, icon, p, span } from "../../components/tags.js";
import { tile } from "../../components/tile.js";
import { tileWords } from "../../words/tiles.js";
import { moveTile } from "../../state/grids.js";
import { useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";
import { useReorder } from "./reorder.js";

/** @typedef {import("../tiles.js").Opens} Opens */

/** @param {{ grid: Api.Grid, opens: Opens }} props */
export function TileList({ grid, opens }) {
  const [said, setSaid] = useState("");
  const focused = useRef("");
  const ids = grid.buttons.map(({ id }) => id);
  const move = (/** @type {string} */ id, /** @type {number} */ index) => {
    const found = grid.buttons.find((one) => one.id === id);
    if (!found || index < 0 || index >= ids.length) return;
    focused.current = id;
    moveTile(grid.id, id, index);
    setSaid(tileWords.value.movedTo(found.label, index + 1, ids.length));
  };
  const { list, events, placeOf } = useReorder(ids, move);
  useLayoutEffect(() => focusOn(list.current, focused), [ids.join()]);
  return div(
    {},
    div(
      {
        class: `tiles ${grid.iconSize} sortable`,
        ref: list,
        ...events,
        onKeyDown: (event) => onArrow(event, ids, move),
      },
      ...grid.buttons.map((one) => slot(one, placeOf(one.id), opens)),
      component(NewTileButton, { opens, order: ids.length }),
    ),
    p({ class: "spoken", role: "status" }, said),
  );
}

/** @param {Api.GridButton} one @param {{ order: number, translate?: string, held: boolean }} place @param {Opens} opens */
function slot(one, { order, translate, held }, opens) {
  return div(
    {
      key: one.id,
      class: held ? "tile-slot held" : "tile-slot",
      "data-id": one.id,
      style: { order, translate: translate ?? "none" },
    },
    tile({ tile: one, onTap: () => opens({ sheet: "tile", id: one.id }) }),
  );
}

/** @param {{ opens: Opens, order: number }} props */
function NewTileButton({ opens, order }) {
  return button(
    { class: "tile dashed", type: "button", style: { order }, onClick: () => opens({ sheet: "new-tile" }) },
    span({ class: "tile-picture" }, icon("plus")),
    span({ class: "tile-label" }, tileWords.value.newTile),
  );
}

/** A tile that was moved keeps the focus. @param {HTMLElement | null} list @param {{ current: string }} focused */
function focusOn(list, focused) {
  if (
    !focused.current || !list?.contains(document.activeElement) && document.activeElement !== document.body
  ) {
    return;
  }
  /** @type {HTMLElement | null | undefined} */
  const button = list?.querySelector(`[data-id="${focused.current}"] .tile`);
  button?.focus();
  focused.current = "";
}

/** @param {KeyboardEvent} event @param {string[]} ids @param {(id: string, index: number) => void} move */
function onArrow(event, ids, move) {
  if (!event.altKey || !(event.target instanceof Element) || !(event.currentTarget instanceof Element)) {
    return;
  }
  const id = event.target.closest("[data-id]")?.getAttribute("data-id");
  const columns = getComputedStyle(event.currentTarget).gridTemplateColumns.split(" ").length;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (!id || !step) return;
  event.preventDefault();
  move(id, ids.indexOf(id) + step);
}
