// Fonts: a style sheet of their own, since the text of a first start is not to wait for them. The page that the service
// worker stores has it from the beginning.

const SHEET = "styles/fonts.css";
const LATEST = 1_000;

/** @type {Promise<unknown> | null} */
let loading = null;

/** Loads the fonts; until they are there, text has those of the device. Settles with them, or when nobody waits any longer. */
export function loadFonts() {
  return loading ??= Promise.race([load(), new Promise((settle) => setTimeout(settle, LATEST))]);
}

async function load() {
  if (document.querySelector(`link[href$="${SHEET}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../${SHEET}`, import.meta.url).href;
  document.head.append(link);
  await new Promise((settle) => (link.onload = link.onerror = settle));
  // What is on the screen asks for them.
  await new Promise((settle) => requestAnimationFrame(() => setTimeout(settle)));
  await document.fonts.ready;
}
