// Signed in: which account this browser is signed in to, and which accounts have left unsent changes in it.

import { signal } from "../vendor/signals-core.js";
import { FIRST, SIGNED_IN, store, stored } from "../local/settings.js";

/**
 * Who is signed in in this browser: the email address in lower case, which is the name of the local database, the CSRF
 * token of the session, the id of the account, and the account before, until it is sealed.
 * @typedef {{name: string, token: string, uid?: string | undefined, former?: string | undefined}} SignedIn
 */

const SEALED = "backbench-sealed";
const NOBODY = /** @type {SignedIn} */ ({ name: "", token: "" });

/**
 * Accounts with changes on this device that were not sent, by email address: the name and the number of changes, null where
 * that could not be read.
 * @type {import("../vendor/signals-core.js").Signal<Record<string, {name: string, waiting: number | null}>>}
 */
export const sealed = signal(stored(SEALED, {}));

/** `name` and `token` are "" while nobody is. @returns {SignedIn} */
export const signedIn = () => stored(SIGNED_IN, NOBODY);

/** @param {string} name @param {string} token @param {string | undefined} uid @returns {SignedIn} */
export function keepSignedIn(name, token, uid) {
  const known = signedIn();
  const former = known.name === name ? known.former : known.name || undefined;
  const next = { name, token, uid, former };
  if (known.name !== name) store(FIRST, undefined);
  store(SIGNED_IN, next);
  return next;
}

export function forgetSignedIn() {
  store(FIRST, undefined);
  store(SIGNED_IN, undefined);
}

/** The data of an account that was here before goes; what it has not sent stays, locked. @param {SignedIn} present */
export async function settleFormer({ former, ...present }) {
  forgetSealed(present.name);
  if (!former) return;
  await seal(former);
  if (signedIn().name === present.name) store(SIGNED_IN, present);
}

/** @param {string} name */
export async function seal(name) {
  // Loaded when it is needed. Without it nothing leaves, and it is tried at the next start.
  const clearing = await import("../local/clearing.js").catch(() => null);
  const waiting = clearing && await clearing.sealAccount(name);
  const { [name]: _, ...others } = sealed.peek();
  keepSealed(waiting === 0 ? others : { ...others, [name]: { name, waiting } });
}

/** @param {string} name */
export function forgetSealed(name) {
  const { [name]: _, ...others } = sealed.peek();
  keepSealed(others);
}

/** @param {typeof sealed.value} next */
function keepSealed(next) {
  sealed.value = next;
  store(SEALED, Object.keys(next).length ? next : undefined);
}
