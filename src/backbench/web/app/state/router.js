// Router: the screen that the address names.

import { effect, signal } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";

/** @typedef {{name: string, path: string}} Pattern a path such as `/orders/:id` */
/**
 * `visit` stays the same when the address is replaced by another one of the same screen, such as when something new gets
 * its id: the screen is not drawn anew under the person's fingers.
 * @typedef {{path: string, name: string, params: Record<string, string>, query: Record<string, string>, visit: number}} Route
 */

/** @type {readonly Pattern[]} */
let patterns = [];
let visit = 0;

/** The present route; `name` is "" where no pattern fits. @type {import("../vendor/signals-core.js").Signal<Route>} */
export const route = signal(matched("/", ""));

/** Says whether a step of the history left what was open over the screen, and not the screen: see `state/layers.js`. */
export const layers = { isLeft: () => false };

/** @param {readonly Pattern[]} table */
export function startRouter(table) {
  patterns = table;
  // The browser would do it before the screen is drawn.
  history.scrollRestoration = "manual";
  show();
  scrollBack();
  addEventListener("popstate", () => layers.isLeft() || (show(), scrollBack()));
  addEventListener("pagehide", keepPlace);
  addEventListener("click", followLink);
  // The address of something new has the server's id as soon as there is one.
  effect(() => {
    const { path } = route.value;
    const present = path.split("/").map((part) => replica.presentId(part)).join("/");
    if (present !== path) go(present + location.search, { replace: true });
  });
}

/** Links of the app lead to its screens without a new page. @param {MouseEvent} event */
function followLink(event) {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || defaultPrevented) return;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  const isElsewhere = link.origin !== location.origin || link.target !== "" || link.hasAttribute("download");
  if (isElsewhere || !patterns.some(({ path }) => paramsOf(path, link.pathname))) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/** Another screen begins at its top; one that is gone back to, where it was left. @param {string} address path with query @param {{replace?: boolean}} [options] */
export function go(address, { replace = false } = {}) {
  if (replace) history.replaceState(history.state, "", address);
  else {
    keepPlace();
    history.pushState({ depth: depth() + 1 }, "", address);
  }
  show(replace);
  if (!replace) scrollTo(0, 0);
}

/** One screen back, or to `fallback` where the app was opened on this one. @param {string} fallback */
export function back(fallback) {
  if (depth() > 0) history.back();
  else go(fallback, { replace: true });
}

function depth() {
  return Number(history.state?.depth ?? 0);
}

function keepPlace() {
  history.replaceState({ ...history.state, top: scrollY }, "");
}

/** Goes on until the screen that is drawn is long enough. @param {number} frames */
function scrollBack(frames = 60) {
  const top = Number(history.state?.top ?? 0);
  if (frames < 60) scrollTo(0, top);
  if (frames === 60 || (frames > 0 && scrollY < Math.floor(top))) {
    requestAnimationFrame(() => scrollBack(frames - 1));
  }
}

function show(isReplaced = false) {
  const next = matched(location.pathname, location.search);
  const isSameScreen = isReplaced && next.name === route.peek().name;
  if (!isSameScreen) visit += 1;
  route.value = { ...next, visit };
}

/** @param {string} path @param {string} search @returns {Route} */
function matched(path, search) {
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const pattern of patterns) {
    const params = paramsOf(pattern.path, path);
    if (params) return { path, name: pattern.name, params, query, visit };
  }
  return { path, name: "", params: {}, query, visit };
}

/** The params of a path, or null where the pattern does not fit. @param {string} pattern @param {string} path */
export function paramsOf(pattern, path) {
  const names = parts(pattern);
  const values = parts(path);
  if (names.length !== values.length) return null;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [at, name] of names.entries()) {
    const value = decoded(values[at] ?? "");
    if (name.startsWith(":")) params[name.slice(1)] = value;
    else if (name !== value) return null;
  }
  return params;
}

/** @param {string} path */
function parts(path) {
  return path.replace(/\/+$/, "").split("/").slice(1);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
