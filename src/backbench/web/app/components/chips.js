// Chips: words to tap on instead of typing them.

import { button, div } from "./tags.js";

/**
 * @param {{ label: string, chips: readonly { value: string, label: string, pressed?: boolean }[], onTap: (value: string) => void }} props
 */
export function chips({ label, chips: all, onTap }) {
  if (!all.length) return null;
  return div(
    { class: "chips", role: "group", "aria-label": label },
    ...all.map(({ value, label: name, pressed = false }) =>
      button(
        { key: value, class: "chip", type: "button", "aria-pressed": pressed, onClick: () => onTap(value) },
        name,
      )
    ),
  );
}
