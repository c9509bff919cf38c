// First rows: a long list begins with what a screen shows, so that the app starts at once; the others follow in steps.

import { useEffect, useState } from "../vendor/hooks.js";

const FIRST = 12;
const STEP = 48;
/** Between two steps the page answers taps. */
const PAUSE = 40;

/** Later lists are drawn whole: the place that was left is found again. */
let isStarting = true;

/** How many rows of a list to draw now. @param {number} count */
export function useFirstRows(count) {
  const [drawn, setDrawn] = useState(isStarting ? FIRST : Infinity);
  const hasMore = drawn < count;
  useEffect(() => {
    if (!hasMore) {
      if (count > 0) isStarting = false;
      return;
    }
    const step = setTimeout(() => setDrawn(drawn + STEP), PAUSE);
    return () => clearTimeout(step);
  }, [drawn, hasMore, count > 0]);
  return drawn;
}
