// Camera of an intake: photos that are taken before there is an order; it gets them when it is taken in.

import { button, div, h2, icon, img, span } from "../../components/tags.js";
import { photoWords } from "../../i18n/photos.js";
import { addPhotos } from "../../state/photos.js";
import { signal } from "../../vendor/signals.js";
import { takeButtons } from "../photos/take-buttons.js";

/** What was taken so far, each with its address. They stay while the person looks at another screen. */
const taken = signal(/** @type {readonly { file: Blob, url: string }[]} */ ([]));

export function Camera() {
  const text = photoWords.value;
  return div(
    { class: "panel photos" },
    h2({}, text.title),
    taken.value.length > 0 && div(
      { class: "photo-strip" },
      ...taken.value.map((photo, at) =>
        button(
          {
            key: photo.url,
            class: "photo-small",
            type: "button",
            "aria-label": `${text.delete}: ${text.nth(at + 1, taken.value.length)}`,
            onClick: () => discard(photo),
          },
          img({ src: photo.url, alt: "" }),
          span({ class: "photo-mark" }, icon("x")),
        )
      ),
    ),
    div({ class: "photo-buttons" }, ...takeButtons({ onFiles: keep })),
  );
}

/** @param {readonly Blob[]} files */
export function keep(files) {
  taken.value = [...taken.value, ...files.map((file) => ({ file, url: URL.createObjectURL(file) }))];
}

/** @param {{ url: string }} photo */
function discard({ url }) {
  URL.revokeObjectURL(url);
  taken.value = taken.value.filter((one) => one.url !== url);
}

/** The order gets what was taken. @param {string} orderId */
export function give(orderId) {
  const photos = taken.value;
  void addPhotos(orderId, photos.map(({ file }) => file));
  photos.forEach(discard);
}
