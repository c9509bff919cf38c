// Small picture: a picture as small as the server takes it, whole and with its transparency.

const MOST_BYTES = 500_000;
const MOST_PIXELS = 4096;
const SIDE = 1200;
const TYPES = ["image/png", "image/jpeg", "image/webp"];

/** Throws an error if the file is no picture that the browser can read. @param {File} file @returns {Promise<Blob>} */
export async function smallPicture(file) {
  const image = await createImageBitmap(file);
  const isSmall = file.size <= MOST_BYTES && Math.max(image.width, image.height) <= MOST_PIXELS;
  if (isSmall && TYPES.includes(file.type)) return file;
  const png = await drawn(image, "image/png");
  return png.size <= MOST_BYTES ? png : await drawn(image, "image/webp");
}

/** @param {ImageBitmap} image @param {string} type @returns {Promise<Blob>} */
function drawn(image, type) {
  const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
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
