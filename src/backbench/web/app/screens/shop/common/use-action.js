// An action that only the server can do: once at a time, and why it failed.

import { isProblem } from "../../../api/problems.js";
import { useRef, useState } from "../../../vendor/hooks.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */

export function useAction() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const isRunning = useRef(false);
  /** Whether it succeeded. @param {() => Promise<unknown>} work */
  const run = async (work) => {
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
  return { busy, problem, run };
}
