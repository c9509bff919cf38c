// Photos of orders: those that the server has, and those that wait on this device to be sent.

import { uploadPhoto } from "../api/photos.js";
import { newId } from "../domain/ids.js";
import { locked } from "../local/locks.js";
import { photoStore } from "../local/photo-store.js";
import { keepCount } from "../local/photos-kept.js";
import { scaledPhoto } from "../local/scaled-photo.js";
import { computed, signal } from "../vendor/signals-core.js";
import { on } from "./live.js";
import { drop, enqueue, flush, replaced, replica } from "./outbox.js";
import { photosWaiting } from "./photos-waiting.js";
import { open, record, shown, softly } from "./records.js";
import { signedIn } from "./signed-in.js";
import { sendPhotos } from "./sync/photo-queue.js";
import { offerDrop, offerUndo } from "./undo.js";
import { workshopId } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Photo} Photo */
/** @typedef {import("../local/photo-store.js").WaitingPhoto} WaitingPhoto */
/** @typedef {Partial<WaitingPhoto["fields"]>} Fields */

/** What a screen shows of a photo. `waits` is undefined of one that the server has. @typedef {{id: string, image: string, thumb: string, kind: WaitingPhoto["fields"]["kind"], caption: string, shared: boolean, waits?: WaitingPhoto | undefined}} ShownPhoto */

const account = signedIn().name;
const store = photoStore(account);
/** Oldest first. @type {import("../vendor/signals-core.js").Signal<WaitingPhoto[]>} */
export const waiting = signal([]);
/** How many photos were sent since nothing waited: for the progress. */
export const sentOfBatch = signal(0);
/** Addresses of what waits, by key. @type {Map<string, string>} */
const addresses = new Map();
/** Deletions of photos that the server got although they were deleted before, by key. @type {Map<string, string>} */
const arrived = new Map();
/** @type {Promise<void> | null} */
let sending = null;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isStarted = false;

/** Starts what lasts as long as the page, once. */
export function startPhotos() {
  if (isStarted) return;
  isStarted = true;
  const wake = () => void sendWaiting(true);
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
  on("event", ({ type }) => {
    if (type.startsWith("photo.")) { for (const orderId of opened) void read(orderId); }
  });
  wake();
}

/** The orders whose photos are on the screen. @type {Set<string>} */
const opened = new Set();

/** Reads the photos of an order from the server, now and after each change. Returns how to end it. @param {string} orderId */
export function follow(orderId) {
  startPhotos();
  opened.add(orderId);
  void read(orderId);
  return () => void opened.delete(orderId);
}

/** @param {string} orderId */
export function read(orderId) {
  return softly(() => open("orderPhotos", orderId, scope(orderId)));
}

/** @param {string} orderId */
export function scope(orderId) {
  return shown("order", orderId)?.workshopId ?? workshopId.peek();
}

/** @type {Map<string, import("../vendor/signals-core.js").ReadonlySignal<ShownPhoto[]>>} */
const lists = new Map();

/** The cover first; those that wait come last. @param {string} orderId */
export function photosOf(orderId) {
  const known = lists.get(orderId);
  if (known) return known.value;
  const made = computed(() => {
    const id = replaced(orderId);
    /** @type {Photo[]} */
    const stored = record("orderPhotos", orderId).value?.photos ?? [];
    return [
      ...stored.map(ofServer),
      ...waiting.value.filter((photo) => replaced(photo.orderId) === id).map(ofDevice),
    ];
  });
  lists.set(orderId, made);
  return made.value;
}

/** @param {Photo} photo @returns {ShownPhoto} */
function ofServer({ id, kind, caption = "", shared }) {
  return { id, image: `/api/photos/${id}/image`, thumb: `/api/photos/${id}/thumb`, kind, caption, shared };
}

/** @param {WaitingPhoto} photo @returns {ShownPhoto} */
function ofDevice(photo) {
  const { key, image, fields: { kind, caption, shared } } = photo;
  const url = addresses.get(key) ?? URL.createObjectURL(image);
  addresses.set(key, url);
  return { id: key, image: url, thumb: url, kind, caption, shared, waits: photo };
}

/** Adds photos to an order: each is shown as soon as it is scaled, and sent after the texts. @param {string} orderId @param {readonly Blob[]} files @param {Fields} [fields] */
export async function addPhotos(orderId, files, fields = {}) {
  startPhotos();
  for (const file of files) {
    const now = Date.now();
    const taken = file instanceof File ? file.lastModified : now;
    await save({
      key: newId(),
      orderId: replaced(orderId),
      workshopId: scope(orderId),
      fields: { kind: kindNow(orderId), caption: "", shared: false, ...fields },
      sent: null,
      takenAt: new Date(taken).toISOString(),
      image: await scaledPhoto(file),
      madeAt: now,
      attempts: 0,
      notBefore: 0,
      problem: null,
    });
  }
  void sendWaiting();
}

