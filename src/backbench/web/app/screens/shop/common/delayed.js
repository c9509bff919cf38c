// Delayed: what cannot be taken back on the server is done when the time for undo is over.

import { isProblem } from "../../../api/problems.js";
import { offerUndo } from "../../../state/undo.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */

const PAUSE = 6_000;

/**
 * `hide` takes the thing off the screen at once; `restore` puts it back, after undo or after a failure.
 * A page that is closed before changes nothing.
 * @param {{ text: string, work: () => Promise<unknown>, hide: () => void, restore: (problem: Problem | null) => void }} action
 */
export function delayed({ text, work, hide, restore }) {
  hide();
  const timer = setTimeout(() => {
    work().catch((error) => {
      if (!isProblem(error)) throw error;
      restore(error);
    });
  }, PAUSE);
  offerUndo(text, () => {
    clearTimeout(timer);
    restore(null);
  });
}
