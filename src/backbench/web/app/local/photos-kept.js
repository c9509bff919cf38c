// Photos that wait on this device, of each account: how many, and the name of the database that has them.

import { deleteDatabase } from "./database.js";
import { store, stored } from "./settings.js";

const KEPT = "backbench-photos";

/** @returns {Record<string, number>} */
const counts = () => stored(KEPT, {});

/** @param {string} account */
export const photosDatabase = (account) => `backbench-photos-${encodeURIComponent(account)}`;

/** @param {string} account */
export const waitingPhotos = (account) => counts()[account] ?? 0;

/** @param {string} account @param {number} count */
export function keepCount(account, count) {
  const { [account]: _, ...others } = counts();
  const next = count ? { ...others, [account]: count } : others;
  store(KEPT, Object.keys(next).length ? next : undefined);
}

/** At sign-out, also where none wait: the name of the database is the person's. @param {string} account */
export async function deletePhotos(account) {
  keepCount(account, 0);
  await deleteDatabase(photosDatabase(account));
}
