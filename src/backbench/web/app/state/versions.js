// Versions: the service worker, its next version, which is taken when nobody is in the middle of something or when somebody
// asks for it, and its push messages.

import { onShow, startWorker } from "../local/worker.js";
import { effect } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";
import { startPush } from "./push.js";
import { go, route } from "./router.js";
import { nextVersion } from "./status.js";

const IDLE = 60_000;
/** Screens with something that is not stored: a message that was changed, a share sheet or a camera that is open. */
const BUSY = ["send", "intake", "share"];

// By a clock that never goes back.
let touched = performance.now();

/** Registers the worker, and takes a version that comes once nobody is in the middle of something. */
export function startVersions() {
  const touch = () => (touched = performance.now());
  for (const event of ["pointerdown", "keydown", "visibilitychange"]) addEventListener(event, touch, true);
  void startWorker((takeOver) => (nextVersion.value = takeOver));
  onShow(go);
  startPush();
  effect(() => {
    if (nextVersion.value === null) return;
    const timer = setInterval(takeWhenIdle, 5_000);
    return () => clearInterval(timer);
  });
}

/** Changes that wait are stored: they are sent by the next version. */
function takeWhenIdle() {
  const isIdle = performance.now() - touched > IDLE && !BUSY.includes(route.peek().name) && !isInTheMiddle();
  if (isIdle && !replica.isFailing.peek()) nextVersion.peek()?.();
}

/** Something is being typed, or a sheet is open. */
function isInTheMiddle() {
  return document.activeElement?.matches("input, textarea") ||
    document.querySelector("dialog[open]") !== null;
}
