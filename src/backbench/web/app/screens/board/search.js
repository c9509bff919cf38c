// Search of the board on a phone: its field, and the module of fields, are loaded after the tickets.

import { textField } from "../../components/text-field.js";
import { words } from "../../words/words.js";

/** @param {{ open: boolean, value: string, onInput: (value: string) => void }} props */
export function part({ open, value, onInput }) {
  const { search } = words.value.board;
  return open &&
    textField({
      label: search,
      bare: true,
      placeholder: search,
      type: "search",
      autofocus: true,
      value,
      onInput,
    });
}
