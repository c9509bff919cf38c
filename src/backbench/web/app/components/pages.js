// Pages: pictures of a document's pages, beside each other.

import { div, img } from "./tags.js";

/** @param {{ images: readonly { src: string, alt: string }[] }} props */
export function pages({ images }) {
  return div(
    {
      class: "pages",
      tabIndex: images.length > 1 ? 0 : undefined,
      role: images.length > 1 ? "group" : undefined,
    },
    ...images.map(({ src, alt }) =>
      img({ class: "page-picture", key: src, src, alt, width: 1080, height: 1527 })
    ),
  );
}
