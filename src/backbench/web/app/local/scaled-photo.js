// Scaled photo: as large as the server keeps it, upright, and without what the camera wrote into the file.

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
