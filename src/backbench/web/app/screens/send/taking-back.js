// Taking back: a link ends ten seconds after the press, so that it can be undone: its addresses cannot be made again.

import { isProblem } from "../../api/problems.js";
import { words } from "../../words/words.js";
import { explained } from "../../words/problems.js";
import { sendWords } from "../../words/send.js";
import { loadShared, revokeLink } from "../../state/links.js";
import { softly } from "../../state/records.js";
import { offerUndo } from "../../state/undo.js";
import { signal } from "../../vendor/signals.js";

const PAUSE = 10_000;

/** The links that are about to end. @type {import("../../vendor/signals.js").Signal<ReadonlyMap<string, Api.Link>>} */
const waiting = signal(new Map());

/** @param {Api.Link} link */
export const isTakenBack = (link) => waiting.value.has(link.id);

/** @param {Api.Link} link @param {string} text */
export function takeBack(link, text) {
  waiting.value = new Map(waiting.value).set(link.id, link);
  offerUndo(text, () => forget(link), {
    duration: PAUSE,
    otherwise: () => isTakenBack(link) && void end(link),
  });
}

// Whoever leaves the page meant it.
if (typeof addEventListener !== "undefined") {
  addEventListener("pagehide", () => {
    for (const link of waiting.peek().values()) void end(link, { keepalive: true });
  });
}

/** @param {Api.Link} link @param {{ keepalive?: boolean }} [options] */
async function end(link, options) {
  try {
    await revokeLink(link, options);
  } catch (error) {
    if (!isProblem(error)) throw error;
    const text = `${sendWords.value.stillOpen} ${explained(error, words.value.common)}`;
    offerUndo(text, () => end(link), { duration: PAUSE, retries: true });
    // It is shown again, as open as it is.
    void softly(() => loadShared(link.estimateId));
  } finally {
    forget(link);
  }
}

/** @param {Api.Link} link */
function forget(link) {
  const left = new Map(waiting.peek());
  left.delete(link.id);
  waiting.value = left;
}
