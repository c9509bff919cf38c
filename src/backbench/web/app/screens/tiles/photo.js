// Photo: the middle square of a picture, scaled to what a tile shows, and stored with the workshop.

import { call } from "../../api/client.js";
import { command } from "../../state/commands.js";
import { workshopId } from "../../state/workshops.js";

const SIDE = 256;

/** Returns the id of the stored file. Throws Problem, or another error if the picture cannot be read. @param {File} file */
export async function uploadIcon(file) {
  const form = new FormData();
  form.set("category", "grid_tile_icon");
  form.set("workshopId", workshopId.value);
  const icon = await scaled(file);
  form.set("file", icon, icon.type === "image/webp" ? "tile.webp" : "tile.png");
  const intent = ["icon", workshopId.value, file.name, file.size, file.lastModified];
  return (await command(intent, (key) => call("POST /files", {}, { form, key }))).id;
}

/** @param {Blob} file @returns {Promise<Blob>} WebP, or PNG where the browser cannot write it */
async function scaled(file) {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (!context) throw new TypeError("No canvas");
  context.imageSmoothingQuality = "high";
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
  context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
  image.close();
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new TypeError("No picture")), "image/webp", 0.85)
  );
}
