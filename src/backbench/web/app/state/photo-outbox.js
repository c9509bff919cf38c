// Photo outbox: the photos that wait on this device to be sent, of the account of this page.

import { call } from "../api/client.js";
import { isOutage, isProblem, isTemporary, storedProblem } from "../api/problems.js";
import { isLocal } from "../domain/ids.js";
import { channel, locked } from "../local/pages.js";
import { photoStore } from "../local/photos.js";
import { keepCount } from "../local/photos-kept.js";
import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import { intakeIn } from "./intake.js";
import { account, enqueue, flush, replaced, replica } from "./outbox.js";
import {
  photosLate,
  photosRead,
  photosRefused,
  photosUnstored,
  photosWaiting,
  photosWoken,
} from "./photos-waiting.js";
import { isOpen } from "./session.js";

/** @typedef {import("../local/photos.js").WaitingPhoto} WaitingPhoto */

const AGAIN = 10_000;

const store = computed(() => photoStore(account.value));
/** Oldest first. @type {import("../vendor/signals-core.js").Signal<WaitingPhoto[]>} */
export const waiting = signal([]);
/** How many photos were sent since nothing waited: for the progress. */
export const sentOfBatch = signal(0);
/** Deletions of photos that the server got although they were deleted before, by key. @type {Map<string, string>} */
export const arrived = new Map();
/** What the database does not have yet, by key; null is to be removed. @type {Map<string, WaitingPhoto | null>} */
const unstored = new Map();
/** Settles when all that was asked of the database was tried. */
let stored = Promise.resolve();
/** When each is tried again. @type {Tries} */
const tries = new Map();
/** @type {Promise<void> | null} */
let sending = null;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let storing;
let isStarted = false;

/** Those that the server can be sent now: their order has its id. */
export const sendable = computed(() =>
  waiting.value.filter(({ orderId, problem }) => !problem && !isLocal(replaced(orderId)))
);
/** Those that nothing is done with until the person decides. */
export const refused = computed(() => waiting.value.filter((photo) => photo.problem || hasLostOrder(photo)));

/** Whether its order was never sent, and is neither here nor about to be taken in. @param {WaitingPhoto} photo */
export function hasLostOrder({ orderId, workshopId }) {
  const id = replaced(orderId);
  if (!isLocal(id) || replica.views.order.get(id)) return false;
  const intake = intakeIn(workshopId);
  return !!intake && intake.orderId !== id;
}

/** Starts what lasts as long as the page, once: what is stored is read as soon as it is known whose page this is. */
export function startPhotoOutbox() {
  if (isStarted) return;
  isStarted = true;
  channel.listen((message) => {
    if (message.type === "photo" && message.account === account.peek()) void sync(message.key);
  });
  const wake = () => void (photosWoken.value += 1);
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
  effect(() => void (account.value && untracked(sync)));
  effect(() => {
    if (!photosRead.value) return;
    photosRefused.value = refused.value.length;
    photosWaiting.value = waiting.value.length - refused.value.length;
    if (!photosWaiting.value) sentOfBatch.value = 0;
  });
  effect(() => void (photosWoken.value >= 0 && isOpen.value && untracked(() => sendWaiting(true))));
  const count = computed(() => sendable.value.length);
  effect(() => void (count.value && untracked(() => sendWaiting())));
}

/** Shows a photo as it is now, and stores it. Settles when that was tried. @param {WaitingPhoto} photo */
export function save(photo) {
  show([...waiting.peek().filter(({ key }) => key !== photo.key), photo]);
  return keep(photo.key, photo);
}

/** @param {string} key */
export function remove(key) {
  show(waiting.peek().filter((photo) => photo.key !== key));
  tries.delete(key);
  return keep(key, null);
}

/** @param {WaitingPhoto[]} photos */
function show(photos) {
  waiting.value = photos.toSorted((one, other) =>
    one.madeAt - other.madeAt || (one.key < other.key ? -1 : 1)
  );
}

/** After what was asked of the database before. @param {() => Promise<void>} work */
function inTurn(work) {
  return stored = stored.then(work);
}

/** @param {string} key @param {WaitingPhoto | null} photo */
function keep(key, photo) {
  unstored.set(key, photo);
  return inTurn(storeAll);
}

