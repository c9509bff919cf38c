// Session: whose page this is. An account is a page: what a page shows and sends is of one account, from its start or
// its first sign-in to its end. Where another account signs in, or nobody is signed in any more, the page is loaded anew.

import { batch, computed, signal } from "../vendor/signals-core.js";
import { bind, call, isBound, listen, unbind } from "../api/client.js";
import { csrfToken } from "../api/early.js";
import { isProblem, Problem } from "../api/problems.js";
import { ME } from "../domain/kinds.js";
import { connection, startConnection } from "./connection.js";
import {
  account,
  core,
  coreLoaded,
  loadCore,
  openOutbox,
  pause,
  replica,
  resume,
  startOutbox,
  takeAccount,
} from "./outbox.js";
import { channel } from "../local/pages.js";
import { first, firstOf, firstPainted, keepFirst, keptFirst } from "./first.js";
import { startAt } from "./live.js";
import { loadRest } from "./missing.js";
import { language, lastWorkshop } from "./preferences.js";
import { forgetSealed, forgetSignedIn, keepSignedIn, seal, settleFormer, signedIn } from "./signed-in.js";

/**
 * `starting`: it is not known yet whose page this is. `expired`: the session of this page has ended; what is shown stays,
 * and waits for the same account to sign in again.
 * @typedef {"starting" | "signed-out" | "signed-in" | "expired"} Phase
 */
/** @typedef {import("./signed-in.js").SignedIn} SignedIn */

const AGAIN = 3_000;

const phase = signal(/** @type {Phase} */ ("starting"));
export const session = computed(() => ({
  phase: phase.value,
  me: /** @type {Api.MeProfile | null} */ (replica.views.profile.get(ME) ?? null),
}));
/** Whether requests can be sent: between accounts, and after a session has ended, none are. */
export const isOpen = signal(false);
/** Whether the workshops were listed by the server since the page was loaded. */
export const isListed = signal(false);
/** The workshops that the account had left when they were listed. @type {import("../vendor/signals-core.js").Signal<string[]>} */
export const leftWorkshops = signal([]);
/** Whether somebody ends the session here: what other requests and pages find of its end meanwhile changes nothing. */
let isEnding = false;

/** Shows what is stored for the session of the cookies, then asks the server. Settles when there is something to show. */
export async function startSession() {
  listen({ expired, foreign: () => void compare() });
  startConnection();
  startOutbox();
  channel.listen((message) => message.type === "account" && void compare());
  addEventListener("pageshow", (event) => event.persisted && void compare());
  const known = signedIn();
  if (!known.name) return await Promise.race([verify(), firstShown]);
  if (!csrfToken()) return await lock(known);
  // Cookies of another session: the server says whose.
  if (known.token !== csrfToken()) return await Promise.race([verify(), firstShown]);
  const row = keptFirst(known.name);
  const isMeant = row && (!lastWorkshop.peek() || lastWorkshop.peek() === row.workshopId);
  if (isMeant) showFirst(row);
  const opened = open(known);
  const verified = opened.then(verify);
  if (!session.value.me) await opened;
  if (!session.value.me) await verified;
}

/** @param {SignedIn} known */
async function open({ name, token }) {
  takeAccount(name);
  if (first.peek()) {
    // What is there already is painted before what is stored was read, and stays where that takes another attempt.
    await firstPainted;
    loadRest(loadCore);
    await coreLoaded;
  }
  // Meanwhile it may have signed out in another page: this one is left, and stores nothing of it any more.
  if (signedIn().name !== name) return;
  await openOutbox();
  enter(token);
}

/** @type {() => void} */
let endFirst;
/** Settles once the board is shown before all else is there, if it is. @type {Promise<void>} */
const firstShown = new Promise((settle) => (endFirst = settle));

/** The board before all else is there. Other screens show nothing that is not whole. @param {import("./first.js").First} row */
function showFirst(row) {
  if (location.pathname !== "/") return;
  batch(() => {
    replica.preview(row.objects);
    first.value = row;
    phase.value = "signed-in";
  });
  endFirst();
}

/** @param {string} token */
function enter(token) {
  if (isEnding) return;
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
    const found = await call("GET /boot", {}, { isPublic: true });
    // The cookies were changed meanwhile.
    if (token !== csrfToken()) return await ask();
    await take(found, token);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (isEnding) return;
    if (token !== csrfToken()) return await ask();
    if (error.status === 401) return await ended();
    if (!account.peek()) phase.value = "signed-out";
    askAgain();
  }
}

