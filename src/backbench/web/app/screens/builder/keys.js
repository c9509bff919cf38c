// Keys of the builder on a desk: digits are the tiles of the page shown, Ctrl or Command with Enter sends.

import { useLayoutEffect } from "../../vendor/hooks.js";
import { page } from "./tile-pages.js";

/** @param {{ tap: (source: import("./till.js").Source) => void, send: () => void }} actions */
export function useKeys({ tap, send }) {
  // As soon as the screen is there: an effect after the paint would lose a digit typed before it.
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (document.querySelector("dialog[open]")) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
        event.preventDefault();
        send();
      } else if (!isTyping(event) && /^[1-9]$/.test(event.key)) {
        const found = page.peek()?.tiles[Number(event.key) - 1];
        if (!found) return;
        // The digit itself is not typed into the entry that opens.
        event.preventDefault();
        tap(found.source);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** @param {KeyboardEvent} event */
function isTyping({ target, ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey ||
    target instanceof HTMLElement &&
      target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}