/** What the database does not take is tried again, and said: a closed page would lose it. */
async function storeAll() {
  clearTimeout(storing);
  for (const [key, photo] of unstored) {
    try {
      await (photo ? store.peek().put(photo) : store.peek().remove(key));
    } catch {
      // Full, closed or refused by the browser: errors of several names.
      continue;
    }
    if (unstored.get(key) === photo) unstored.delete(key);
    count();
    channel.post({ type: "photo", account: account.peek(), key });
  }
  photosUnstored.value = [...unstored.values()].some((photo) => photo !== null);
  if (unstored.size) storing = setTimeout(() => void inTurn(storeAll), AGAIN);
}

/** For pages without the photos. Those that were not read are not known to be gone. */
function count() {
  if (photosRead.peek()) keepCount(account.peek(), waiting.peek().length);
}

/** What other pages of this browser have added, changed and sent. @param {string} [changed] the key of one that is read again */
function sync(changed = "") {
  return inTurn(async () => {
    try {
      const keys = new Set(await store.peek().keys());
      const known = new Set(waiting.peek().map(({ key }) => key));
      const others = [...keys].filter((key) => key === changed || !known.has(key));
      const read = (await Promise.all(others.map((key) => store.peek().get(key)))).flatMap((one) =>
        one ?? []
      );
      // What was taken, changed or deleted meanwhile is as it is shown.
      const added = read.filter(({ key }) => !unstored.has(key));
      const replacedKeys = new Set(added.map(({ key }) => key));
      const stay = (/** @type {WaitingPhoto} */ { key }) => unstored.has(key) || keys.has(key);
      show([...waiting.peek().filter((photo) => stay(photo) && !replacedKeys.has(photo.key)), ...added]);
      photosRead.value = true;
      count();
    } catch {
      // As above. What is shown stays; it is read again.
      setTimeout(() => void sync(), AGAIN);
    }
  });
}

/** The photo as it is stored: another page may have sent it, or some of it. @param {WaitingPhoto} photo */
function present(photo) {
  const { key } = photo;
  return unstored.get(key) ?? store.peek().get(key).catch(() => photo);
}

/** Sends what can be sent; before it is known whose page this is, nothing. @param {boolean} [isWoken] the network or the person is back */
export function sendWaiting(isWoken = false) {
  if (isWoken) {
    failures = 0;
    tries.clear();
  }
  if (!isOpen.peek()) return Promise.resolve();
  sending ??= locked(`backbench-photos-${account.peek()}`, sendAll).finally(() => (sending = null));
  return sending;
}

async function sendAll() {
  await sync();
  const { again, failures: failed } = await sendPhotos({
    texts: flush,
    idOf: replaced,
    waiting: () => sendable.peek(),
    present,
    save,
    taken,
    upload: (orderId, form, { key }) => call("POST /orders/{orderId}/photos", { orderId }, { form, key }),
    now: () => performance.now(),
    tries,
  }, failures);
  failures = failed;
  photosLate.value = failures > 0 || tries.size > 0;
  clearTimeout(timer);
  if (again < Infinity) {
    timer = setTimeout(() => void sendWaiting(), Math.max(500, again - performance.now()));
  }
}

/** The server has it: it is in the list of its order, and no longer here. @param {WaitingPhoto} photo @param {Api.Photo} photoRecord */
async function taken(photo, photoRecord) {
  const { orderId, workshopId, key } = photo;
  const photos = replica.base("orderPhotos", orderId)?.value.photos ?? [];
  const others = photos.filter((/** @type {Api.Photo} */ { id }) => id !== photoRecord.id);
  const value = { photos: [...others, photoRecord] };
  await replica.commit({ objects: [{ kind: "orderPhotos", id: orderId, workshopId, value, etag: null }] });
  const waits = waiting.peek().find((one) => one.key === key);
  const photoId = photoRecord.id;
  // Deleted while it was on its way.
  if (!waits) arrived.set(key, enqueue("orderPhotos.delete", orderId, workshopId, { photoId }) ?? "");
  // What was changed while it was on its way.
  const now = waits?.fields ?? photo.fields;
  const sent = photo.sent ?? now;
  const names = /** @type {(keyof typeof now)[]} */ (Object.keys(now));
  const changed = names.filter((name) => now[name] !== sent[name]).map((name) => [name, now[name]]);
  const fields = Object.fromEntries(changed);
  if (changed.length) enqueue("orderPhotos.edit", orderId, workshopId, { photoId, fields });
  await remove(key);
  sentOfBatch.value += 1;
}

