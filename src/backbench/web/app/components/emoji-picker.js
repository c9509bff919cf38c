// Emoji picker: pictures to choose from, group by group, or found by words.

import { useState } from "../vendor/hooks.js";
import { button, component, div, p } from "./tags.js";
import { textField } from "./text-field.js";

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
