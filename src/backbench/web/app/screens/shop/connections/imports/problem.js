// What went wrong with an import, in its own words where there are some.

import { connectionsWords } from "../../../../words/connections.js";
import { problemNotice } from "../../common/problem-notice.js";

/** @param {import("../../../../api/problems.js").Problem | null} problem */
export function importProblem(problem) {
  const { problems } = connectionsWords.value.imports;
  const code = problem?.code ?? "";
  const { limit } = /** @type {{ limit?: unknown }} */ (problem?.data ?? {});
  // The most grids of a workshop; other limits have the usual sentence.
  if (code === "plan_limit" && limit === 10) return problemNotice(problem, problems.grids);
  return problemNotice(
    problem,
    code in problems ? problems[/** @type {keyof typeof problems} */ (code)] : undefined,
  );
}
