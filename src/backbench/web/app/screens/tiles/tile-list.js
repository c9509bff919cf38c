// Tiles of a grid, in their order: a tap opens one, a hold takes it to another place, Alt and an arrow key as well.

import { button, component, div, icon, p, span } from "../../components/tags.js";
import { tile } from "../../components/tile.js";
import { moveTile } from "../../state/grids.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
import { tileWords } from "../../words/tiles.js";

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

// Reorder: a tile that is held for a while follows the finger, and the others make way. A short touch scrolls or taps.

const HOLD = 260;
const SLOP = 8;
/** So near to the upper or lower edge, the page scrolls. */
const EDGE = 110;

/** @typedef {{ x: number, y: number, width: number, height: number }} Place in the page */
/** @typedef {{ id: string, pointer: number, x: number, y: number, from: number, to: number, left: number, top: number, places: Place[] | null, timer: ReturnType<typeof setTimeout> }} Hold */
/** @typedef {{ list: { current: HTMLDivElement | null }, ids: string[], onMove: (id: string, index: number) => void, hold: Hold | null, isDropped: boolean, draw: () => void }} Sorting */

/** @param {string[]} ids @param {(id: string, index: number) => void} onMove */
function useReorder(ids, onMove) {
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [, draw] = useState(0);
  const sorting = useMemo(
    () => /** @type {Sorting} */ ({
      list,
      ids,
      onMove,
      hold: null,
      isDropped: false,
      draw: () => draw((n) => n + 1),
    }),
    [],
  );
  Object.assign(sorting, { ids, onMove });
  useLayoutEffect(() => {
    // The page must not scroll under a tile that is held; only this listener can say so.
    const stay = (/** @type {TouchEvent} */ event) => sorting.hold?.places && event.preventDefault();
    list.current?.addEventListener("touchmove", stay, { passive: false });
    return () => end(sorting);
  }, []);
  return { list, events: eventsOf(sorting), placeOf: (/** @type {string} */ id) => placeOf(sorting, id) };
}

/** @param {Sorting} sorting */
function eventsOf(sorting) {
  return {
    onPointerDown: (/** @type {PointerEvent} */ event) => press(sorting, event),
    onPointerMove: (/** @type {PointerEvent} */ event) => follow(sorting, event),
    onPointerUp: () => release(sorting),
    onPointerCancel: () => end(sorting),
    onContextMenu: (/** @type {Event} */ event) => sorting.hold && event.preventDefault(),
    onClickCapture: (/** @type {Event} */ event) => {
      if (sorting.isDropped) event.stopPropagation();
    },
  };
}

/** @param {Sorting} sorting @param {PointerEvent} event */
function press(sorting, event) {
  end(sorting);
  const slot = event.target instanceof Element ? event.target.closest("[data-id]") : null;
  const id = slot?.getAttribute("data-id");
  if (!id || event.button !== 0 || !event.isPrimary) return;
  const from = sorting.ids.indexOf(id);
  const timer = setTimeout(() => take(sorting), HOLD);
  const { pageX: x, pageY: y, pointerId: pointer } = event;
  sorting.hold = { id, pointer, x, y, from, to: from, left: 0, top: 0, places: null, timer };
}

/** The tile has been held for long enough. @param {Sorting} sorting */
function take({ list, ids, hold, draw }) {
  if (!hold || !list.current) return;
  const slots = new Map([...list.current.querySelectorAll("[data-id]")].map((slot) => [
    slot.getAttribute("data-id"),
    slot.getBoundingClientRect(),
  ]));
  hold.places = ids.map((id) => {
    const { x = 0, y = 0, width = 0, height = 0 } = slots.get(id) ?? {};
    return { x: x + scrollX, y: y + scrollY, width, height };
  });
  list.current.setPointerCapture(hold.pointer);
  navigator.vibrate?.(8);
  draw();
}

/** @param {Sorting} sorting @param {PointerEvent} event */
function follow(sorting, event) {
  const { hold } = sorting;
  if (!hold || event.pointerId !== hold.pointer) return;
  hold.left = event.pageX - hold.x;
  hold.top = event.pageY - hold.y;
  if (!hold.places) {
    if (Math.hypot(hold.left, hold.top) > SLOP) end(sorting);
    return;
  }
  if (event.clientY < EDGE) scrollBy(0, -12);
  if (event.clientY > innerHeight - EDGE) scrollBy(0, 12);
  hold.to = nearest(hold.places, hold);
  sorting.draw();
}

/** The place whose middle is nearest to that of the tile. @param {Place[]} places @param {Hold} hold */
function nearest(places, { from, left, top }) {
  const start = places[from] ?? { x: 0, y: 0 };
  const far = places.map(({ x, y }) => Math.hypot(x - start.x - left, y - start.y - top));
  return far.indexOf(Math.min(...far));
}

/** @param {Sorting} sorting */
function release(sorting) {
  const { hold } = sorting;
  const isMoved = !!hold?.places;
  end(sorting);
  if (!hold || !isMoved) return;
  // The click that ends a drag opens nothing.
  sorting.isDropped = true;
  setTimeout(() => (sorting.isDropped = false));
  if (hold.to !== hold.from) sorting.onMove(hold.id, hold.to);
}

/** @param {Sorting} sorting */
function end(sorting) {
  if (!sorting.hold) return;
  clearTimeout(sorting.hold.timer);
  sorting.hold = null;
  sorting.draw();
}

/** Where a tile is drawn: its number, and for the one that is held how far from there. @param {Sorting} sorting @param {string} id */
function placeOf({ ids, hold }, id) {
  const at = ids.indexOf(id);
  if (!hold?.places) return { order: at, held: false };
  const { from, to, left, top, places } = hold;
  if (id !== hold.id) {
    const shift = at > from && at <= to ? -1 : at < from && at >= to ? 1 : 0;
    return { order: at + shift, held: false };
  }
  const [start, slot] = [places[from], places[to]];
  const x = (start?.x ?? 0) - (slot?.x ?? 0) + left;
  const y = (start?.y ?? 0) - (slot?.y ?? 0) + top;
  return { order: to, held: true, translate: `${Math.round(x)}px ${Math.round(y)}px` };
}
