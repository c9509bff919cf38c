// Fonts: a style sheet of their own, since the text of a first start is not to wait for them. The page that the service
// worker stores has it from the beginning.

const SHEET = "styles/fonts.css";

/** Loads the fonts; until they are there, text has those of the device. */
export function loadFonts() {
  if (document.querySelector(`link[href$="${SHEET}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../${SHEET}`, import.meta.url).href;
  document.head.append(link);
}
