// Emoji by words of both languages, by group, and for the name of a thing.

import { button, component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { folded } from "../../domain/search.js";
import { emoji, keywords } from "../../state/catalog.js";
import { useState } from "../../vendor/hooks.js";
import { computed } from "../../vendor/signals.js";
import { tileWords } from "../../words/tiles.js";
import { wordsLanguage } from "../../words/words.js";

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

// Emoji picker: pictures to choose from, group by group, or found by words.

/** @typedef {{ value: string, label: string, picture: string }} EmojiGroup */
/**
 * `find` gives the pictures for the words that were typed, and for "" those of the group: all where there are no groups.
 * @typedef {{ label: string, search: string, value: string, onChange: (emoji: string) => void, none?: string,
 *   groups?: readonly EmojiGroup[], find: (text: string, group?: string) => readonly { emoji: string, name?: string }[] }} EmojiPicker
 */

/** @param {EmojiPicker} props */
export const emojiPicker = (props) => component(Picker, props);

/** @param {EmojiPicker} props */
function Picker({ label, search, value, onChange, find, none, groups = [] }) {
  const [text, setText] = useState("");
  const [group, setGroup] = useState(groups[0]?.value);
  const found = find(text, group);
  return div(
    { class: "stack" },
    textField({ label: search, type: "search", value: text, onInput: setText, autocomplete: "off" }),
    groups.length > 0 && text.trim() === "" && groupTabs(groups, group, setGroup),
    found.length === 0 && none && p({ class: "quiet-text", role: "status" }, none),
    div(
      { class: "swatches emoji", role: "group", "aria-label": label },
      ...found.map(({ emoji, name }) => swatch(emoji, name, emoji === value, onChange)),
    ),
  );
}

/** @param {string} emoji @param {string | undefined} name @param {boolean} chosen @param {(emoji: string) => void} onChange */
function swatch(emoji, name, chosen, onChange) {
  return button(
    {
      key: emoji,
      class: "swatch",
      type: "button",
      "aria-label": name ?? emoji,
      "aria-pressed": chosen,
      onClick: () => onChange(emoji),
    },
    emoji,
  );
}

/** @param {readonly EmojiGroup[]} groups @param {string | undefined} shown @param {(group: string) => void} onChoose */
function groupTabs(groups, shown, onChoose) {
  return div(
    { class: "emoji-groups" },
    ...groups.map(({ value, label, picture }) =>
      button(
        {
          key: value,
          class: "swatch",
          type: "button",
          "aria-label": label,
          title: label,
          "aria-pressed": value === shown,
          onClick: () => onChoose(value),
        },
        picture,
      )
    ),
  );
}
