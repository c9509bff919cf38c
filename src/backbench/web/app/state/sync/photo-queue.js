// Photo queue: sends the photos that wait, one after the other, each until there is a response to its key.

import { isOutage, isProblem, isTemporary, storedProblem } from "../../api/problems.js";
import { isLocal } from "../../domain/ids.js";

/** @typedef {import("../../local/photo-store.js").WaitingPhoto} WaitingPhoto */
/** @typedef {import("../../../../../../types/shapes.d.ts").Photo} Photo */

/**
 * `texts` sends what else waits, which goes first; `idOf` is the server's id of an order, once it has one; `stored` are
 * the photos, oldest first; `taken` is called with what the server has recorded of one.
 * @typedef {object} QueueContext
 * @property {() => Promise<unknown>} texts
 * @property {(orderId: string) => string} idOf
 * @property {() => Promise<WaitingPhoto[]>} stored
 * @property {(photo: WaitingPhoto) => Promise<unknown>} save
 * @property {(photo: WaitingPhoto, record: Photo) => Promise<unknown>} taken
 * @property {(orderId: string, form: FormData, options: {key: string}) => Promise<Photo>} upload
 * @property {() => number} now milliseconds
 */

const MAX_SECONDS = 60;
// The order has no id yet, or the first request with the key is still in progress.
const SOON = 2_000;

/**
 * Sends all that can be sent now. Returns when to try again, in milliseconds; Infinity where nothing waits.
 * @param {QueueContext} context
 * @param {number} failures how often the server did not answer in a row
 * @returns {Promise<{again: number, failures: number}>}
 */
export async function sendPhotos(context, failures) {
  await context.texts();
  for (;;) {
    const waiting = (await context.stored()).filter(({ problem }) => !problem);
    const photo = waiting.find(({ notBefore }) => notBefore <= context.now());
    if (!photo) return { again: Math.min(...waiting.map(({ notBefore }) => notBefore)), failures: 0 };
    const outage = await sendOne(context, photo);
    if (outage !== null) {
      const seconds = outage || Math.min(MAX_SECONDS, 2 ** failures);
      return { again: context.now() + 1000 * seconds, failures: failures + 1 };
    }
  }
}

/** Returns null, or after how many seconds the server asks to be asked again; 0 where it does not say. @param {QueueContext} context @param {WaitingPhoto} photo @returns {Promise<number | null>} */
async function sendOne(context, photo) {
  const orderId = context.idOf(photo.orderId);
  if (isLocal(orderId)) {
    await context.save({ ...photo, notBefore: context.now() + SOON });
    return null;
  }
  // Stored before it leaves: a repetition has the same parts.
  const sending = { ...photo, orderId, sent: photo.sent ?? photo.fields };
  if (!photo.sent || photo.orderId !== orderId) await context.save(sending);
  try {
    await context.taken(sending, await context.upload(orderId, formOf(sending), { key: photo.key }));
    return null;
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.status === 401) return MAX_SECONDS;
    if (isOutage(error)) return error.retryAfter ?? 0;
    await context.save(afterProblem(context, sending, error));
    return null;
  }
}

/** @param {QueueContext} context @param {WaitingPhoto} photo @param {import("../../api/problems.js").Problem} problem @returns {WaitingPhoto} */
function afterProblem(context, photo, problem) {
  if (!isTemporary(problem)) return { ...photo, problem: storedProblem(problem) };
  const attempts = photo.attempts + 1;
  const wait = problem.code === "in_progress" ? SOON : 1000 * Math.min(MAX_SECONDS, 2 ** attempts);
  return { ...photo, attempts, notBefore: context.now() + wait };
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
