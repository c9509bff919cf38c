// Revisions: what was confirmed and sent, newest first, each with its difference to the one before.

import { isProblem } from "../api/problems.js";
import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { isOnline, needsConnection } from "../components/needs-connection.js";
import { notice } from "../components/notice.js";
import { component, div, p } from "../components/tags.js";
import { difference, isEmpty } from "../domain/differences.js";
import { explained } from "../words/problems.js";
import { words } from "../words/words.js";
import { revisionWords } from "../words/estimates.js";
import { estimate, openEstimate } from "../state/estimates.js";
import { totals } from "../state/totals.js";
import { go } from "../state/router.js";
import { currency } from "../state/workshops.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { changesOf, sumsOf, withAmounts } from "./revisions/changes.js";
import { loadRevisions } from "./revisions/history.js";
import { RevisionTicket } from "./revisions/revision-ticket.js";

/** @typedef {import("./revisions/history.js").History} History */
/** @typedef {import("../api/problems.js").Problem} Problem */

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const id = params.estimateId ?? "";
  const { history, problem } = useHistory(id);
  const shown = estimate(id).value;
  const text = revisionWords.value;
  return frame(
    {
      title: shown ? `${text.title}: ${shown.name}` : text.title,
      place: "estimates",
      back: `/estimates/${id}`,
    },
    needsConnection(),
    problem && notice({
      kind: "alarm",
      text: explained({ status: problem.status, code: problem.code, data: problem.data }, words.value.common),
    }),
    history
      ? tickets(id, history)
      : !problem && isOnline() && p({ class: "quiet-text late" }, words.value.common.loading),
  );
}

/** @param {string} id */
function useHistory(id) {
  const [history, setHistory] = useState(/** @type {History | null} */ (null));
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const online = isOnline();
  useEffect(() => {
    setProblem(null);
    Promise.all([loadRevisions(id), openEstimate(id)]).then(([found]) => setHistory(found), (error) => {
      if (!isProblem(error)) throw error;
      if (error.status !== 0) setProblem(error);
    });
  }, [id, online]);
  return { history, problem };
}

/** @param {string} id @param {History} history */
function tickets(id, history) {
  const text = revisionWords.value;
  const { revisions } = history;
  if (!revisions.length) {
    return emptyState({
      text: text.empty,
      action: { label: text.toEstimate, onClick: () => go(`/estimates/${id}`) },
    });
  }
  return div(
    { class: "stack" },
    unconfirmed(id, history),
    ...revisions.map((revision, at) =>
      component(RevisionTicket, {
        key: revision.id,
        id,
        revision,
        before: revisions[at + 1],
        history,
        isLatest: at === 0,
      })
    ),
  );
}

/** What was changed since the latest revision. @param {string} id @param {History} history */
function unconfirmed(id, { revisions, totals: known }) {
  const present = estimate(id).value;
  const [latest] = revisions;
  if (!present || !latest) return null;
  const [earlier, later] = [known.get(latest.revisionNumber), totals(id).value];
  const found = difference(withAmounts(latest, earlier), withAmounts(present, later), currency.value);
  const hasSameSums = !earlier || !later ||
    sumsOf(earlier, later, currency.value).every((row) => row === null);
  if (isEmpty(found) && latest.name === present.name && hasSameSums) return null;
  const text = revisionWords.value;
  return div(
    { class: "panel status-in_progress" },
    div({ class: "revision-head" }, text.now),
    earlier && later && sumsOf(earlier, later, currency.value),
    changesOf(found, text.since(latest.revisionNumber), currency.value),
  );
}
