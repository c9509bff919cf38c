// Layers: what is open over the screen. Each has an entry of the history, so that the browser's Back closes it. What was
// closed in another way leaves its entry, which the next one takes, and which going back skips.

import { effect } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";
import { layers, route } from "./router.js";

/** The uppermost last. @type {(() => void)[]} */
const open = [];
/** Whether the present entry is of something that is not open any more. */
let isOld = false;

const look = () => void (isOld = (history.state?.layer ?? 0) > open.length);

layers.isLeft = () => {
  const close = open.pop();
  if (close) {
    close();
    look();
    // What was replaced while it was open, such as something that was deleted, is left as a screen.
    return location.pathname.split("/").map((part) => replica.presentId(part)).join("/") ===
      route.peek().path;
  }
  if (isOld) {
    // The entry before it is of the same screen, or of something else that was closed on it.
    isOld = !!history.state?.layer;
    history.back();
    return true;
  }
  return false;
};

if (typeof history !== "undefined") effect(() => void (route.value, look()));

/** From now on going back calls `close`. Returns what is called once it was closed in another way. @param {() => void} close */
export function openLayer(close) {
  const state = { depth: history.state?.depth ?? 0, layer: open.push(close) };
  if (isOld) history.replaceState(state, "");
  else history.pushState(state, "");
  look();
  return () => {
    const at = open.indexOf(close);
    if (at >= 0) open.splice(at, 1);
    look();
  };
}
