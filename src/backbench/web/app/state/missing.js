// Missing: modules that could not be loaded. The person can try again.

import { signal } from "../vendor/signals-core.js";

/** Each loads again what is missing. @type {import("../vendor/signals-core.js").Signal<(() => void)[]>} */
export const missing = signal([]);

/**
 * Runs what imports modules. Where it fails the person can try again; many browsers remember the failure as long as the
 * page lives, so with a connection it is loaded anew.
 * @param {() => Promise<unknown>} load
 */
export function loadRest(load) {
  const report = () => void (missing.value = [...missing.value, again]);
  const again = () => void load().catch(() => navigator.onLine ? location.reload() : report());
  void load().catch(report);
}

/** Tries again. */
export function loadMissing() {
  const all = missing.value;
  missing.value = [];
  for (const again of all) again();
}
