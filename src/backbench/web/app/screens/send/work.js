// Work: something that only the server can do: that it goes on, and why it failed, in words.

import { isProblem } from "../../api/problems.js";
import { explained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { useState } from "../../vendor/hooks.js";

/** `busy` is the name of what goes on, or ""; `run` does not start a second thing meanwhile. */
export function useWork() {
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");
  /** @param {string} name @param {() => Promise<unknown>} work @param {() => void} [done] */
  const run = async (name, work, done) => {
    if (busy) return;
    setBusy(name);
    setProblem("");
    try {
      await work();
      setBusy("");
      done?.();
    } catch (error) {
      setBusy("");
      if (!isProblem(error)) throw error;
      setProblem(explained(error, words.value.common));
    }
  };
  return { busy, problem, run };
}
