/** The app: the screen of the address, once what it needs is there, and the sign-in sheet over it after an expiry. */

import { component, div } from "../components/tags.js";
import { undoBar } from "../components/undo-bar.js";
import { route } from "../state/router.js";
import { session } from "../state/session.js";
import { hasWorkshops, workshop } from "../state/workshops.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { Boundary } from "./boundary.js";
import { expired } from "./expired.js";
import { shortcuts } from "./shortcuts.js";

/** @typedef {import("../routes.js").Route} Route */
/** @typedef {import("../routes.js").ScreenModule} ScreenModule */

/** Modules that were loaded, so that a screen opened again is there at once. @type {Map<string, ScreenModule>} */
const loaded = new Map();

/** @param {{ routes: readonly Route[] }} props */
export function Application({ routes }) {
  const wanted = routeToShow(routes);
  const screen = useScreen(wanted);
  const { visit, params } = route.value;
  return div(
    { class: "application" },
    screen && component(Boundary, { key: visit }, component(screen, { params, key: visit })),
    session.value.phase === "expired" && expired(),
    undoBar({}),
    shortcuts(),
  );
}

/** What may be shown: sign-in for who is not signed in, the first run for who has no workshop.
 * @param {readonly Route[]} routes
 * @returns {Route | null} null while that is not known */
function routeToShow(routes) {
  const named = (/** @type {string} */ name) => routes.find((each) => each.name === name) ?? null;
  const found = named(route.value.name) ?? named("board");
  const { phase } = session.value;
  if (found?.needs === "nothing" || hasKey(found)) return found;
  if (phase === "starting") return null;
  if (phase === "signed-out") return named("sign-in");
  if (found?.needs === "workshop" && workshop.value === null) {
    return hasWorkshops.value ? named("start") : null;
  }
  return found;
}

/** A wall display has its key in the address. @param {Route | null} found */
function hasKey(found) {
  return found?.name === "floor" && location.hash.startsWith("#bbk_");
}

/** @param {Route | null} wanted */
function useScreen(wanted) {
  const [, repaint] = useState(0);
  const name = wanted?.name;
  useEffect(() => {
    if (!wanted || loaded.has(wanted.name)) return;
    void wanted.load().then((module) => {
      loaded.set(wanted.name, module);
      repaint((count) => count + 1);
    }, () => location.reload());
  }, [name]);
  return name === undefined ? undefined : loaded.get(name)?.screen;
}
