// Router: the screen that the address names.

import { effect, signal } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";
import { paramsOf } from "./paths.js";

/** @typedef {{name: string, path: string}} Pattern a path such as `/orders/:id` */
/** @typedef {{path: string, name: string, params: Record<string, string>, query: Record<string, string>}} Route */

/** @type {readonly Pattern[]} */
let patterns = [];

/** The present route; `name` is "" where no pattern fits. @type {import("../vendor/signals-core.js").Signal<Route>} */
export const route = signal(matched("/", ""));

/** @param {readonly Pattern[]} table */
export function startRouter(table) {
  patterns = table;
  show();
  addEventListener("popstate", show);
  // The address of something new has the server's id as soon as there is one.
  effect(() => {
    const { path } = route.value;
    const present = path.split("/").map((part) => replica.presentId(part)).join("/");
    if (present !== path) go(present + location.search, { replace: true });
  });
}

/** @param {string} address path with query @param {{replace?: boolean}} [options] */
export function go(address, { replace = false } = {}) {
  if (replace) history.replaceState(history.state, "", address);
  else history.pushState({ depth: depth() + 1 }, "", address);
  show();
}

/** One screen back, or to `fallback` where the app was opened on this one. @param {string} fallback */
export function back(fallback) {
  if (depth() > 0) history.back();
  else go(fallback, { replace: true });
}

function depth() {
  return Number(history.state?.depth ?? 0);
}

function show() {
  route.value = matched(location.pathname, location.search);
}

/** @param {string} path @param {string} search @returns {Route} */
function matched(path, search) {
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const pattern of patterns) {
    const params = paramsOf(pattern.path, path);
    if (params) return { path, name: pattern.name, params, query };
  }
  return { path, name: "", params: {}, query };
}
