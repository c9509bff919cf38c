// Loading of screens: a module once asked for stays; one of an older version is found by loading the page anew.

import { frame } from "../components/frame.js";
import { notice } from "../components/notice.js";
import { words } from "../words/words.js";
import { useLayoutEffect, useState } from "../vendor/hooks.js";

/** @typedef {import("../routes.js").Route} Route */
/** @typedef {import("../routes.js").ScreenModule} ScreenModule */

const RELOADED = "backbench-reloaded";

/** Modules that were loaded, so that a screen opened again is there at once. @type {Map<string, ScreenModule>} */
const loaded = new Map();

/** The screen of a route, undefined while it is loaded; `failed` if it could not be. @param {Pick<Route, "name" | "load"> | null} wanted */
export function useScreen(wanted) {
  const [failed, setFailed] = useState(/** @type {string | null} */ (null));
  const [, repaint] = useState(0);
  const name = wanted?.name ?? "";
  const load = () => {
    if (!wanted || loaded.has(name)) return;
    setFailed(null);
    void wanted.load().then((module) => {
      loaded.set(name, module);
      sessionStorage.removeItem(RELOADED);
      repaint((count) => count + 1);
    }, () => {
      if (navigator.onLine && reloadOnce()) return;
      setFailed(name);
    });
  };
  // Before a frame is painted: a screen that is loaded already is in the first one.
  useLayoutEffect(load, [name]);
  return { screen: loaded.get(name)?.screen, failed: failed === name && name !== "", retry: load };
}

/** A screen that came with another module is there at once. @param {string} name @param {ScreenModule["screen"]} screen */
export function keepScreen(name, screen) {
  loaded.set(name, { screen });
}

/** Loads the page anew, unless it was just loaded for the same reason. */
function reloadOnce() {
  if (sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, "yes");
  location.reload();
  return true;
}

/** A screen that this browser never had, without a connection. @param {() => void} retry @param {string} [back] */
export function missing(retry, back = "/") {
  const { buttons, connection, failed } = words.value.common;
  return frame(
    { title: "Backbench", back },
    notice({
      kind: "warning",
      text: navigator.onLine ? failed : connection.needsConnection,
      action: { label: buttons.retry, onClick: retry },
    }),
  );
}
