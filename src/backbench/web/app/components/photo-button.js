// Photo button: takes a photo, or one of those on the device.

import { icon, input, label as labelTag, span } from "./tags.js";

/** @param {{ label: string, onPhoto: (file: File) => void, disabled?: boolean, busy?: boolean }} props */
export function photoButton({ label, onPhoto, disabled = false, busy = false }) {
  return labelTag(
    { class: "button photo" },
    icon("camera"),
    span({}, label),
    input({
      type: "file",
      accept: "image/*",
      class: "spoken",
      disabled: disabled || busy,
      onChange: (event) => {
        const file = event.currentTarget.files?.[0];
        // The same photo can be chosen again.
        event.currentTarget.value = "";
        if (file) onPhoto(file);
      },
    }),
  );
}
