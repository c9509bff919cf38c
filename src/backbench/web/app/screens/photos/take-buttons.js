// Buttons that take photos with the camera, or choose several of those on the device.

import { button, div, h2, icon, img, input, label as labelTag, span } from "../../components/tags.js";
import { draft, set } from "../../state/intake.js";
import { addPhotos, deletePhoto, follow, photosOf } from "../../state/photos.js";
import { useEffect } from "../../vendor/hooks.js";
import { photoWords } from "../../words/orders.js";

// Without HEIC in this list, phones of Apple hand over a JPEG.
const TYPES = "image/jpeg,image/png,image/webp";

/** @param {{ onFiles: (files: File[]) => void }} props */
export function takeButtons({ onFiles }) {
  const text = photoWords.value;
  return [
    chooser({ label: text.camera, glyph: "camera", onFiles, attributes: { capture: "environment" } }),
    chooser({ label: text.gallery, glyph: "image", onFiles, attributes: { multiple: true } }),
  ];
}

/** @param {{ label: string, glyph: string, onFiles: (files: File[]) => void, attributes: object }} props */
function chooser({ label, glyph, onFiles, attributes }) {
  return labelTag(
    { class: "button photo" },
    icon(glyph),
    span({}, label),
    input({
      type: "file",
      accept: TYPES,
      class: "spoken",
      ...attributes,
      onChange: (event) => {
        const files = [...event.currentTarget.files ?? []];
        // The same photo can be chosen again.
        event.currentTarget.value = "";
        if (files.length) onFiles(files);
      },
    }),
  );
}

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
