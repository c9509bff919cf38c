// Focus keeper: where the focused element is deleted, the focus goes to the screen, not to the body, from where a keyboard
// would begin at the top of the page.

/** Returns what ends it. */
export function keepFocus() {
  /** @type {Element | null} */
  let last = null;
  const onFocus = (/** @type {FocusEvent} */ { target }) => (last = /** @type {Element} */ (target));
  const keep = () => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  // The element may go before the browser has moved the focus to the body.
  const observer = new MutationObserver(() => (keep(), requestAnimationFrame(keep)));
  addEventListener("focusin", onFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}
