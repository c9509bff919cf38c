// Tabs of the grids, and the one that makes another.

import { button, div, icon, span } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { grids } from "../../state/grids.js";
import { pendingOf } from "../../state/outbox.js";
import { lastGrid } from "../../state/preferences.js";
import { useEffect } from "../../vendor/hooks.js";

/** @param {{ shown: Api.Grid, onNew: () => void }} props */
export function GridTabs({ shown, onNew }) {
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
    pendingOf(grid.id).value && icon("clock", { label: words.value.common.connection.notSentYet }),
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