/** By how far the work is. @param {string} orderId */
function kindNow(orderId) {
  const status = shown("order", orderId)?.status;
  return status === "in_progress" ? "during" : status === "done" ? "after" : "before";
}

/** @param {WaitingPhoto} photo */
async function save(photo) {
  const others = waiting.peek().filter(({ key }) => key !== photo.key);
  show([...others, photo]);
  await store.put(photo);
}

/** @param {WaitingPhoto[]} photos */
function show(photos) {
  waiting.value = photos.toSorted((one, other) =>
    one.madeAt - other.madeAt || (one.key < other.key ? -1 : 1)
  );
  const count = photos.filter(({ problem }) => !problem).length;
  if (!count) sentOfBatch.value = 0;
  photosWaiting.value = count;
  keepCount(account, photos.length);
}

/** Sends what can be sent. @param {boolean} [isWoken] the network or the person is back */
function sendWaiting(isWoken = false) {
  if (isWoken) failures = 0;
  sending ??= locked(`backbench-photos-${account}`, sendAll).finally(() => (sending = null));
  return sending;
}

async function sendAll() {
  const { again, failures: failed } = await sendPhotos({
    texts: flush,
    idOf: replaced,
    stored,
    save,
    taken,
    upload: uploadPhoto,
    now: Date.now,
  }, failures);
  failures = failed;
  clearTimeout(timer);
  if (again < Infinity) timer = setTimeout(() => void sendWaiting(), Math.max(500, again - Date.now()));
}

/** Another page of this browser may have sent some. */
async function stored() {
  show(await store.all());
  return waiting.peek();
}

/** The server has it: it is in the list of its order, and no longer here. @param {WaitingPhoto} photo @param {Photo} photoRecord */
async function taken(photo, photoRecord) {
  const { orderId, workshopId: of, key } = photo;
  const photos = replica.base("orderPhotos", orderId)?.value.photos ?? [];
  const others = photos.filter((/** @type {Photo} */ { id }) => id !== photoRecord.id);
  const value = { photos: [...others, photoRecord] };
  await replica.commit({
    objects: [{ kind: "orderPhotos", id: orderId, workshopId: of, value, etag: null }],
  });
  const waits = waiting.peek().find((one) => one.key === key);
  // Deleted while it was on its way.
  if (!waits) arrived.set(key, enqueue("orderPhotos.delete", orderId, of, { photoId: photoRecord.id }) ?? "");
  // What was changed while it was on its way.
  const now = waits?.fields ?? photo.fields;
  const changed = Object.entries(now).filter(([name, value]) =>
    value !== (photo.sent ?? now)[/** @type {keyof Fields} */ (name)]
  );
  if (changed.length) edit(orderId, photoRecord.id, Object.fromEntries(changed));
  await remove(key);
  sentOfBatch.value += 1;
}

/** @param {string} key */
async function remove(key) {
  show(waiting.peek().filter((photo) => photo.key !== key));
  await store.remove(key);
  const url = addresses.get(key);
  if (url) URL.revokeObjectURL(url);
  addresses.delete(key);
}

/** Changes the kind, the caption, or whether the customer may see it. @param {string} orderId @param {ShownPhoto} photo @param {Fields} fields */
export function editPhoto(orderId, { id, waits }, fields) {
  if (waits) void save({ ...waits, fields: { ...waits.fields, ...fields } });
  else edit(orderId, id, fields);
}

/** @param {string} orderId @param {string} photoId @param {Fields} fields */
function edit(orderId, photoId, fields) {
  enqueue("orderPhotos.edit", replaced(orderId), scope(orderId), { photoId, fields });
}

/** The first photo is the cover. @param {string} orderId @param {string} photoId of one that the server has */
export function makeCover(orderId, photoId) {
  enqueue("orderPhotos.cover", replaced(orderId), scope(orderId), { photoId });
}

/** Offers to take it back. @param {string} orderId @param {ShownPhoto} photo @param {string} text of the offer */
export function deletePhoto(orderId, { id, waits }, text) {
  if (waits) {
    void remove(id);
    return offerUndo(text, async () => {
      if (arrived.has(id)) return drop(arrived.get(id) ?? null);
      await save(waits);
      void sendWaiting();
    });
  }
  const key = enqueue("orderPhotos.delete", replaced(orderId), scope(orderId), { photoId: id });
  offerDrop(text, key);
}

/** Sends one again that the server refused. @param {ShownPhoto} photo */
export async function retryPhoto({ waits }) {
  if (!waits) return;
  await save({ ...waits, problem: null, attempts: 0, notBefore: 0 });
  await sendWaiting(true);
}
