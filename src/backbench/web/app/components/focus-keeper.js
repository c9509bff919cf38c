// Focus keeper: where the focused element is deleted, the focus goes to the screen, not to the body, from where a keyboard
// would begin at the top of the page.

/** Starts what lasts as long as the page. */
export function keepFocus() {
  /** @type {Element | null} */
  let last = null;
  addEventListener("focusin", ({ target }) => (last = /** @type {Element} */ (target)));
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    document.querySelector("main")?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
