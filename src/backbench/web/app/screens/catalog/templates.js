// Templates of a craft: the kinds of jobs, each with its items, as one grid or one by one.

import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { article, component, details, div, h3, icon, p, span, summary } from "../../components/tags.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../words/problems.js";
import { catalogWords, tileWords } from "../../words/tiles.js";
import { words, wordsLanguage } from "../../words/words.js";
import { catalog } from "../../state/catalog.js";
import { lastGrid } from "../../state/preferences.js";
import { go } from "../../state/router.js";
import { offerUndo } from "../../state/undo.js";
import { deleteGrid } from "../../state/grids.js";
import { useState } from "../../vendor/hooks.js";
import { hasRoom, MOST_GRIDS } from "../tiles/new-grid.js";
import { addItems, gridOf } from "./chosen.js";
import { itemRows } from "./item-rows.js";

/** The items of a template, in its order. @param {Api.GridTemplate} template @returns {Api.PredefinedGridItem[]} */
export function itemsOf({ itemIds }) {
  const known = new Map(catalog.value?.items.map((item) => [item.id, item]));
  return itemIds.flatMap((id) => known.get(id) ?? []);
}

/** @param {string} craft */
export const templatesOf = (craft) =>
  catalog.value?.templates.filter(({ domainSlug }) => domainSlug === craft) ?? [];

/** @param {{ craft: string, grid: Api.Grid | undefined }} props */
export function Templates({ craft, grid }) {
  return div(
    { class: "stack" },
    !grid && !hasRoom() && notice({ kind: "warning", text: tileWords.value.gridLimit(MOST_GRIDS) }),
    ...templatesOf(craft).map((template) => component(TemplateCard, { key: template.slug, template, grid })),
  );
}

/** @param {{ template: Api.GridTemplate, grid: Api.Grid | undefined }} props */
export function TemplateCard({ template, grid }) {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const text = catalogWords.value;
  const items = itemsOf(template);
  const add = async (/** @type {Api.Grid} */ target) => {
    setBusy(true);
    const failed = await addItems(target, items).then(() => "", refusal);
    setBusy(false);
    setProblem(failed);
    if (!failed) toGrid(target.id);
  };
  const about = template.name[wordsLanguage.value];
  const action = grid
    ? { label: text.addAll, icon: "plus", busy, onClick: () => void add(grid) }
    : { label: text.makeGrid, icon: "layout-grid", disabled: !hasRoom(), onClick: () => make(template) };
  return article(
    { class: "panel template" },
    head(template, items),
    actionButton({ ...action, about, wide: true }),
    problem && notice({ kind: "alarm", text: problem }),
    details(
      {},
      summary({}, `${text.choose} (${words.value.common.tiles(items.length)})`, icon("chevron-down")),
      itemRows(items),
    ),
  );
}

/** @param {Api.GridTemplate} template @param {Api.PredefinedGridItem[]} items */
function head({ name, description }, items) {
  return div(
    { class: "template-head" },
    h3({}, name[wordsLanguage.value]),
    p({ class: "quiet-text" }, description[wordsLanguage.value]),
    span({ class: "template-pictures", "aria-hidden": "true" }, picturesOf(items)),
  );
}

/** A few of its pictures, each once. @param {Api.PredefinedGridItem[]} items */
const picturesOf = (items) => [...new Set(items.map(({ emoji }) => emoji))].slice(0, 8).join(" ");

/** @param {unknown} error */
export function refusal(error) {
  if (!isProblem(error)) throw error;
  return explained(error, words.value.common);
}

/** @param {Api.GridTemplate} template */
function make(template) {
  const name = template.name[wordsLanguage.value];
  const id = gridOf(name, itemsOf(template));
  offerUndo(catalogWords.value.made(name), () => void deleteGrid(id));
  toGrid(id);
}

/** @param {string} id */
export function toGrid(id) {
  lastGrid.value = id;
  go("/tiles", { replace: true });
}
