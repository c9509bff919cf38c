// Places: the bar of the five places; at the left edge of a desk.

import { words } from "../words/words.js";
import { unread } from "../state/unread.js";
import { a, component, icon, nav, span } from "./tags.js";

const PLACES = /** @type {const} */ ([
  ["board", "/", "columns-3"],
  ["estimates", "/estimates", "receipt-text"],
  ["newEstimate", "/estimates/new", "plus"],
  ["tiles", "/tiles", "layout-grid"],
  ["shop", "/shop", "store"],
]);

/** @param {{ place?: string }} props */
export function places({ place }) {
  const names = words.value.common.places;
  return nav(
    { class: "places" },
    ...PLACES.map(([name, href, glyph]) =>
      a(
        {
          class: name === "newEstimate" ? "place new" : "place",
          href,
          "aria-current": name === place ? "page" : undefined,
        },
        icon(glyph),
        span({}, names[name]),
        name === "board" && component(Unread, {}),
      )
    ),
  );
}

/** How many items of the inbox are new. */
function Unread() {
  const count = unread.value;
  if (!count) return null;
  return span(
    { class: "place-count figures" },
    span({ "aria-hidden": "true" }, String(count)),
    span({ class: "spoken" }, words.value.board.unread(count)),
  );
}
