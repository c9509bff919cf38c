// Seen guard: what cannot be taken back has to have been seen before it takes a press. The press guard looks at each change.

/** So long it has to be on the screen before it can be pressed, in milliseconds. */
const SEEN = 1_000;

/** What cannot be taken back, as it is on the screen, and since when. @type {{ element: HTMLElement, text: string, since: number }[]} */
let finals = [];
/** @type {Set<HTMLElement>} */
let unseen = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let seeing;

/** One that was drawn anew, with the same text in the same moment, was seen before. */
export function checkFinals() {
  const elements = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-final]")]);
  finals = elements.map((element) => {
    const text = element.textContent ?? "";
    const known = finals.find((each) =>
      each.text === text && (each.element === element || !each.element.isConnected)
    );
    return { element, text, since: known?.since ?? performance.now() };
  });
  holdUnseen();
}

/** Those that were not seen for long enough take no presses. */
function holdUnseen() {
  const now = performance.now();
  // A button can become one that does something else.
  for (const element of unseen) element.style.pointerEvents = "";
  unseen = new Set(finals.filter(({ since }) => now - since < SEEN).map(({ element }) => element));
  for (const element of unseen) element.style.pointerEvents = "none";
  clearTimeout(seeing);
  if (unseen.size > 0) seeing = setTimeout(holdUnseen, SEEN / 10);
}

/** In a page that is hidden nothing is seen. */
function onVisibility() {
  if (document.visibilityState !== "visible") return;
  const now = performance.now();
  finals = finals.map((each) => unseen.has(each.element) ? { ...each, since: now } : each);
  holdUnseen();
}

/** Whether it is, or is in, what has not been seen for long enough. @param {EventTarget | null} target */
export function isUnseen(target) {
  const final = target instanceof Element ? target.closest("[data-final]") : null;
  return final instanceof HTMLElement && unseen.has(final);
}

document.addEventListener("visibilitychange", onVisibility);
checkFinals();
