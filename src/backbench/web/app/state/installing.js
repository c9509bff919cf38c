// Installing: what the browser offers is kept until there is a reason to ask.

import { signal } from "../vendor/signals-core.js";

/** @typedef {Event & { prompt: () => Promise<{ outcome: "accepted" | "dismissed" }> }} InstallPrompt */

/** What the browser offers, or null. @type {import("../vendor/signals-core.js").Signal<InstallPrompt | null>} */
export const installPrompt = signal(null);

/** Starts what lasts as long as the page. */
export function startInstalling() {
  addEventListener("beforeinstallprompt", (event) => {
    // The app offers it itself, once there is a reason.
    event.preventDefault();
    installPrompt.value = /** @type {InstallPrompt} */ (event);
  });
  addEventListener("appinstalled", () => (installPrompt.value = null));
}
