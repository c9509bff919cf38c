// Focus keeper: where the focused element is deleted, the focus goes to the screen, not to the body, from where a keyboard
// would begin at the top of the page.

/** Begins with the page: it has to know of the first focus. */
export function keepFocus() {
  /** @type {Element | null} */
  let last = null;
  const keep = () => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  addEventListener("focusin", ({ target }) => (last = /** @type {Element} */ (target)));
  // The element may go before the browser has moved the focus to the body.
  new MutationObserver(() => (keep(), requestAnimationFrame(keep))).observe(document.body, {
    childList: true,
    subtree: true,
  });
}
