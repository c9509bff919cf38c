// Document: saves facts of the estimate's PDF, one change after the other.

import { isProblem } from "../../api/problems.js";
import { facts, replaceFacts } from "../../state/estimates.js";
import { signal } from "../../vendor/signals.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").DocumentFacts} DocumentFacts */
/** @typedef {import("../../api/problems.js").Problem} Problem */
/** @typedef {{ [K in keyof DocumentFacts]: DocumentFacts[K] | null | undefined }} FactsEdit null removes a fact */

/** Why the last change was not saved, or null. @type {import("../../vendor/signals.js").Signal<Problem | null>} */
export const factsProblem = signal(null);
/** @type {Promise<void>} */
let saving = Promise.resolve();

/** Shows the change at once, and saves it after those before. @param {string} id @param {FactsEdit} fields */
export function editFacts(id, fields) {
  const known = facts(id);
  const before = known.peek() ?? {};
  const merged = { ...before, ...fields };
  known.value = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
  saving = saving.then(() => save(id, before));
  return saving;
}

/** @param {string} id @param {DocumentFacts} before */
async function save(id, before) {
  const known = facts(id);
  const wanted = known.peek() ?? {};
  try {
    await replaceFacts(id, wanted);
    factsProblem.value = null;
  } catch (error) {
    if (!isProblem(error)) throw error;
    // What was refused is not shown as if it were saved.
    if (facts(id).peek() === wanted) facts(id).value = before;
    factsProblem.value = error;
  }
}
