// Undo: the offer to take the last change back, for six seconds.

import { signal } from "../vendor/signals-core.js";

/** @typedef {{text: string, undo: () => void, until: number}} UndoOffer */

const DURATION = 6_000;

/** The present offer, or null. @type {import("../vendor/signals-core.js").Signal<UndoOffer | null>} */
export const undoOffer = signal(null);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text @param {() => void} undo @param {number} [duration] in milliseconds */
export function offerUndo(text, undo, duration = DURATION) {
  clearTimeout(timer);
  undoOffer.value = { text, undo, until: Date.now() + duration };
  timer = setTimeout(endOffer, duration);
}

/** Takes the offer. */
export function takeUndo() {
  const offer = undoOffer.value;
  endOffer();
  offer?.undo();
}

function endOffer() {
  clearTimeout(timer);
  undoOffer.value = null;
}