/** What the server said of the cookies. @param {Api.Boot} found @param {string} token */
async function take(found, token) {
  const { uid, profile, workshops, workshopId = "", cursor } = found;
  const name = profile.email.toLowerCase();
  const known = signedIn();
  const next = keepSignedIn(name, token, uid);
  if (known.name !== name || known.token !== token) channel.post({ type: "account" });
  if (account.peek() && account.peek() !== name) return leavePage();
  if (cursor) startAt(workshopId, cursor);
  const row = firstOf(found);
  void replica.commit({ objects: row.objects.filter(({ kind }) => kind === "profile") });
  if (!account.peek()) {
    showFirst(row);
    const opened = open(next);
    // Of an account that is new here nothing is stored: nobody waits for the database.
    await (known.name === name ? opened : Promise.race([opened, coreLoaded]));
    // The board keeps another one once its lists are there.
    keepFirst(name, row);
  } else await coreLoaded;
  leftWorkshops.value = await core.takeWorkshops(replica, workshops);
  isListed.value = true;
  enter(token);
  await settleFormer(next);
}

/** The session has ended. What somebody is in the middle of stays; a page that was just loaded shows nothing. */
async function ended() {
  const known = signedIn();
  if (account.peek() && phase.peek() === "expired") return;
  const isUsed = isListed.peek() || replica.items.peek().some(({ tab }) => tab === replica.tab);
  if (account.peek() && isUsed) return expired();
  if (known.name) return await lock(known);
  phase.value = "signed-out";
}

/** The data of an ended session is not shown without a sign-in: a lost phone keeps what was not sent, and no more. @param {SignedIn} known */
async function lock({ name }) {
  forgetSignedIn();
  if (account.peek()) {
    channel.post({ type: "account" });
    return await leavePage("/", () => seal(name));
  }
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

/** The cookies, or the account that is signed in in this browser, are not those of this page any more. @returns {Promise<void>} */
async function compare() {
  if (isEnding) return;
  const known = signedIn();
  if (known.name !== account.peek() && (account.peek() || isBound())) return await leavePage();
  // What is stored of it is about to be opened.
  if (account.peek() && !("pull" in core)) return await coreLoaded.then(compare);
  if (account.peek() && known.token === csrfToken() && known.token) return enter(known.token);
  await verify();
}

/** @param {string} [to] @param {() => Promise<unknown>} [work] done once nothing is sent or shown any more */
async function leavePage(to = "/", work) {
  suspend();
  phase.value = "starting";
  // What fails keeps nobody on an empty page.
  await work?.().catch(reportError);
  location.replace(to);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Where the server did not say it, it is asked as soon as it can. */
function askAgain() {
  clearTimeout(timer);
  if (isListed.peek()) return;
  timer = setTimeout(() => connection.peek().online ? void verify() : askAgain(), AGAIN);
}

/** Throws Problem: 401 for a wrong password, 429 after too many attempts. @param {string} email @param {string} password */
export async function signIn(email, password) {
  const was = phase.peek();
  suspend();
  try {
    const { user } = await call("POST /authenticate", {}, { body: { email, password }, isPublic: true });
    const name = user.email.toLowerCase();
    keepSignedIn(name, csrfToken(), user.uid);
    language.value = user.locale;
    channel.post({ type: "account" });
    if (account.peek() && account.peek() !== name) return await leavePage();
    if (account.peek()) enter(csrfToken());
  } catch (error) {
    if (was === "signed-in") await compare();
    throw error;
  }
  await verify();
}

/** Ends the session and removes the account's data from this device: ask before, if changes wait. Throws Problem. */
export function signOut() {
  return end(() =>
    call("POST /logout", {}, { isPublic: true }).catch((error) => {
      // It had ended before.
      if (!isProblem(error) || error.status !== 401) throw error;
    })
  );
}

/** Deletes the account, and removes its data from this device. Throws Problem. @param {string} password @param {Api.Operations["DELETE /me"]["params"]} [params] */
export function deleteAccount(password, params = {}) {
  return end(() => call("DELETE /me", params, { body: { password }, endsSession: true }));
}

/** @param {() => Promise<unknown>} send sends at once what ends the session; nothing else is sent any more */
async function end(send) {
  const { clearAccount } = await clearing();
  isEnding = true;
  const ended = send();
  suspend();
  try {
    await ended;
  } catch (error) {
    isEnding = false;
    await compare();
    void verify(); // Also after a 401: the server says whether the session has ended.
    throw error;
  }
  const left = account.peek();
  forgetSignedIn();
  forgetSealed(left); // by another page
  channel.post({ type: "account" });
  await leavePage("/sign-in", async () => left && await clearAccount(left));
}

/** Loaded when it is needed, which is at the end of a session. */
function clearing() {
  return import("../local/clearing.js").catch(() => {
    throw new Problem(0, "offline");
  });
}
