// Photos: the photos of one account that wait to be sent, with their bytes, in a database of their own.

import { openDB } from "../vendor/idb.js";
import { inTime } from "./database.js";
import { photosDatabase } from "./photos-kept.js";

/** What a person says of a photo. @typedef {{kind: Api.Photo["kind"], caption: string, shared: boolean}} PhotoFields */

/**
 * A photo that waits. `fields` are as the person has them now, `sent` as they were when it was sent first: a repetition
 * has to be the same.
 * @typedef {object} WaitingPhoto
 * @property {string} key also its Idempotency-Key, for ever
 * @property {string} orderId
 * @property {string} workshopId
 * @property {PhotoFields} fields
 * @property {PhotoFields | null} sent
 * @property {string} takenAt
 * @property {Blob} image
 * @property {number} madeAt milliseconds
 * @property {import("../api/problems.js").StoredProblem | null} problem why the server refused it
 */

const STORE = "photos";
// Many bytes on an old phone; WebKit sometimes does not answer at all.
const LATEST = 20_000;

/** All of it rejects where the browser refuses: private windows, full disks, connections that iOS has ended. @param {string} account */
export function photoStore(account) {
  /** @template T @param {(database: import("../vendor/idb.js").IDBPDatabase) => Promise<T>} work */
  const use = (work) => inTime(withDatabase(account, work), LATEST);
  return {
    /** Without the bytes. @returns {Promise<string[]>} */
    keys: () => use(async (database) => (await database.getAllKeys(STORE)).map(String)),
    /** @param {string} key @returns {Promise<WaitingPhoto | undefined>} */
    get: (key) => use((database) => database.get(STORE, key)),
    /** @param {WaitingPhoto} photo */
    put: (photo) => use((database) => database.put(STORE, photo)),
    /** @param {string} key */
    remove: (key) => use((database) => database.delete(STORE, key)),
  };
}

/** Opened for each use: iOS ends connections of pages in the background, and a sign-out deletes the database. @template T @param {string} account @param {(database: import("../vendor/idb.js").IDBPDatabase) => Promise<T>} work @returns {Promise<T>} */
async function withDatabase(account, work) {
  const database = await openDB(photosDatabase(account), 1, {
    upgrade: (made) => void made.createObjectStore(STORE, { keyPath: "key" }),
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

const SIDE = 2048;
const QUALITY = 0.85;

/** A JPEG; the file itself where this browser cannot read it, for the server to judge. @param {Blob} file @returns {Promise<Blob>} */
export async function scaledPhoto(file) {
  try {
    const image = await createImageBitmap(file, { imageOrientation: "from-image" });
    try {
      return await drawn(image);
    } finally {
      image.close();
    }
  } catch {
    // HEIC in most browsers, or more pixels than a canvas can have.
    return file;
  }
}

/** @param {ImageBitmap} image @returns {Promise<Blob>} */
function drawn(image) {
  const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new TypeError("No canvas");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => blob ? resolve(blob) : reject(new TypeError("No picture")),
      "image/jpeg",
      QUALITY,
    )
  );
}

const CACHE = "backbench-shared";

/** @returns {Promise<Blob[]>} */
export async function sharedPhotos() {
  if (typeof caches === "undefined") return [];
  const cache = await caches.open(CACHE);
  const requests = await cache.keys();
  const stored = await Promise.all(requests.map((request) => cache.match(request)));
  return await Promise.all(stored.flatMap((response) => response ? [response.blob()] : []));
}

export async function forgetSharedPhotos() {
  if (typeof caches !== "undefined") await caches.delete(CACHE);
}

const MOST_BYTES = 500_000;
const MOST_PIXELS = 4096;
const SMALL_SIDE = 1200;
const TYPES = ["image/png", "image/jpeg", "image/webp"];

/** Throws an error if the file is no picture that the browser can read. @param {File} file @returns {Promise<Blob>} */
export async function smallPicture(file) {
  const image = await createImageBitmap(file);
  const isSmall = file.size <= MOST_BYTES && Math.max(image.width, image.height) <= MOST_PIXELS;
  if (isSmall && TYPES.includes(file.type)) return file;
  const png = await smallDrawn(image, "image/png");
  return png.size <= MOST_BYTES ? png : await smallDrawn(image, "image/webp");
}

/** @param {ImageBitmap} image @param {string} type @returns {Promise<Blob>} */
function smallDrawn(image, type) {
  const scale = Math.min(1, SMALL_SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new TypeError("No canvas");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new TypeError("No picture")), type, 0.85)
  );
}
