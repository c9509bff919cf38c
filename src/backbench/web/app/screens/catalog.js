// Catalog: crafts, the kinds of jobs of each, and their items: to make grids of, or to add to one.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { notYet, useAnswer } from "../components/answer.js";
import { notice } from "../components/notice.js";
import { sheet } from "../components/sheet.js";
import { component, div, h2, p } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { folded } from "../domain/search.js";
import { catalog, keywords, readCatalog } from "../state/catalog.js";
import { grids } from "../state/grids.js";
import { route } from "../state/router.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { computed, useSignal } from "../vendor/signals.js";
import { catalogWords, tileWords } from "../words/tiles.js";
import { words, wordsLanguage } from "../words/words.js";
import {
  addItems,
  chosen,
  Crafts,
  gridOf,
  itemRows,
  refusal,
  TemplateCard,
  Templates,
  toGrid,
} from "./catalog/choosing.js";
import { hasRoom, MOST_GRIDS } from "./tiles/new-grid.js";

/** In the address: `craft`, and `grid`, to which what is chosen is added. */
export function screen() {
  const answered = useAnswer(readCatalog);
  useEffect(() => () => void (chosen.value = []), []);
  const query = useSignal("");
  const { craft = "", grid: gridId = "" } = route.value.query;
  const grid = grids.value.find(({ id }) => id === gridId);
  const title = catalog.value?.domains.find(({ slug }) => slug === craft)?.label[wordsLanguage.value];
  return frame(
    {
      title: title ?? catalogWords.value.title,
      place: "shop",
      back: craft ? `/catalog${grid ? `?grid=${grid.id}` : ""}` : "/tiles",
      ...(chosen.value.length ? { foot: component(ChosenBar, { grid }) } : {}),
    },
    grid && p({ class: "quiet-text" }, catalogWords.value.addingTo(grid.name)),
    catalog.value ? shown(craft, grid, query) : notYet(answered, catalogWords.value.unavailable),
  );
}

/** @param {string} craft @param {Api.Grid | undefined} grid @param {import("../vendor/signals.js").Signal<string>} query */
function shown(craft, grid, query) {
  const field = textField({
    label: catalogWords.value.search,
    bare: true,
    placeholder: catalogWords.value.search,
    type: "search",
    autocomplete: "off",
    value: query.value,
    onInput: (value) => (query.value = value),
  });
  if (query.value.trim()) {
    return div({ class: "stack" }, field, component(Found, { query: query.value, grid }));
  }
  if (craft) return component(Templates, { craft, grid });
  return div({ class: "stack" }, field, component(Crafts, { link: (slug) => craftPath(slug, grid) }));
}

/** @param {string} slug @param {Api.Grid | undefined} grid */
const craftPath = (slug, grid) => `/catalog?craft=${slug}${grid ? `&grid=${grid.id}` : ""}`;

// Bar below the catalog: adds the items that were ticked to a grid.

/** @param {{ grid: Api.Grid | undefined }} props the grid to which they go, if that is known */
function ChosenBar({ grid }) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const add = async (/** @type {Api.Grid} */ target) => {
    setBusy(true);
    setAsks(false);
    const failed = await addItems(target, chosen.value).then(() => "", refusal);
    setBusy(false);
    setProblem(failed);
    if (!failed) toGrid(target.id);
  };
  return div(
    { class: "stack" },
    problem && notice({ kind: "alarm", text: problem }),
    actionButton({
      label: catalogWords.value.addChosen(words.value.common.tiles(chosen.value.length)),
      kind: "main",
      wide: true,
      busy,
      onClick: () => grid ? void add(grid) : setAsks(true),
    }),
    asks && whichGrid((target) => void add(target), () => setAsks(false)),
  );
}

/** @param {(grid: Api.Grid) => void} onChoose @param {() => void} onClose */
function whichGrid(onChoose, onClose) {
  const text = catalogWords.value;
  return sheet(
    { title: text.whichGrid, onClose },
    ...grids.value.map((grid) =>
      actionButton({ label: grid.name, icon: "layout-grid", wide: true, onClick: () => onChoose(grid) })
    ),
    hasRoom()
      ? actionButton({
        label: text.onNewGrid,
        icon: "plus",
        wide: true,
        onClick: () => toGrid(gridOf(text.newGridName, chosen.value)),
      })
      : notice({ kind: "warning", text: tileWords.value.gridLimit(MOST_GRIDS) }),
  );
}

// Found: items and kinds of jobs with the words that were typed, in either language.

const MOST_ITEMS = 60;
const MOST_TEMPLATES = 6;

/** Every item with the text to search it by, folded once. */
const items = computed(() => {
  const more = new Map(keywords.value?.items.map((one) => [one.id, one.keywords]));
  return (catalog.value?.items ?? []).map((item) => {
    const { en = [], pl = [] } = more.get(item.id) ?? {};
    const name = folded(` ${item.label.en} ${item.label.pl}`);
    return { item, name, text: `${name} ${folded([...item.tags, ...en, ...pl].join(" "))}` };
  });
});

const templates = computed(() => {
  const crafts = new Map(catalog.value?.domains.map(({ slug, label }) => [slug, label]));
  return (catalog.value?.templates ?? []).map((template) => {
    const { name, description, domainSlug } = template;
    const craft = crafts.get(domainSlug);
    const all = [name.en, name.pl, description.en, description.pl, craft?.en, craft?.pl];
    return { template, text: folded(` ${all.join(" ")}`) };
  });
});

/** Each word begins a word of the text. @param {string} query @param {string} text */
const fits = (query, text) =>
  folded(query).split(/\s+/).filter(Boolean).every((part) => text.includes(` ${part}`));

/** Those with the words in their name first. @param {string} query */
function itemsFor(query) {
  const found = items.value.filter(({ text }) => fits(query, text));
  const isNamed = (/** @type {{ name: string }} */ { name }) => Number(!fits(query, name));
  return found.sort((one, other) => isNamed(one) - isNamed(other)).map(({ item }) => item);
}

/** @param {{ query: string, grid: Api.Grid | undefined }} props */
function Found({ query, grid }) {
  const text = catalogWords.value;
  const found = itemsFor(query);
  const jobs = templates.value.filter((one) => fits(query, one.text)).slice(0, MOST_TEMPLATES);
  if (found.length + jobs.length === 0) return p({ class: "quiet-text", role: "status" }, text.nothing);
  return div(
    { class: "stack", lang: wordsLanguage.value },
    found.length > 0 && h2({}, text.items),
    found.length > 0 && div({ class: "panel" }, itemRows(found.slice(0, MOST_ITEMS))),
    found.length > MOST_ITEMS && p({ class: "quiet-text" }, text.first(MOST_ITEMS)),
    jobs.length > 0 && h2({}, text.jobs),
    ...jobs.map(({ template }) => component(TemplateCard, { key: template.slug, template, grid })),
  );
}
