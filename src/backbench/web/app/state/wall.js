// Wall: the orders of a display that has an API key instead of a session. It only reads.

import { isProblem, Problem } from "../api/problems.js";
import { getWithKey } from "../api/wall.js";
import { signal } from "../vendor/signals-core.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** `isLate`: the last attempt to read had no answer. @typedef {{ name: string, orders: Order[], isLate: boolean }} Wall */

const EVERY = 10_000;

/** What the display shows; null without a key. @type {import("../vendor/signals-core.js").Signal<Wall | null>} */
export const wall = signal(null);

/** Reads with the key of the address's fragment. Returns what stops it, or null where there is no key. @param {string} key */
export function startWall(key) {
  if (!key.startsWith("bbk_")) return null;
  wall.value = { name: "", orders: [], isLate: false };
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
  const lists = await Promise.all(
    ["todo", "in_progress", "done"].map((status) =>
      getWithKey(`/workshops/${workshop.id}/orders?status=${status}&limit=50`, key)
    ),
  );
  const orders = lists.flatMap((list) => list.orders);
  wall.value = { name: workshop.name, orders, isLate: false };
}

/** What was read last stays. @param {unknown} error */
function late(error) {
  if (!isProblem(error)) throw error;
  if (wall.value) wall.value = { ...wall.value, isLate: true };
}
