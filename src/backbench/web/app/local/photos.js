// Photos: scaled before they are stored, and what another app handed over.

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
