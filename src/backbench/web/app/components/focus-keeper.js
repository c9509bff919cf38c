// Focus keeper: where the focused element is deleted, the focus goes to the screen, not to the body, from where a keyboard
// would begin at the top of the page.

/** Returns what ends it. */
export function keepFocus() {
  /** @type {Element | null} */
  let last = null;
  const onFocus = (/** @type {FocusEvent} */ { target }) => (last = /** @type {Element} */ (target));
  const observer = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    document.querySelector("main")?.focus({ preventScroll: true });
  });
  addEventListener("focusin", onFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}
