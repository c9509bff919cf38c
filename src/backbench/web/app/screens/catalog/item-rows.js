// Rows of items, each with a tick.

import { input, label, li, span, ul } from "../../components/tags.js";
import { words, wordsLanguage } from "../../words/words.js";
import { chosen, turn } from "./chosen.js";

/** @param {Api.PredefinedGridItem[]} items */
export function itemRows(items) {
  const ticked = new Set(chosen.value.map(({ id }) => id));
  return ul({ class: "item-rows" }, ...items.map((item) => row(item, ticked.has(item.id))));
}

/** @param {Api.PredefinedGridItem} item @param {boolean} isTicked */
function row(item, isTicked) {
  return li(
    { key: item.id },
    label(
      { class: "item-row" },
      span({ "aria-hidden": "true", class: "item-picture" }, item.emoji),
      span({}, item.label[wordsLanguage.value]),
      span({ class: "quiet-text" }, words.value.common.units[item.unit].short),
      input({ type: "checkbox", checked: isTicked, onChange: () => turn(item) }),
    ),
  );
}
