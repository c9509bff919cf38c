// Problem text: what a problem means, for where the sentences for errors are not loaded with the page.

import { explained } from "../words/problems.js";

/** @param {{ problem: import("../words/problems.js").ProblemLike }} props */
export const part = ({ problem }) => explained(problem);
