// Undo: the offer to take the last change back, for some seconds. It does not end while somebody is about to take it.

import { signal } from "../vendor/signals-core.js";

/** @typedef {{text: string, undo: () => void}} UndoOffer */

const DURATION = 6_000;

/** The present offer, or null. @type {import("../vendor/signals-core.js").Signal<UndoOffer | null>} */
export const undoOffer = signal(null);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text @param {() => void} undo @param {number} [duration] in milliseconds */
export function offerUndo(text, undo, duration = DURATION) {
  undoOffer.value = { text, undo };
  endLater(duration);
}

/** Takes the offer. */
export function takeUndo() {
  const offer = undoOffer.value;
  endOffer();
  offer?.undo();
}

/** The offer stays for as long as it has the focus. */
export function holdUndo() {
  clearTimeout(timer);
}

/** It ends after the usual time, from now. */
export function releaseUndo() {
  if (undoOffer.peek()) endLater(DURATION);
}

/** @param {number} duration */
function endLater(duration) {
  clearTimeout(timer);
  timer = setTimeout(endOffer, duration);
}

function endOffer() {
  clearTimeout(timer);
  undoOffer.value = null;
}
