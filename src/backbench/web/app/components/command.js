// Command: something only the server can do: whether it is under way, and why it was refused. That it is not done twice
// is the work of `state/commands.js`.

import { isProblem } from "../api/problems.js";
import { connection } from "../state/connection.js";
import { go, route } from "../state/router.js";
import { useRef, useState } from "../vendor/hooks.js";
import { explained } from "../words/problems.js";
import { words } from "../words/words.js";
import { useAnnounced } from "./action-button.js";
import { component, icon, p, span } from "./tags.js";

/** @typedef {import("../api/problems.js").Problem} Problem */
/** @typedef {ReturnType<typeof goFromHere>} Go */

/**
 * `run` does nothing while the last command is under way, so that a second tap sends nothing twice. The command gets `go`,
 * which leaves the screen where it began alone. `run` returns whether it succeeded. `doing` is the name that was given to the one under way, or ""; `said` is the problem in words, or "".
 */
export function useCommand() {
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [doing, setDoing] = useState("");
  const isRunning = useRef(false);
  const run = async (/** @type {(go: Go) => Promise<unknown>} */ work, name = "command") => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setDoing(name);
    setProblem(null);
    try {
      await work(goFromHere());
      return true;
    } catch (error) {
      if (!isProblem(error)) throw error;
      setProblem(error);
      return false;
    } finally {
      isRunning.current = false;
      setDoing("");
    }
  };
  const said = problem ? explained(problem) : "";
  return { problem, said, busy: doing !== "", doing, run };
}

/** As `go`, but nowhere where the person has left the screen meanwhile. Returns whether it went there. */
function goFromHere() {
  const { visit } = route.peek();
  return (/** @type {string} */ address, /** @type {Parameters<typeof go>[1]} */ options = {}) => {
    const isHere = route.peek().visit === visit;
    if (isHere) go(address, options);
    return isHere;
  };
}

/** Whether the server answers. Read in a component, it draws it again. */
export const isOnline = () => connection.value.online;

/** The sentence, while there is no connection. */
export const needsConnection = () => component(NeedsConnection, {});

function NeedsConnection() {
  const { needsConnection: text } = words.value.common.connection;
  const { online } = connection.value;
  useAnnounced(online ? "" : text);
  if (online) return null;
  return p(
    { class: "row quiet-text" },
    icon("wifi-off"),
    span({}, text),
  );
}
