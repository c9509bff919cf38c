// An answer of the API that a screen shows, and what to show until it is there.

import { actionButton } from "../../../components/action-button.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { notice } from "../../../components/notice.js";
import { p } from "../../../components/tags.js";
import { isOffline, isProblem } from "../../../api/problems.js";
import { words } from "../../../words/words.js";
import { connection } from "../../../state/connection.js";
import { useEffect, useRef, useState } from "../../../vendor/hooks.js";
import { sentence } from "./problem-notice.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */
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

/** A quiet line, or why there is nothing to show. @param {Answered<any>} answered */
export function notYet({ data, problem, reload }) {
  if (problem && isOffline(problem)) return [needsConnection(), retryButton(reload)];
  if (problem) return notice({ kind: "alarm", text: sentence(problem), action: retryAction(reload) });
  return data === null ? p({ class: "quiet-text late", role: "status" }, words.value.common.loading) : null;
}

/** @param {() => Promise<void>} reload */
const retryAction = (reload) => ({
  label: words.value.common.buttons.retry,
  icon: "refresh-cw",
  onClick: () => void reload(),
});

/** @param {() => Promise<void>} reload */
const retryButton = (reload) => actionButton(retryAction(reload));
