// Strip: the photos of an order in a row, the camera at one tap, and how many were sent.

import { later } from "../../components/later.js";
import { button, component, div, icon, img, progress, section, span } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { photoWords } from "../../words/orders.js";
import { sentUploads } from "../../state/outbox.js";
import { addPhotos, follow, photosOf, sendable } from "../../state/photos.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { takeButtons } from "./take-buttons.js";

/** @typedef {import("../../state/photos.js").ShownPhoto} ShownPhoto */

const Viewer = later(() => import("./viewer.js"));

/** @param {{ orderId: string }} props */
export function part({ orderId }) {
  const [openAt, setOpenAt] = useState(-1);
  useEffect(() => follow(orderId), [orderId]);
  const photos = photosOf(orderId);
  const text = photoWords.value;
  return section(
    { class: "stack photos", "aria-label": text.title },
    photos.length > 0 && div(
      { class: "photo-strip" },
      ...photos.map((photo, at) => small(photo, at, photos.length, setOpenAt)),
    ),
    sendingProgress(),
    div({ class: "photo-buttons" }, ...takeButtons({ onFiles: (files) => void addPhotos(orderId, files) })),
    openAt >= 0 && component(Viewer, { orderId, start: openAt, onClose: () => setOpenAt(-1) }),
  );
}

/** @param {ShownPhoto} photo @param {number} at @param {number} of @param {(at: number) => void} open */
function small({ id, thumb, caption, shared, waits }, at, of, open) {
  const text = photoWords.value;
  const said = [
    caption || text.nth(at + 1, of),
    shared && text.isShared,
    waits && words.value.common.connection.notSentYet,
  ].filter(
    Boolean,
  );
  return button(
    {
      key: id,
      class: `photo-small${waits?.problem ? " refused" : waits ? " waits" : ""}`,
      type: "button",
      "aria-label": said.join(", "),
      onClick: () => open(at),
    },
    img({ src: thumb, alt: "", loading: "lazy", draggable: false }),
    waits
      ? span({ class: "photo-mark" }, icon(waits.problem ? "triangle-alert" : "clock"))
      : shared && span({ class: "photo-mark" }, icon("eye")),
  );
}

/** Of all photos that this device sends, also of other orders. */
function sendingProgress() {
  const left = sendable.value.length;
  if (!left) return null;
  const sent = sentUploads.value;
  const all = left + sent;
  const said = photoWords.value.progress(sent, all);
  return div(
    { class: "photo-progress" },
    span({ class: "quiet-text", role: "status" }, said),
    progress({ max: all, value: sent, "aria-label": said }),
  );
}
