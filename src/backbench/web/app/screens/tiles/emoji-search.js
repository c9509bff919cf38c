// Emoji by words of both languages, by group, and for the name of a thing.

import { folded } from "../../domain/search.js";
import { wordsLanguage } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { emoji, keywords } from "../../state/catalog.js";
import { computed } from "../../vendor/signals.js";

/** @typedef {{ emoji: string, name: { en: string, pl: string }, group: string, text: string }} Entry */

/** As many as a thumb scrolls through; another word finds the rest. */
const MOST = 120;
const USUAL = "🔧";
/** What a workshop needs most comes first. */
const PICTURES = {
  tools: "🔨",
  materials: "🧶",
  objects: "🪑",
  places: "🏠",
  travel: "🚚",
  clothing: "👕",
  nature: "🌿",
  food: "🍎",
  people: "👷",
  activities: "🎨",
  symbols: "✅",
  faces: "🙂",
};

/** Every emoji with the text to search it by, folded once. @type {{ value: Entry[] }} */
const index = computed(() => {
  const more = new Map(keywords.value?.emoji.map((one) => [one.emoji, one.keywords]));
  return (emoji.value ?? []).map((one) => {
    const { en = [], pl = [] } = more.get(one.emoji) ?? {};
    return { ...one, text: ` ${folded([one.name.en, one.name.pl, ...en, ...pl].join(" "))}` };
  });
});

/** The groups in their order, with a picture and a word. */
export const groups = () => {
  const known = new Set(index.value.map(({ group }) => group));
  const names = tileWords.value.groups;
  return Object.entries(PICTURES).filter(([group]) => known.has(group)).map(([value, picture]) => ({
    value,
    picture,
    label: names[/** @type {keyof typeof names} */ (value)],
  }));
};

/** Those that have each word, or all of the group. @param {string} text @param {string} [group] */
export function emojiFor(text, group) {
  const parts = folded(text).split(/\s+/).filter(Boolean);
  const found = parts.length
    ? index.value.filter((one) => parts.every((part) => one.text.includes(` ${part}`))).slice(0, MOST)
    : index.value.filter((one) => !group || one.group === group);
  return found.map((one) => ({ emoji: one.emoji, name: one.name[wordsLanguage.value] }));
}

/** A picture that fits the name of a new tile. @param {string} label */
export function pictureFor(label) {
  const parts = folded(label).split(/[^\p{L}]+/u).filter((part) => part.length > 2);
  for (const part of parts) {
    const found = named(part);
    if (found) return found.emoji;
  }
  return USUAL;
}

/** The first whose name begins with the word, or with most of it: endings change with number and case. @param {string} part */
function named(part) {
  const least = Math.min(part.length, Math.max(4, part.length - 3));
  for (let length = part.length; length >= least; length -= 1) {
    const stem = part.slice(0, length);
    const found = index.value.find((one) => folded(one.name[wordsLanguage.value]).startsWith(stem));
    if (found) return found;
  }
  return undefined;
}
