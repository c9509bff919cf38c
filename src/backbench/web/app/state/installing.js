// Installing: whether this app can be put on the home screen, and how.

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

/** Asks the browser to install the app. */
export async function install() {
  const offered = installPrompt.value;
  installPrompt.value = null;
  await offered?.prompt();
}

/** Whether the page runs as an installed app. */
export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/** Whether only the browser's own menu installs: iPhones and iPads, which say that they are Macs with a touch screen. */
export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
