// Wall: the orders of a display that has an API key instead of a session. It only reads.

import { isProblem, Problem } from "../api/problems.js";
import { signal } from "../vendor/signals-core.js";

/** @typedef {{order: import("./first.js").ShownOrder, facts: Partial<Api.OrderSummary> | undefined, isCollected?: boolean}} WallTicket */
/** `isLate`: the last attempt to read had no answer. @typedef {{ name: string, tickets: WallTicket[], isLate: boolean }} Wall */

const EVERY = 10_000;
const TIMEOUT = 15_000;

/** What the display shows; null without a key. @type {import("../vendor/signals-core.js").Signal<Wall | null>} */
export const wall = signal(null);

/** Reads with the key of the address's fragment. Returns what stops it, or null where there is no key. @param {string} key */
export function startWall(key) {
  if (!key.startsWith("bbk_")) return null;
  wall.value = { name: "", tickets: [], isLate: false };
  let stopped = false;
  let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  const turn = async () => {
    await read(key).catch(late);
    if (!stopped) timer = setTimeout(turn, EVERY);
  };
  void turn();
  return () => {
    stopped = true;
    clearTimeout(timer);
    wall.value = null;
  };
}

/** @param {string} key */
async function read(key) {
  const { workshops } = await getWithKey("/key", key);
  const [workshop] = workshops;
  if (!workshop) throw new Problem(403, "");
  const of = `/workshops/${workshop.id}`;
  // Of the open ones those due first, which the display has room for.
  const [todo, started, done] = await Promise.all([
    getWithKey(`${of}/order-summaries?status=todo&limit=50`, key),
    getWithKey(`${of}/order-summaries?status=in_progress&limit=50`, key),
    getWithKey(`${of}/orders?status=done&limit=50`, key),
  ]);
  /** @type {Api.OrderSummary[]} */
  const open = [...todo.summaries, ...started.summaries];
  const tickets = open.map((facts) => ({ order: { ...facts, id: facts.orderId }, facts }));
  /** @type {Api.Order[]} */
  const orders = done.orders;
  const finished = orders.map((order) => ({ order, facts: undefined }));
  wall.value = { name: workshop.name, tickets: [...tickets, ...finished], isLate: false };
}

/** What was read last stays. @param {unknown} error */
function late(error) {
  if (!isProblem(error)) throw error;
  if (wall.value) wall.value = { ...wall.value, isLate: true };
}

/** Reads with an API key, without the cookies of somebody who is signed in on this device. Throws Problem, also where something else than the service answers. @param {string} path @param {string} key */
async function getWithKey(path, key) {
  const init = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(TIMEOUT) };
  try {
    const response = await fetch(`/api${path}`, { ...init, credentials: "omit" });
    if (response.ok && response.headers.has("X-Request-Id")) return await response.json();
  } catch (error) {
    // No answer, none in time, or one that ended too early: a display shows the last that it read.
    if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) {
      throw error;
    }
  }
  throw new Problem(0, "offline");
}