// Photo queue: sends the photos that wait, one after the other, each until there is a response to its key.

/**
 * Why a photo waits before it is tried again, by its key. Apart from the photos, which are not stored anew for it.
 * @typedef {Map<string, {attempts: number, notBefore: number}>} Tries
 */

/**
 * `texts` sends what else waits, which goes first; `idOf` is the server's id of an order; `waiting` are the photos whose
 * orders have one, oldest first; `present` is one as it is stored now, undefined where another page has sent it; `taken` is
 * called with what the server has recorded of one.
 * @typedef {object} QueueContext
 * @property {() => Promise<unknown>} texts
 * @property {(orderId: string) => string} idOf
 * @property {() => WaitingPhoto[]} waiting
 * @property {(photo: WaitingPhoto) => WaitingPhoto | undefined | Promise<WaitingPhoto | undefined>} present
 * @property {(photo: WaitingPhoto) => Promise<unknown>} save
 * @property {(photo: WaitingPhoto, record: Api.Photo) => Promise<unknown>} taken
 * @property {(orderId: string, form: FormData, options: {key: string}) => Promise<Api.Photo>} upload
 * @property {() => number} now milliseconds of a clock that never goes back
 * @property {Tries} tries
 */

const MAX_SECONDS = 60;
// The first request with the key is still in progress.
const SOON = 2_000;

/**
 * Sends all that can be sent now. Returns when to try again, in milliseconds; Infinity where nothing waits.
 * @param {QueueContext} context
 * @param {number} failures how often the server did not answer in a row
 * @returns {Promise<{again: number, failures: number}>}
 */
export async function sendPhotos(context, failures) {
  const { tries, now } = context;
  const time = (/** @type {WaitingPhoto} */ { key }) => tries.get(key)?.notBefore ?? 0;
  await context.texts();
  /** Those that another page has sent meanwhile. @type {Set<string>} */
  const gone = new Set();
  for (;;) {
    const waiting = context.waiting().filter(({ key }) => !gone.has(key));
    const next = waiting.find((one) => time(one) <= now());
    if (!next) return { again: Math.min(...waiting.map(time)), failures: 0 };
    const photo = await context.present(next);
    if (!photo) {
      gone.add(next.key);
      continue;
    }
    const outage = await sendOne(context, photo);
    if (outage !== null) {
      const seconds = outage || Math.min(MAX_SECONDS, 2 ** failures);
      return { again: now() + 1000 * seconds, failures: failures + 1 };
    }
  }
}

/** Returns null, or after how many seconds the server asks to be asked again; 0 where it does not say. @param {QueueContext} context @param {WaitingPhoto} photo @returns {Promise<number | null>} */
async function sendOne(context, photo) {
  const orderId = context.idOf(photo.orderId);
  // Stored before it leaves: a repetition has the same parts.
  const sending = { ...photo, orderId, sent: photo.sent ?? photo.fields };
  if (!photo.sent || photo.orderId !== orderId) await context.save(sending);
  try {
    await context.taken(sending, await context.upload(orderId, formOf(sending), { key: photo.key }));
    context.tries.delete(photo.key);
    return null;
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.status === 401) return MAX_SECONDS;
    if (isOutage(error)) return error.retryAfter ?? 0;
    if (isTemporary(error)) waitFor(context, photo, error);
    else await context.save({ ...sending, problem: storedProblem(error) });
    return null;
  }
}

/** @param {QueueContext} context @param {WaitingPhoto} photo @param {import("../api/problems.js").Problem} problem */
function waitFor({ tries, now }, { key }, { code }) {
  const attempts = (tries.get(key)?.attempts ?? 0) + 1;
  const wait = code === "in_progress" ? SOON : 1000 * Math.min(MAX_SECONDS, 2 ** attempts);
  tries.set(key, { attempts, notBefore: now() + wait });
}

/** @param {WaitingPhoto} photo */
function formOf({ key, sent, takenAt, image }) {
  const form = new FormData();
  form.set("kind", sent?.kind ?? "before");
  if (sent?.caption) form.set("caption", sent.caption);
  form.set("shared", String(!!sent?.shared));
  form.set("takenAt", takenAt);
  form.set("file", image, `${key}.jpg`);
  return form;
}
