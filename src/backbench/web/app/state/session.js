// Session: whose page this is. An account is a page: what a page shows and sends is of one account, from its start or
// its first sign-in to its end. Where another account signs in, or nobody is signed in any more, the page is loaded anew.

import { computed, signal } from "../vendor/signals-core.js";
import * as accounts from "../api/accounts.js";
import { bind, csrfToken, isBound, listen, unbind } from "../api/client.js";
import { isProblem, isTemporary, Problem } from "../api/problems.js";
import { listWorkshops } from "../api/workshops.js";
import { ME } from "../domain/kinds.js";
import { clearAccount, sealAccount } from "../local/clearing.js";
import { openLocal } from "../local/database.js";
import { store, stored } from "../local/settings.js";
import { startConnection } from "./connection.js";
import { openOutbox, pause, replica, resume, startOutbox } from "./outbox.js";
import { channel } from "../local/pages.js";
import { language } from "./preferences.js";
import { change } from "./records.js";
import { takeWorkshops } from "./sync/pull.js";

/** @typedef {import("../../../../../types/shapes.d.ts").MeProfile} MeProfile */
/** @typedef {import("../../../../../types/shapes.d.ts").NewAccount} NewAccount */
/** @typedef {import("../../../../../types/shapes.d.ts").ProfileEdit} ProfileEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").Workshop} Workshop */
/**
 * `starting`: it is not known yet whose page this is. `expired`: the session of this page has ended; what is shown stays,
 * and waits for the same account to sign in again.
 * @typedef {"starting" | "signed-out" | "signed-in" | "expired"} Phase
 */
/**
 * Who is signed in in this browser: the email address in lower case, which is the name of the local database, the CSRF
 * token of the session, the account's id where the sign-in said it, and the account before, until it is sealed.
 * @typedef {{name: string, token: string, uid?: string | undefined, former?: string | undefined}} SignedIn
 */

const ACCOUNT = "backbench-signed-in";
const SEALED = "backbench-sealed";
const NOBODY = /** @type {SignedIn} */ ({ name: "", token: "" });

const phase = signal(/** @type {Phase} */ ("starting"));
const uid = signal(/** @type {string | null} */ (null));
/** `uid` is null where it is not known. */
export const session = computed(() => ({
  phase: phase.value,
  me: /** @type {MeProfile | null} */ (replica.views.profile.value.get(ME) ?? null),
  uid: uid.value,
}));
/** Whether requests can be sent: between accounts, and after a session has ended, none are. */
export const isOpen = signal(false);
/** Whether the workshops were listed by the server since the page was loaded. */
export const isListed = signal(false);
/** The workshops that the account had left when they were listed. @type {import("../vendor/signals-core.js").Signal<string[]>} */
export const leftWorkshops = signal([]);
/**
 * Accounts with changes on this device that were not sent, by email address: the name and the number of changes.
 * @type {import("../vendor/signals-core.js").Signal<Record<string, {name: string, waiting: number}>>}
 */
export const sealed = signal(stored(SEALED, {}));
/** The account of this page; "" before somebody has signed in. */
let account = "";

/** Shows what is stored for the session of the cookies, then asks the server. Settles when there is something to show. */
export async function startSession() {
  listen({ expired, foreign: () => void compare() });
  startConnection();
  startOutbox();
  channel.listen((message) => message.type === "account" && void compare());
  addEventListener("pageshow", (event) => event.persisted && void compare());
  const known = stored(ACCOUNT, NOBODY);
  if (!known.name) return await verify();
  if (!csrfToken()) return await lock(known);
  // Cookies of another session: the server says whose.
  if (known.token !== csrfToken()) return await verify();
  await open(known);
  const verified = verify();
  if (!session.value.me) await verified;
}

/** @param {SignedIn} known */
async function open({ name, token, uid: id }) {
  account = name;
  await openOutbox(name, await openLocal(name));
  uid.value = id ?? null;
  enter(token);
}

/** @param {string} token */
function enter(token) {
  bind(token);
  isOpen.value = true;
  if (session.value.me) phase.value = "signed-in";
  void resume();
}

/** @type {Promise<void> | null} */
let verifying = null;

/** Asks the server whose cookies these are. */
function verify() {
  verifying ??= ask().finally(() => (verifying = null));
  return verifying;
}

async function ask() {
  const token = csrfToken();
  try {
    // Not asked without cookies: browsers report 401 as an error in their console.
    if (!token) throw new Problem(401, "unauthenticated");
    // Together: one after the other takes a phone twice as long.
    const [me, workshops] = await Promise.all([accounts.getProfile(), listWorkshops({ isPublic: true })]);
    // The cookies were changed meanwhile.
    if (token !== csrfToken()) return await ask();
    await take(me, workshops.workshops, token);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (!isTemporary(error)) return await ended();
    if (!account) phase.value = "signed-out";
    askAgain();
  }
}

