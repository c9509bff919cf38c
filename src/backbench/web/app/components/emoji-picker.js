// Emoji picker: pictures to choose from, found by words.

import { useState } from "../vendor/hooks.js";
import { button, component, div } from "./tags.js";
import { textField } from "./text-field.js";

/**
 * `find` gives the pictures for the words that were typed, all of them for "".
 * @typedef {{ label: string, search: string, value: string, onChange: (emoji: string) => void,
 *   find: (text: string) => readonly { emoji: string, name?: string }[] }} EmojiPicker
 */

/** @param {EmojiPicker} props */
export const emojiPicker = (props) => component(Picker, props);

/** @param {EmojiPicker} props */
function Picker({ label, search, value, onChange, find }) {
  const [text, setText] = useState("");
  return div(
    { class: "stack" },
    textField({ label: search, type: "search", value: text, onInput: setText, autocomplete: "off" }),
    div(
      { class: "swatches emoji", role: "group", "aria-label": label },
      ...find(text).map(({ emoji, name }) =>
        button(
          {
            key: emoji,
            class: "swatch",
            type: "button",
            "aria-label": name ?? emoji,
            "aria-pressed": emoji === value,
            onClick: () => onChange(emoji),
          },
          emoji,
        )
      ),
    ),
  );
}
