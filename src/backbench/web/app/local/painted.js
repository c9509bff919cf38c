// Painted: what may wait until the person sees what was just changed.

const LATEST = 1_000;

/** Settles after the next frame; a page in the background paints nothing. @returns {Promise<void>} */
export function painted() {
  return new Promise((settle) => {
    requestAnimationFrame(() => void setTimeout(settle));
    setTimeout(settle, LATEST);
  });
}

/** Settles when the page has nothing else to do, at the latest after a second. @returns {Promise<void>} */
export function idle() {
  return new Promise((settle) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => settle(), { timeout: LATEST });
    else setTimeout(settle);
  });
}
