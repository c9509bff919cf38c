// Versions: the next version of the app is taken when hands are idle and nothing waits to be sent.

import { startWorker } from "../local/worker.js";
import { effect, signal } from "../vendor/signals-core.js";
import { items } from "./outbox.js";

const IDLE = 60_000;

/** Takes the next version; null while there is none. @type {import("../vendor/signals-core.js").Signal<(() => void) | null>} */
export const nextVersion = signal(null);
let touched = Date.now();

/** Registers the worker, and takes a version that comes once nobody is in the middle of something. */
export function startVersions() {
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => (touched = Date.now()), true);
  void startWorker((takeOver) => (nextVersion.value = takeOver));
  effect(() => {
    if (nextVersion.value === null) return;
    const timer = setInterval(takeWhenIdle, 5_000);
    document.addEventListener("visibilitychange", takeWhenIdle);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", takeWhenIdle);
    };
  });
}

function takeWhenIdle() {
  const isIdle = document.visibilityState === "hidden" || Date.now() - touched > IDLE;
  if (isIdle && items.peek().length === 0 && !isTyping()) nextVersion.peek()?.();
}

function isTyping() {
  return /** @type {HTMLInputElement | null} */ (document.activeElement)?.matches("input, textarea") ?? false;
}
