// Undo: the offer to take the last change back, for some seconds. It does not end while somebody is about to take it.

import { isProblem } from "../api/problems.js";
import { effect, signal } from "../vendor/signals-core.js";
import { drop, items, postpone } from "./outbox.js";
import { UNDO_TIME } from "./sync/values.js";

/**
 * `key` of the change that waits meanwhile; `otherwise` is done once it cannot be taken back any more; `retries`: what is
 * offered is another attempt; `also`: what else can be done next; `problem` is why the last one failed.
 * @typedef {{key?: string | null, duration?: number, otherwise?: () => void, retries?: boolean, also?: {label: string, run: () => void}}} More
 * @typedef {{text: string, undo: () => unknown, problem?: import("../api/problems.js").Problem} & More} UndoOffer
 */

// For a change that would leave although its offer has the focus; of a page that is closed it leaves then.
const HELD = 600_000;

/** The present offer, or null. @type {import("../vendor/signals-core.js").Signal<UndoOffer | null>} */
export const undoOffer = signal(null);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text @param {() => unknown} undo may throw a Problem, which is shown with the offer once more @param {More} [more] */
export function offerUndo(text, undo, more = {}) {
  endOffer();
  show({ text, undo, ...more });
}

/** Offers to take back a change until it is sent: when the time is over, or something is made of its object. @param {string} text @param {string | null} key @param {() => unknown} [after] */
export function offerDrop(text, key, after = () => {}) {
  const undo = () => {
    drop(key);
    return after();
  };
  offerUndo(text, undo, { key });
}

effect(() => {
  const key = undoOffer.value?.key;
  if (key && !items.value.some((item) => item.key === key && !item.isSent)) endOffer();
});

/** Takes the offer. */
export async function takeUndo() {
  const offer = undoOffer.value;
  if (!offer) return;
  clear();
  try {
    await offer.undo();
  } catch (problem) {
    if (!isProblem(problem)) throw problem;
    show({ ...offer, problem });
  }
}

/** Goes on instead of taking it back. */
export function takeAlso() {
  const offer = undoOffer.peek();
  endOffer();
  offer?.also?.run();
}

/** The offer stays for as long as it has the focus. */
export function holdUndo() {
  clearTimeout(timer);
  keepBack(HELD);
}

/** It ends after the usual time, from now. */
export function releaseUndo() {
  if (!undoOffer.peek()) return;
  endLater(UNDO_TIME);
  keepBack(UNDO_TIME);
}

/** @param {UndoOffer} offer */
function show(offer) {
  undoOffer.value = offer;
  endLater(offer.duration ?? UNDO_TIME);
}

/** @param {number} duration */
function keepBack(duration) {
  const key = undoOffer.peek()?.key;
  if (key) postpone(key, duration);
}

/** @param {number} duration */
function endLater(duration) {
  clearTimeout(timer);
  timer = setTimeout(endOffer, duration);
}

/** What was offered is not taken back any more. */
export function endOffer() {
  const offer = undoOffer.peek();
  clear();
  offer?.otherwise?.();
}

function clear() {
  clearTimeout(timer);
  undoOffer.value = null;
}
