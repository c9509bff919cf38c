// Media: whether there is room for a list and its detail side by side.

import { signal } from "../vendor/signals.js";

const wide = globalThis.matchMedia?.("(min-width: 900px)");

/** Whether the screen is a desk's. */
export const isDesk = signal(wide?.matches ?? false);
wide?.addEventListener("change", () => (isDesk.value = wide.matches));
