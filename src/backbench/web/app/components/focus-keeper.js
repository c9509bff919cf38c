// Focus keeper: where the focused element is moved, it gets the focus back; where it is deleted, the focus goes to the screen,
// not to the body, from where a keyboard would begin at the top of the page.

/** Begins with the page: it has to know of the first focus. */
export function keepFocus() {
  /** What has the focus, or had it until it was moved or deleted. @type {HTMLElement | null} */
  let last = null;
  const keep = (/** @type {MutationRecord[]} */ records) => {
    if (!last || document.activeElement !== document.body) return;
    if (last.isConnected) {
      if (records.some((each) => isIn(last, each.removedNodes))) last.focus({ preventScroll: true });
      return;
    }
    last = null;
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  // The element may go before the browser has moved the focus to the body.
  const observer = new MutationObserver((records) => (keep(records), requestAnimationFrame(() => keep([]))));
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener("focusin", ({ target }) => (last = /** @type {HTMLElement} */ (target)));
  // After the script that may be moving it: who left it by a tap on nothing is not brought back.
  addEventListener("focusout", () =>
    queueMicrotask(() => {
      keep(observer.takeRecords());
      if (last?.isConnected && document.activeElement === document.body) last = null;
    }));
}

/** @param {Node | null} node @param {NodeList} nodes */
function isIn(node, nodes) {
  return [...nodes].some((each) => each.contains(node));
}
