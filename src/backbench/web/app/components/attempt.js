// Attempt: something only the server can do: whether it is under way, and why it was refused.

import { isProblem } from "../api/problems.js";
import { useRef, useState } from "../vendor/hooks.js";

/** @typedef {import("../api/problems.js").Problem} Problem */

/**
 * `run` does nothing while the last attempt is under way, so that a second tap sends nothing twice. It returns whether
 * the attempt succeeded.
 */
export function useAttempt() {
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (/** @type {() => Promise<unknown>} */ work) => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      if (!isProblem(error)) throw error;
      setProblem(error);
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { problem, busy, run };
}
