// Answer: what a screen reads of the server, and what it shows until that is there: read again with the connection, and with
// a button where it failed.

import { isOffline, isProblem, isTemporary } from "../api/problems.js";
import { connection } from "../state/connection.js";
import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { errorWords } from "../words/errors.js";
import { explained } from "../words/problems.js";
import { words } from "../words/words.js";
import { actionButton } from "./action-button.js";
import { needsConnection } from "./command.js";
import { emptyState, notice } from "./notice.js";
import { p } from "./tags.js";

/** @typedef {import("../api/problems.js").Problem} Problem */
/**
 * @template T
 * @typedef {{ data: T | null, problem: Problem | null, reload: () => Promise<void>, show: (data: T) => void }} Answered
 */

/**
 * Asks when the screen is opened, and again when the connection is back.
 * @template T @param {(shown: T | null) => Promise<T>} ask with what is shown for the key @param {string} [key] asks again when it changes
 * @returns {Answered<T>}
 */
export function useAnswer(ask, key = "") {
  const [state, set] = useState(
    /** @type {{ data: T | null, problem: Problem | null }} */ ({ data: null, problem: null }),
  );
  const asked = useRef(0);
  const shown = useRef({ key, data: /** @type {T | null} */ (null) });
  /** @param {T} data */
  const show = (data) => {
    // An answer that is still under way is older.
    asked.current += 1;
    shown.current = { key, data };
    set({ data, problem: null });
  };
  const reload = async () => {
    // An answer that another one has overtaken is older.
    const turn = asked.current += 1;
    try {
      const data = await ask(shown.current.key === key ? shown.current.data : null);
      if (turn === asked.current) show(data);
    } catch (error) {
      if (!isProblem(error)) throw error;
      if (turn === asked.current) set((known) => ({ ...known, problem: error }));
    }
  };
  const { online } = connection.value;
  useEffect(() => void reload(), [key, online]);
  return { ...state, reload, show };
}

/**
 * Opens an object, and again where it is missing: that shows its workshop, so nothing else may do it again.
 * @param {() => Promise<unknown>} open @param {unknown} object what is shown of it @param {string} id
 */
export function useOpened(open, object, id) {
  const opened = useRef("");
  return useAnswer(async () => {
    if (object && opened.current === id) return;
    await open();
    opened.current = id;
  }, `${id} ${!object}`);
}

/** A quiet line, or why there is nothing to show. @param {Answered<any>} answered @param {string} [offline] instead of the usual sentence */
export function notYet({ data, problem, reload }, offline) {
  const { buttons, loading } = words.value.common;
  const retry = { label: buttons.retry, icon: "refresh-cw", onClick: () => void reload() };
  if (problem && isOffline(problem)) {
    return [offline ? p({ class: "row quiet-text" }, offline) : needsConnection(), actionButton(retry)];
  }
  if (problem) return notice({ kind: "alarm", text: explained(problem), action: retry });
  return data === null ? p({ class: "quiet-text late", role: "status" }, loading) : null;
}

/**
 * The same of an object that is opened: it may be gone, or not on this device.
 * @param {Answered<any>} answered @param {Parameters<typeof emptyState>[0]} gone
 */
export function missing(answered, gone) {
  const { problem } = answered;
  const isLost = problem && !isTemporary(problem) && problem.status !== 401;
  return isLost ? emptyState(gone) : notYet(answered, errorWords.value.notHere);
}
