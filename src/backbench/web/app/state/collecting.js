// Collecting: the order that a person says is collected, while the app asks how it is paid.

import { signal } from "../vendor/signals-core.js";

/** `due` is what is still to pay. @typedef {{id: string, title: string, due: import("./amounts-due.js").Due}} Collecting */

/** @type {import("../vendor/signals-core.js").Signal<Collecting | null>} */
export const collecting = signal(null);
