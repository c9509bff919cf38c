// Room: how many lines an estimate still takes, said before the last one.

import { component, p } from "../../components/tags.js";
import { builderWords } from "../../words/builder.js";
import { estimate } from "../../state/estimates.js";

const MOST_LINES = 500;
const SAID_FROM = 480;

/** @param {string} id */
export const room = (id) => component(Room, { id });

/** @param {{ id: string }} props */
function Room({ id }) {
  const lines = estimate(id).value?.lineItems.length ?? 0;
  if (lines < SAID_FROM) return null;
  const text = builderWords.value;
  const left = MOST_LINES - lines;
  return p({ class: "notice warning", role: "status" }, left > 0 ? text.room(left) : text.full);
}

/** Whether the estimate takes no further line. @param {{ lineItems: readonly unknown[] } | undefined} shown */
export const isFull = (shown) => (shown?.lineItems.length ?? 0) >= MOST_LINES;
