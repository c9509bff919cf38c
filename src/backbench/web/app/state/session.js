// Session: who is signed in, and what of whom this browser shows.

import { signal } from "../vendor/signals-core.js";
import * as accounts from "../api/accounts.js";
import { hasCookies, listen } from "../api/client.js";
import { isProblem, isTemporary, Problem } from "../api/problems.js";
import { clearAccount, sealAccount } from "../local/clearing.js";
import { openLocal } from "../local/database.js";
import { ACCOUNT, store, stored } from "../local/settings.js";
import { startConnection } from "./connection.js";
import { openOutbox, pause, replica, resume, startOutbox } from "./outbox.js";
import { channel } from "../local/pages.js";
import { language } from "./preferences.js";

/** @typedef {import("../../../../../types/shapes.d.ts").MeProfile} MeProfile */
/** @typedef {import("../../../../../types/shapes.d.ts").NewAccount} NewAccount */
/** @typedef {import("../../../../../types/shapes.d.ts").ProfileEdit} ProfileEdit */
/**
 * `expired`: the server asks to sign in again; what is shown stays. `uid` is null until it is known.
 * @typedef {{phase: "starting" | "signed-out" | "signed-in" | "expired", me: MeProfile | null, uid: string | null}} Session
 */

const UIDS = "backbench-uids";
const SEALED = "backbench-sealed";

/** @type {import("../vendor/signals-core.js").Signal<Session>} */
export const session = signal({ phase: "starting", me: null, uid: null });
/**
 * Accounts with changes on this device that were not sent, by email address: the name and the number of changes.
 * @type {import("../vendor/signals-core.js").Signal<Record<string, {name: string, waiting: number}>>}
 */
export const sealed = signal(stored(SEALED, {}));
/** The email address whose data is shown, in lower case: the name of its local database. */
let account = stored(ACCOUNT, "");

/** Shows what is stored, then asks the server who is signed in. Settles when there is something to show. */
export async function startSession() {
  listen({ expired });
  startConnection();
  startOutbox();
  channel.listen((message) => {
    if (message.type === "session" && stored(ACCOUNT, "") !== account) location.reload();
  });
  const verified = verify();
  if (!account) return await verified;
  await openAccount(account);
  const me = await replica.fact("me");
  if (!me || session.value.phase !== "starting") return await verified;
  session.value = { phase: "signed-in", me, uid: uidOf(account) };
}

async function verify() {
  try {
    // Not asked without cookies: browsers report 401 as an error in their console.
    if (!hasCookies()) throw new Problem(401, "unauthenticated");
    const me = await accounts.getProfile();
    await enter(me);
  } catch (error) {
    if (!isProblem(error)) throw error;
    await opened;
    if (isTemporary(error) && account) return void resume();
    session.value = { ...session.value, phase: account ? "expired" : "signed-out" };
  }
}

/** @type {Promise<void>} */
let opened = Promise.resolve();

/** @param {string} name */
function openAccount(name) {
  opened = opened.then(async () => {
    const local = await openLocal(name);
    channel.open(name);
    await openOutbox(name, local);
  });
  return opened;
}

/** Shows the account that the server says is signed in. @param {MeProfile} me */
async function enter(me) {
  const name = me.email.toLowerCase();
  await opened;
  if (name !== account || !replica.isAttached()) {
    await seal(name);
    account = name;
    store(ACCOUNT, name);
    await openAccount(name);
    channel.post({ type: "session" });
  }
  await replica.commit({ facts: { me } });
  session.value = { phase: "signed-in", me, uid: uidOf(name) };
  void resume();
}

/** Closes the account that was shown before; what it has not sent stays on the device. @param {string} next */
async function seal(next) {
  const others = { ...sealed.value };
  delete others[next];
  if (account && account !== next) {
    const name = session.value.me?.name ?? account;
    await openOutbox("", null);
    const waiting = await sealAccount(account);
    if (waiting) others[account] = { name, waiting };
  }
  sealed.value = others;
  store(SEALED, others);
}

/** @param {string} name */
function uidOf(name) {
  return stored(UIDS, /** @type {Record<string, string>} */ ({}))[name] ?? null;
}

function expired() {
  if (session.value.phase !== "signed-in") return;
  pause();
  session.value = { ...session.value, phase: "expired" };
}

/** Throws Problem: 401 for a wrong password, 429 after too many attempts. @param {string} email @param {string} password */
export async function signIn(email, password) {
  const { user } = await accounts.signIn({ email, password });
  store(UIDS, { ...stored(UIDS, {}), [user.email.toLowerCase()]: user.uid });
  await enter(await accounts.getProfile());
  language.value = user.locale;
}

/** Ends the session and removes the account's data from this device: ask before, if changes wait. Throws Problem. */
export async function signOut() {
  try {
    await accounts.signOut();
  } catch (error) {
    if (!isProblem(error) || error.status !== 401) throw error;
  }
  await leave();
}

/** Removes the account's data from this device, such as after the account was deleted. */
export async function leave() {
  const left = account;
  await openOutbox("", null);
  account = "";
  store(ACCOUNT, undefined);
  channel.post({ type: "session" });
  channel.close();
  if (left) await clearAccount(left);
  session.value = { phase: "signed-out", me: null, uid: null };
}

/** An email with a link is sent. Throws Problem. @param {NewAccount} body */
export function signUp(body) {
  return accounts.signUp(body);
}

/** @param {string} email */
export function requestPasswordReset(email) {
  return accounts.requestPasswordReset({ email });
}

/** @param {ProfileEdit} fields */
export async function updateProfile(fields) {
  const me = await accounts.updateProfile(fields);
  await replica.commit({ facts: { me } });
  session.value = { ...session.value, me };
  if (fields.locale) language.value = fields.locale;
}
