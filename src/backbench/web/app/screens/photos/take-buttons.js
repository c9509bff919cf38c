// Buttons that take photos with the camera, or choose several of those on the device.

import { icon, input, label as labelTag, span } from "../../components/tags.js";
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
