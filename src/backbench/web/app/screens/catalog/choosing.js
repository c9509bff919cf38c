// Choosing in the catalog: crafts, templates and items, what was ticked, and tiles made of it.

import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import {
  a,
  article,
  b,
  component,
  details,
  div,
  h3,
  icon,
  input,
  label,
  li,
  p,
  span,
  summary,
  ul,
} from "../../components/tags.js";
import { newId } from "../../domain/ids.js";
import { catalog } from "../../state/catalog.js";
import { connection } from "../../state/connection.js";
import { addFromCatalog, addTile, createGrid, deleteGrid } from "../../state/grids.js";
import { lastGrid } from "../../state/preferences.js";
import { go } from "../../state/router.js";
import { offerUndo } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";
import { signal } from "../../vendor/signals.js";
import { explained } from "../../words/problems.js";
import { catalogWords, tileWords } from "../../words/tiles.js";
import { words, wordsLanguage } from "../../words/words.js";
import { hasRoom, MOST_GRIDS } from "../tiles/new-grid.js";

/** In the order in which they were ticked. */
export const chosen = signal(/** @type {Api.PredefinedGridItem[]} */ ([]));

/** @param {Api.PredefinedGridItem} item */
function turn(item) {
  const others = chosen.value.filter(({ id }) => id !== item.id);
  chosen.value = others.length === chosen.value.length ? [...others, item] : others;
}

/** @param {Api.PredefinedGridItem} item */
const tileOf = ({ emoji, label, unit }) => ({ emoji, label: label[wordsLanguage.value], unit, unitPrice: 0 });

/** Works without a connection: the tiles are there at once. Returns the id. @param {string} name @param {Api.PredefinedGridItem[]} items */
export function gridOf(name, items) {
  const buttons = items.map((item) => ({ ...tileOf(item), id: newId() }));
  return createGrid({ name, iconSize: "medium", buttons });
}

/** All in one request, or one by one later where there is no connection. Throws Problem. @param {Api.Grid} grid @param {Api.PredefinedGridItem[]} items */
export async function addItems(grid, items) {
  if (!connection.value.online) return items.forEach((item) => void addTile(grid.id, tileOf(item)));
  await addFromCatalog(grid.id, { itemIds: items.map(({ id }) => id), locale: wordsLanguage.value });
}

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

// Crafts: each with its picture.

/** @type {Record<string, string>} */
const PICTURES = {
  "any-workshop": "🧰",
  baking: "🎂",
  bicycles: "🚲",
  bookbinding: "📚",
  carpentry: "🪚",
  ceramics: "🏺",
  electrics: "💡",
  floors: "🪵",
  floristry: "💐",
  gardens: "🌳",
  "glass-and-framing": "🖼️",
  jewellery: "💍",
  leather: "👜",
  metalwork: "⚒️",
  painting: "🎨",
  plastering: "🧱",
  plumbing: "🚿",
  roofing: "🏠",
  shoemaking: "👞",
  stonemasonry: "🪨",
  tailoring: "🧵",
  tiling: "🛁",
  upholstery: "🛋️",
  watchmaking: "⌚",
  "windows-and-blinds": "🪟",
};

/** A word too long for a narrow tile may be broken before its ending. */
const LONG = /(\p{L}{10,})(\p{L}{4})(?!\p{L})/gu;

/** By name, what fits any workshop last. @param {string} language */
function inOrder(language) {
  const last = (/** @type {string} */ slug) => Number(slug === "any-workshop");
  return [...catalog.value?.domains ?? []].sort((one, other) =>
    last(one.slug) - last(other.slug) ||
    one.label[wordsLanguage.value].localeCompare(other.label[wordsLanguage.value], language)
  );
}

/** @param {{ link: (slug: string) => string }} props where a craft leads */
export function Crafts({ link }) {
  const language = wordsLanguage.value;
  return div(
    { class: "tiles medium crafts" },
    ...inOrder(language).map(({ slug, label }) =>
      component(Craft, { key: slug, href: link(slug), picture: pictureOf(slug), name: label[language] })
    ),
  );
}

/** @param {string} slug */
const pictureOf = (slug) => PICTURES[slug] ?? "🛠️";

/** @param {{ href: string, picture: string, name: string }} props */
function Craft({ href, picture, name }) {
  return a(
    { class: "tile craft", href },
    span({ class: "tile-picture", "aria-hidden": "true" }, picture),
    b({ class: "tile-label" }, name.replace(LONG, "$1\u00AD$2")),
  );
}

// Templates of a craft: the kinds of jobs, each with its items, as one grid or one by one.

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
  return explained(error);
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
