// Photos that the workshop shares: small ones in a row, each large at a tap. They are read with the token, as all of the page.

import { el } from "/e/elements.js";
import { request } from "/e/requests.js";

/** Addresses of what was read, by path. */
const read = new Map();

export function photos({ order, texts }) {
  if (!order.photos.length) return null;
  return el(
    "section",
    { class: "ticket talk", "aria-labelledby": "photos-title" },
    el("h2", { id: "photos-title" }, texts.photos),
    el("div", { class: "photos" }, order.photos.map((photo) => small(photo, texts))),
  );
}

function small(photo, texts) {
  const said = photo.caption || texts.kinds[photo.kind];
  const button = el("button", { type: "button", class: "photo", onclick: () => enlarge(photo, said, texts) });
  const caption = el("span", {}, said);
  button.append(picture(`/photos/${photo.id}/thumb`, ""), caption);
  return button;
}

/** The picture of a path, which comes a moment later; nothing where it cannot be read. */
function picture(path, alt) {
  const img = el("img", { alt });
  addressOf(path).then((url) => url ? (img.src = url) : img.remove());
  return img;
}

async function addressOf(path) {
  if (!read.has(path)) {
    const response = await request(path);
    if (!response?.ok) return null;
    read.set(path, URL.createObjectURL(await response.blob()));
  }
  return read.get(path);
}

function enlarge(photo, said, texts) {
  const close = el("button", { type: "button" }, texts.close);
  const dialog = el("dialog", { class: "large", "aria-label": said }, picture(`/photos/${photo.id}`, said), el("p", {}, said), close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
