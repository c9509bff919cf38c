// Found: items and kinds of jobs with the words that were typed, in either language.

import { component, div, h2, p } from "../../components/tags.js";
import { folded } from "../../domain/search.js";
import { catalogWords } from "../../words/tiles.js";
import { wordsLanguage } from "../../words/words.js";
import { catalog, keywords } from "../../state/catalog.js";
import { computed } from "../../vendor/signals.js";
import { itemRows } from "./item-rows.js";
import { TemplateCard } from "./templates.js";

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
export function Found({ query, grid }) {
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
