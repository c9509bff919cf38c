// Camera of an intake: photos that are taken before there is an order. They are stored at once, as those of the order that
// it becomes.

import { button, div, h2, icon, img, span } from "../../components/tags.js";
import { photoWords } from "../../words/orders.js";
import { draft, set } from "../../state/intake.js";
import { addPhotos, deletePhoto, follow, photosOf } from "../../state/photos.js";
import { useEffect } from "../../vendor/hooks.js";
import { takeButtons } from "../photos/take-buttons.js";

export function Camera() {
  const { orderId } = draft.value;
  useEffect(() => orderId ? follow(orderId) : undefined, [orderId]);
  const text = photoWords.value;
  const taken = orderId ? photosOf(orderId) : [];
  return div(
    { class: "panel photos" },
    h2({}, text.title),
    taken.length > 0 && div(
      { class: "photo-strip" },
      ...taken.map((photo, at) =>
        button(
          {
            key: photo.id,
            class: "photo-small",
            type: "button",
            "aria-label": `${text.delete}: ${text.nth(at + 1, taken.length)}`,
            onClick: () => deletePhoto(orderId, photo, text.deleted),
          },
          img({ src: photo.thumb, alt: "" }),
          span({ class: "photo-mark" }, icon("x")),
        )
      ),
    ),
    div({ class: "photo-buttons" }, ...takeButtons({ onFiles: (files) => void keep(files) })),
  );
}

/** Settles when it was tried to store all. @param {readonly Blob[]} files */
export function keep(files) {
  return addPhotos(set(), files);
}
