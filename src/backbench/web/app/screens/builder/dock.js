// Dock: the entry of the line that was just tapped. The tiles stay where they are: the next one ends it.

import { toggle } from "../../components/toggle.js";
import { isDesk } from "../../components/media.js";
import { div, h2 } from "../../components/tags.js";
import { builderWords } from "../../words/builder.js";
import { entryPad } from "./entry.js";

/** @typedef {import("./till.js").Till} Till */

/** @param {{ till: Till, line: Api.LineItem, entry: import("./till.js").Entry, onEnd: () => void }} props */
export function Dock({ till, line, entry, onEnd }) {
  const text = builderWords.value;
  const keeps = entry.asksPrice && !!entry.source?.tileId;
  return div(
    { class: "dock" },
    h2(
      { class: "dock-title", "aria-live": "polite" },
      entry.asksPrice ? text.priceOf(line.label) : line.label,
    ),
    entryPad({ till, line, entry, onEnd, focused: isDesk.value }),
    keeps && toggle({
      label: text.keepPrice,
      value: entry.keeps,
      onChange: (value) => (till.entry.value = { ...entry, keeps: value }),
    }),
  );
}
