// Keys of the builder on a desk: Alt with a digit is a tile of the page shown, digits alone are the quantity of the line that
// was added last, Ctrl or Command with Enter sends.

import { shortcuts } from "../../state/preferences.js";
import { useLayoutEffect } from "../../vendor/hooks.js";
import { page } from "./tile-pages.js";

/** @param {{ tap: (source: import("./till.js").Source) => void, digit: (digit: string) => void, send: () => void }} actions */
export function useKeys({ tap, digit, send }) {
  // As soon as the screen is there: an effect after the paint would lose a digit typed before it.
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (document.querySelector("dialog[open]")) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
        event.preventDefault();
        send();
        return;
      }
      // By its place: with Alt some keyboards type another sign.
      const [, pressed] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
      if (!pressed || !shortcuts.peek() || event.ctrlKey || event.metaKey || isTyping(event)) return;
      const found = page.peek()?.tiles[Number(pressed) - 1];
      if (event.altKey && found) tap(found.source);
      else if (!event.altKey) digit(pressed);
      else return;
      // The digit itself is not typed into the entry that opens.
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** @param {KeyboardEvent} event */
function isTyping({ target, altKey }) {
  return !altKey && target instanceof HTMLElement &&
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}