/** What the server said of the cookies. @param {import("../api/client.js").Answer<MeProfile>} me @param {Workshop[]} workshops @param {string} token */
async function take({ data, etag }, workshops, token) {
  const name = data.email.toLowerCase();
  const known = stored(ACCOUNT, NOBODY);
  const id = known.name === name ? known.uid : undefined;
  const former = known.name === name ? known.former : known.name || undefined;
  const next = { name, token, uid: id, former };
  store(ACCOUNT, next);
  if (known.name !== name || known.token !== token) channel.post({ type: "account" });
  if (account && account !== name) return leavePage();
  if (!account) await open(next);
  await replica.commit({ objects: [{ kind: "profile", id: ME, workshopId: "", value: data, etag }] });
  leftWorkshops.value = await takeWorkshops(replica, workshops);
  isListed.value = true;
  enter(token);
  await settleFormer(next);
}

/** Another account was here before: what it has not sent stays, locked. @param {SignedIn} known */
async function settleFormer({ former, ...present }) {
  const { [present.name]: _, ...others } = sealed.peek();
  keepSealed(others);
  if (!former) return;
  await seal(former);
  if (stored(ACCOUNT, NOBODY).name === present.name) store(ACCOUNT, present);
}

/** @param {string} name */
async function seal(name) {
  const waiting = await sealAccount(name);
  const { [name]: _, ...others } = sealed.peek();
  keepSealed(waiting ? { ...others, [name]: { name, waiting } } : others);
}

/** @param {typeof sealed.value} next */
function keepSealed(next) {
  sealed.value = next;
  store(SEALED, Object.keys(next).length ? next : undefined);
}

/** The session has ended. What somebody is in the middle of stays; a page that was just loaded shows nothing. */
async function ended() {
  const known = stored(ACCOUNT, NOBODY);
  if (account && phase.peek() === "expired") return;
  if (account && (isListed.peek() || replica.items.peek().length)) return expired();
  if (known.name) return await lock(known);
  phase.value = "signed-out";
}

/** The data of an ended session is not shown without a sign-in: a lost phone keeps what was not sent, and no more. @param {SignedIn} known */
async function lock({ name }) {
  store(ACCOUNT, undefined);
  if (account) return leavePage(() => seal(name));
  await seal(name);
  phase.value = "signed-out";
}

function expired() {
  if (phase.peek() !== "signed-in") return;
  suspend();
  phase.value = "expired";
}

/** Nothing is sent any more. */
function suspend() {
  pause();
  unbind();
  isOpen.value = false;
}

/** The cookies, or the account that is signed in in this browser, are not those of this page any more. */
async function compare() {
  const known = stored(ACCOUNT, NOBODY);
  if (known.name !== account && (account || isBound())) return await leavePage();
  if (account && known.token === csrfToken() && known.token) return enter(known.token);
  await verify();
}

/** @param {() => Promise<unknown>} [work] done once nothing is sent or shown any more */
async function leavePage(work) {
  suspend();
  phase.value = "starting";
  await work?.();
  channel.post({ type: "account" });
  location.replace("/");
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Where the server could not be reached, it is asked as soon as it can. */
function askAgain() {
  clearTimeout(timer);
  if (!isListed.peek()) timer = setTimeout(() => void verify(), 5_000);
}

/** Throws Problem: 401 for a wrong password, 429 after too many attempts. @param {string} email @param {string} password */
export async function signIn(email, password) {
  const was = phase.peek();
  suspend();
  try {
    const { user } = await accounts.signIn({ email, password });
    const known = stored(ACCOUNT, NOBODY);
    const name = user.email.toLowerCase();
    const former = known.name === name ? known.former : known.name || undefined;
    store(ACCOUNT, { name, token: csrfToken(), uid: user.uid, former });
    language.value = user.locale;
    channel.post({ type: "account" });
    if (account && account !== name) return await leavePage();
    if (account) uid.value = user.uid;
    if (account) enter(csrfToken());
  } catch (error) {
    if (was === "signed-in") await compare();
    throw error;
  }
  await verify();
}

/** Ends the session and removes the account's data from this device: ask before, if changes wait. Throws Problem. */
export async function signOut() {
  const token = csrfToken();
  suspend();
  try {
    await accounts.signOut();
  } catch (error) {
    if (!isProblem(error) || error.status !== 401) {
      if (token) enter(token);
      throw error;
    }
  }
  await leave();
}

/** Removes the account's data from this device, such as after the account was deleted. */
export async function leave() {
  const left = account;
  store(ACCOUNT, undefined);
  await leavePage(async () => left && await clearAccount(left));
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
export function updateProfile(fields) {
  if (fields.locale) language.value = fields.locale;
  return change("profile", "edit", ME, fields);
}
