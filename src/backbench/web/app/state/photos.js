// Photos of orders: those that the server has, and those that wait on this device to be sent.

import { Problem } from "../api/problems.js";
import { isLocal, localId } from "../domain/ids.js";
import { takeFormer } from "../local/former-photos.js";
import { BYTES } from "../local/memory.js";
import { scaledPhoto } from "../local/photos.js";
import { computed, effect, signal } from "../vendor/signals-core.js";
import { on } from "./live.js";
import { add, ofOrder } from "./orders.js";
import { account, drop, enqueue, items, replaced, replica, sentUploads, wake } from "./outbox.js";
import { open, record, shown, softly } from "./records.js";
import { same } from "./sync/values.js";
import { isUpload } from "./sync/queue.js";
import { offerDrop, offerUndo } from "./undo.js";

/** @typedef {import("../local/memory.js").Item} Item */
/** What a person says of a photo. @typedef {{kind: Api.Photo["kind"], caption: string, shared: boolean}} PhotoFields */
/** @typedef {Partial<PhotoFields>} Fields */

/** What a screen shows of a photo. `waits` is undefined of one that the server has. @typedef {{id: string, image: string, thumb: string, waits?: Item | undefined} & PhotoFields} ShownPhoto */

/** Those that wait, oldest first. */
export const waiting = computed(() => items.value.filter(isUpload));
/** Those that the server can be sent now: their order has its id. */
export const sendable = computed(() =>
  waiting.value.filter(({ objectId, problem }) => !problem && !isLocal(objectId))
);

/** Addresses of what waits, by key; "" until its bytes were read. @type {Map<string, import("../vendor/signals-core.js").Signal<string>>} */
const addresses = new Map();
let isStarted = false;

/** Starts what lasts as long as the page, once. */
function startPhotos() {
  if (isStarted) return;
  isStarted = true;
  on("pulled", ({ isLoaded, ids }) => {
    for (const orderId of opened) if (isLoaded || ids.includes(replaced(orderId))) void read(orderId);
  });
  effect(() => {
    const waits = new Set(waiting.value.map(({ key }) => key));
    for (const [key, address] of addresses) {
      if (waits.has(key)) continue;
      if (address.peek()) URL.revokeObjectURL(address.peek());
      addresses.delete(key);
    }
  });
  // The progress begins anew.
  effect(() => void (sendable.value.length || (sentUploads.value = 0)));
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
function read(orderId) {
  return softly(() => open("orderPhotos", orderId, ofOrder(orderId).workshopId));
}

/** The cover first; those that wait come last. @param {string} orderId */
export function photosOf(orderId) {
  /** @type {Api.Photo[]} */
  const photos = record("orderPhotos", orderId).value?.photos ?? [];
  return photos.map((photo) => isLocal(photo.id) ? ofDevice(photo) : ofServer(photo));
}

/** @param {Api.Photo} photo @returns {ShownPhoto} */
function ofServer({ id, kind, caption = "", shared }) {
  return { id, image: `/api/photos/${id}/image`, thumb: `/api/photos/${id}/thumb`, kind, caption, shared };
}

/** @param {Api.Photo} photo @returns {ShownPhoto} */
function ofDevice({ id, kind, caption = "", shared }) {
  const waits = waiting.value.find(({ args }) => args.photoId === id);
  const url = waits ? addressOf(waits) : "";
  return { id, image: url, thumb: url, kind, caption, shared, waits };
}

/** @param {Item} item */
export function addressOf({ key }) {
  const known = addresses.get(key);
  if (known) return known.value;
  const address = signal("");
  addresses.set(key, address);
  void replica.ownFact(BYTES + key).then((bytes) => {
    if (bytes && addresses.get(key) === address) address.value = URL.createObjectURL(bytes);
  });
  return address.value;
}

/** Adds photos to an order: each is shown as soon as it is scaled, and sent after the texts. Settles when it was tried to store them. @param {string} orderId @param {readonly Blob[]} files @param {Fields} [fields] */
export async function addPhotos(orderId, files, fields = {}) {
  startPhotos();
  for (const file of files) {
    const taken = file instanceof File ? file.lastModified : Date.now();
    const args = {
      photoId: localId(),
      kind: kindNow(orderId),
      caption: "",
      shared: false,
      ...fields,
      takenAt: new Date(taken).toISOString(),
    };
    keep(orderId, args, await scaledPhoto(file));
  }
  await replica.saved();
}

/** @param {string} orderId @param {Item["args"]} args @param {Blob} bytes */
function keep(orderId, args, bytes) {
  enqueue("orderPhotos.add", replaced(orderId), ofOrder(orderId).workshopId, args, null, bytes);
}

/** By how far the work is. @param {string} orderId */
function kindNow(orderId) {
  const status = shown("order", orderId)?.status;
  return status === "in_progress" ? "during" : status === "done" ? "after" : "before";
}

/** Changes the kind, the caption, or whether the customer may see it. @param {string} orderId @param {string} photoId @param {Fields} fields */
export function editPhoto(orderId, photoId, fields) {
  add("orderPhotos.edit", orderId, { photoId, fields });
}

/** The first photo is the cover. @param {string} orderId @param {string} photoId of one that the server has */
export function makeCover(orderId, photoId) {
  add("orderPhotos.cover", orderId, { photoId });
}

/** Offers to take it back. @param {string} orderId @param {ShownPhoto} photo @param {string} text of the offer */
export function deletePhoto(orderId, { id, waits }, text) {
  if (waits) offerUndo(text, dropPhotos([waits]));
  else offerDrop(text, add("orderPhotos.delete", orderId, { photoId: id }));
}

/** Discards photos that wait. Returns what adds them again. @param {readonly Item[]} photos */
export function dropPhotos(photos) {
  // Read before they go.
  const found = photos.map((item) => ({ item, reading: replica.ownFact(BYTES + item.key) }));
  for (const { key } of photos) drop(key);
  return async () => {
    for (const { item: { key, objectId, args }, reading } of found) {
      // It was on its way, and has arrived.
      const deletion = items.peek().find((other) => other.args["added"] === key);
      const bytes = await reading;
      if (!deletion && !bytes) throw new Problem(410, "lost");
      if (deletion) drop(deletion.key);
      else keep(objectId, args, bytes);
    }
  };
}

/** Makes changes of what an earlier version of the app left waiting. */
export async function takeFormerPhotos() {
  await takeFormer(account.peek(), async ({ key, orderId, workshopId, fields, sent, image, ...photo }) => {
    const photoId = `local-${key}`;
    const { takenAt, madeAt, problem } = photo;
    // Nothing is stored before that can be read.
    await replica.ownFact(BYTES + key);
    if (!replica.item(key)) {
      /** @type {Item} */
      const item = {
        key,
        op: "orderPhotos.add",
        kind: "orderPhotos",
        objectId: replaced(orderId),
        workshopId,
        args: { photoId, ...(sent ?? fields), takenAt },
        before: null,
        madeAt,
        order: madeAt,
        queuedAt: replica.elapsed(),
        notBefore: 0,
        isSent: sent !== null,
        attempts: 0,
        tab: replica.tab,
        problem,
      };
      void replica.commit({ items: [item], facts: { [BYTES + key]: image } });
      if (sent && !same(sent, fields)) add("orderPhotos.edit", orderId, { photoId, fields });
    }
    await replica.saved();
    return !replica.isFailing.peek();
  });
  await wake();
}
