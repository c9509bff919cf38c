// Jobs of a craft: the one that comes up most is laid out as tiles, and the first estimate begins.

import { b, button, component, div, icon, span } from "../../components/tags.js";
import { words, wordsLanguage } from "../../words/words.js";
import { startWords } from "../../words/start.js";
import { lastGrid } from "../../state/preferences.js";
import { go } from "../../state/router.js";
import { gridOf } from "../catalog/chosen.js";
import { itemsOf, templatesOf } from "../catalog/templates.js";
import { MOST_GRIDS } from "../tiles/new-grid.js";
import { grids } from "../../state/grids.js";

/** @param {{ craft: string }} props */
export function Jobs({ craft }) {
  const templates = templatesOf(craft);
  return div(
    { class: "stack" },
    ...templates.map((template) =>
      component(Job, {
        key: template.slug,
        name: template.name[wordsLanguage.value],
        templates: [template],
      })
    ),
    templates.length > 1 && component(Job, { name: startWords.value.allOf, templates }),
  );
}

/** @param {{ name: string, templates: Api.GridTemplate[] }} props */
function Job({ name, templates }) {
  const items = templates.flatMap(itemsOf);
  const pictures = [...new Set(items.map(({ emoji }) => emoji))].slice(0, 7).join(" ");
  return button(
    { class: "panel job", type: "button", onClick: () => begin(templates) },
    b({}, name),
    span({ class: "template-pictures", "aria-hidden": "true" }, pictures),
    span({ class: "quiet-text" }, words.value.common.tiles(items.length)),
    icon("chevron-right"),
  );
}

/** The first one is on top in the builder. @param {Api.GridTemplate[]} templates */
function begin(templates) {
  const room = MOST_GRIDS - grids.value.length;
  const made = templates.slice(0, room).toReversed().map((template) =>
    gridOf(template.name[wordsLanguage.value], itemsOf(template))
  );
  const first = made.at(-1);
  if (first) lastGrid.value = first;
  go("/estimates/new");
}
