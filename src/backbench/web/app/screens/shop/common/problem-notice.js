// What went wrong with something that only the server can do, in words.

import { isOffline } from "../../../api/problems.js";
import { notice } from "../../../components/notice.js";
import { explained, fieldExplained } from "../../../words/problems.js";
import { words } from "../../../words/words.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */

/** @param {Problem} problem */
export function sentence(problem) {
  const { common } = words.value;
  return isOffline(problem) ? common.connection.needsConnection : explained(problem, common);
}

/** Nothing without a problem. @param {Problem | null} problem @param {string} [text] instead of the usual sentence */
export function problemNotice(problem, text) {
  if (!problem) return null;
  const { common } = words.value;
  const number = problem.status >= 500 && problem.requestId && common.requestNumber(problem.requestId);
  return notice({
    kind: isOffline(problem) ? "warning" : "alarm",
    text: text ?? sentence(problem),
    ...(number ? { detail: number } : {}),
  });
}

/** The sentence at a field, if the server refused it. @param {Problem | null} problem @param {string} pointer */
export function atField(problem, pointer) {
  const found = problem?.errors.find((error) => error.pointer.startsWith(pointer));
  return found && fieldExplained(found, words.value.common);
}
