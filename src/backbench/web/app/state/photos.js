// Photos of orders: those that the server has, and those that wait on this device to be sent.

import { newId } from "../domain/ids.js";
import { scaledPhoto } from "../local/photos.js";
import { effect } from "../vendor/signals-core.js";
import { on } from "./live.js";
import { add, ofOrder } from "./orders.js";
import { drop, replaced } from "./outbox.js";
import { arrived, remove, save, sendWaiting, startPhotoOutbox, waiting } from "./photo-outbox.js";
import { open, record, shown, softly } from "./records.js";
import { offerDrop, offerUndo } from "./undo.js";

/** @typedef {import("../local/photos.js").WaitingPhoto} WaitingPhoto */
/** @typedef {Partial<WaitingPhoto["fields"]>} Fields */

/** What a screen shows of a photo. `waits` is undefined of one that the server has. @typedef {{id: string, image: string, thumb: string, kind: WaitingPhoto["fields"]["kind"], caption: string, shared: boolean, waits?: WaitingPhoto | undefined}} ShownPhoto */

/** Addresses of what waits, by key. @type {Map<string, string>} */
const addresses = new Map();
let isStarted = false;

/** Starts what lasts as long as the page, once. */
function startPhotos() {
  if (isStarted) return;
  isStarted = true;
  startPhotoOutbox();
  on("pulled", ({ isLoaded, ids }) => {
    for (const orderId of opened) if (isLoaded || ids.includes(replaced(orderId))) void read(orderId);
  });
  effect(() => {
    const waits = new Set(waiting.value.map(({ key }) => key));
    for (const [key, url] of addresses) {
      if (waits.has(key)) continue;
      URL.revokeObjectURL(url);
      addresses.delete(key);
    }
  });
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
  const id = replaced(orderId);
  /** @type {Api.Photo[]} */
  const stored = record("orderPhotos", orderId).value?.photos ?? [];
  return [
    ...stored.map(ofServer),
    ...waiting.value.filter((photo) => replaced(photo.orderId) === id).map(ofDevice),
  ];
}

/** @param {Api.Photo} photo @returns {ShownPhoto} */
function ofServer({ id, kind, caption = "", shared }) {
  return { id, image: `/api/photos/${id}/image`, thumb: `/api/photos/${id}/thumb`, kind, caption, shared };
}

/** @param {WaitingPhoto} photo @returns {ShownPhoto} */
function ofDevice(photo) {
  const { key, fields: { kind, caption, shared } } = photo;
  const url = addressOf(photo);
  return { id: key, image: url, thumb: url, kind, caption, shared, waits: photo };
}

/** @param {WaitingPhoto} photo */
export function addressOf({ key, image }) {
  const url = addresses.get(key) ?? URL.createObjectURL(image);
  addresses.set(key, url);
  return url;
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
      ...ofOrder(orderId),
      fields: { kind: kindNow(orderId), caption: "", shared: false, ...fields },
      sent: null,
      takenAt: new Date(taken).toISOString(),
      image: await scaledPhoto(file),
      madeAt: now,
      problem: null,
    });
  }
}

/** By how far the work is. @param {string} orderId */
function kindNow(orderId) {
  const status = shown("order", orderId)?.status;
  return status === "in_progress" ? "during" : status === "done" ? "after" : "before";
}

/** Changes the kind, the caption, or whether the customer may see it. @param {string} orderId @param {ShownPhoto} photo @param {Fields} fields */
export function editPhoto(orderId, { id, waits }, fields) {
  if (waits) void save({ ...waits, fields: { ...waits.fields, ...fields } });
  else edit(orderId, id, fields);
}

/** @param {string} orderId @param {string} photoId @param {Fields} fields */
function edit(orderId, photoId, fields) {
  add("orderPhotos.edit", orderId, { photoId, fields });
}

/** The first photo is the cover. @param {string} orderId @param {string} photoId of one that the server has */
export function makeCover(orderId, photoId) {
  add("orderPhotos.cover", orderId, { photoId });
}

/** Offers to take it back. @param {string} orderId @param {ShownPhoto} photo @param {string} text of the offer */
export function deletePhoto(orderId, { id, waits }, text) {
  if (waits) {
    void remove(id);
    return offerUndo(text, async () => {
      if (arrived.has(id)) return drop(arrived.get(id) ?? null);
      await save(waits);
    });
  }
  const key = add("orderPhotos.delete", orderId, { photoId: id });
  offerDrop(text, key);
}

/** Sends one again that the server refused. @param {WaitingPhoto} photo */
export async function retryPhoto(photo) {
  await save({ ...photo, problem: null });
  await sendWaiting(true);
}
