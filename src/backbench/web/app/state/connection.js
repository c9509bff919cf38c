// Connection: whether the server answers, and what waits for it.

import { computed, signal } from "../vendor/signals-core.js";
import { listen } from "../api/client.js";
import { items, replica, waitsUntil } from "./outbox.js";

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
}
