// Connection: whether the server answers, and what waits for it.

import { computed, effect, signal } from "../vendor/signals-core.js";
import { listen, send } from "../api/client.js";
import { isProblem } from "../api/problems.js";
import { items, replica, waitsUntil, wake } from "./outbox.js";

const MAX_SECONDS = 60;

/** Whether the last request was answered. */
const isReached = signal(true);
/** Whether the device has a network. */
const hasNetwork = signal(typeof navigator === "undefined" || navigator.onLine !== false);

/**
 * `online`; the number of changes that wait, and of those the server refused; when the oldest was made (milliseconds,
 * or null); `isStored`: false if a closed page would lose them; `retryAt`: when it is tried again after a failure
 * (milliseconds, or null).
 */
export const connection = computed(() => {
  const refused = items.value.filter(({ problem }) => problem).length;
  return {
    online: hasNetwork.value && isReached.value,
    waiting: items.value.length - refused,
    refused,
    oldest: items.value.length ? Math.min(...items.value.map(({ madeAt }) => madeAt)) : null,
    isStored: !replica.isFailing.value,
    retryAt: items.value.length && waitsUntil.value ? waitsUntil.value : null,
  };
});

/** Starts what lasts as long as the page. */
export function startConnection() {
  listen({ reached: (reached) => (isReached.value = reached) });
  addEventListener("online", () => {
    hasNetwork.value = true;
    isReached.value = true;
  });
  addEventListener("offline", () => (hasNetwork.value = false));
  effect(() => {
    if (!isReached.value) askLater(0);
  });
}

/** Sends what waits, and asks the server again if no answer came. */
export function tryAgain() {
  if (!isReached.peek()) void ask(0);
  return wake();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Where an answer got lost, nothing else may be sent for long: the server is asked until it answers. @param {number} failures */
function askLater(failures) {
  clearTimeout(timer);
  // Pages that lost the same server do not come back in the same second.
  const seconds = Math.min(MAX_SECONDS, 2 ** failures) * (1 + Math.random() / 4);
  timer = setTimeout(() => void ask(failures + 1), 1000 * seconds);
}

/** @param {number} failures */
async function ask(failures) {
  if (isReached.peek()) return;
  try {
    // Any answer will do. Without a network nothing is asked.
    if (hasNetwork.peek()) await send("GET", "/me", { isPublic: true });
  } catch (error) {
    if (!isProblem(error)) throw error;
  }
  if (!isReached.peek()) askLater(failures);
}
