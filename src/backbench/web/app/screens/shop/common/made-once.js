// Made once: something whose secret is in one response alone, which may get lost on the way.

import { isProblem } from "../../../api/problems.js";
import { command } from "../../../state/commands.js";

/**
 * Makes it. One whose response was lost is deleted by `deleteLost`, and another one made. Throws Problem.
 * @template T
 * @param {unknown} intent as of `command`
 * @param {(key: string) => Promise<T>} make
 * @param {() => Promise<unknown>} deleteLost
 */
export async function madeOnce(intent, make, deleteLost) {
  return await command(intent, make).catch(async (error) => {
    if (!isProblem(error) || error.code !== "already_created") throw error;
    await deleteLost();
    return await command(intent, make);
  });
}

/** The newest of those that fit. @template {{ createdAt: string }} T @param {readonly T[]} all @param {(each: T) => boolean} fits */
export const newest = (all, fits) =>
  all.filter(fits).sort((one, other) => one.createdAt < other.createdAt ? 1 : -1)[0];
