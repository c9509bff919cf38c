// Delayed: what cannot be taken back on the server is done when the time for undo is over.

import { isProblem } from "../../../api/problems.js";
import { offerUndo } from "../../../state/undo.js";
import { useState } from "../../../vendor/hooks.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */

const PAUSE = 6_000;

/** The thing is hidden at once, and there again after undo or after a failure. A page that is closed before changes nothing. */
export function useDelayed() {
  const [isHidden, setIsHidden] = useState(false);
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  /** @param {string} text @param {() => Promise<unknown>} work */
  const start = (text, work) => {
    setIsHidden(true);
    setProblem(null);
    const timer = setTimeout(() => {
      work().catch((error) => {
        if (!isProblem(error)) throw error;
        setIsHidden(false);
        setProblem(error);
      });
    }, PAUSE);
    offerUndo(text, () => {
      clearTimeout(timer);
      setIsHidden(false);
    });
  };
  return { isHidden, problem, start };
}
