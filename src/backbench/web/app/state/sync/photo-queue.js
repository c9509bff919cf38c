// Photo queue: sends the photos that wait, one after the other, each until there is a response to its key.

import { isOutage, isProblem, isTemporary, storedProblem } from "../../api/problems.js";

/** @typedef {import("../../local/photo-store.js").WaitingPhoto} WaitingPhoto */

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

/** @param {QueueContext} context @param {WaitingPhoto} photo @param {import("../../api/problems.js").Problem} problem */
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
