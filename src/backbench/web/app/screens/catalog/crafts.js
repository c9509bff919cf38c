// Crafts: each with its picture.

import { a, b, component, div, span } from "../../components/tags.js";
import { wordsLanguage } from "../../words/words.js";
import { catalog } from "../../state/catalog.js";

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
