// Connection: whether the service answers, and what waits for it.

import { computed, effect, signal } from "../vendor/signals-core.js";
import { call, listen } from "../api/client.js";
import { isProblem } from "../api/problems.js";
import { core, items, replica, waitsUntil, wake } from "./outbox.js";

const MAX_SECONDS = 60;
// A change is sent within seconds; one that was not by then is worth a word.
const OVERDUE = 10_000;

/** What the last request met: the service, something else that answered, such as a proxy without it, or nothing. */
const reached = signal(/** @type {"service" | "other" | "nothing"} */ ("service"));
/** Whether the device has a network. */
const hasNetwork = signal(typeof navigator === "undefined" || navigator.onLine !== false);
/** Whether a change waits for longer than it should. */
const isOverdue = signal(false);

/**
 * `online`; `isAway`: something answers, but not the service; the number of changes that wait, and of those the server refused; `isOverdue`: they wait for longer than they should; `isStored`: false if a closed page would lose them.
 */
export const connection = computed(() => {
  const refused = items.value.filter(({ problem }) => problem).length;
  return {
    online: hasNetwork.value && reached.value === "service",
    isAway: hasNetwork.value && reached.value === "other",
    waiting: items.value.length - refused,
    refused,
    isOverdue: isOverdue.value || waitsUntil.value > 0 || items.value.some(({ attempts }) => attempts > 0),
    isStored: !replica.isFailing.value,
  };
});

/** Starts what lasts as long as the page. */
export function startConnection() {
  listen({ reached: (what) => (reached.value = what) });
  addEventListener("online", () => {
    hasNetwork.value = true;
    reached.value = "service";
  });
  addEventListener("offline", () => (hasNetwork.value = false));
  effect(() => {
    if (reached.value !== "service") askLater(0);
  });
  effect(() => {
    // A deletion waits for the end of its undo, a photo for its order and for those before it.
    const made = items.value.filter(({ op }) =>
      !core.mutation(op).isDeletion && core.mutation(op).way !== "upload"
    )
      .map(({ queuedAt }) => queuedAt);
    const late = Math.min(...made) + OVERDUE - replica.elapsed();
    isOverdue.value = late <= 0;
    if (late <= 0 || late === Infinity) return;
    const timer = setTimeout(() => (isOverdue.value = true), late);
    return () => clearTimeout(timer);
  });
}

/** Stores and sends what waits, and asks the server again if no answer came. */
export function tryAgain() {
  if (reached.peek() !== "service") void ask(0);
  if (replica.isFailing.peek()) void replica.retry();
  void wake();
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
  if (reached.peek() === "service") return;
  try {
    // Any answer will do. Without a network nothing is asked.
    if (hasNetwork.peek()) await call("GET /me", {}, { isPublic: true });
  } catch (error) {
    if (!isProblem(error)) throw error;
  }
  if (reached.peek() === "service") void wake();
  else askLater(failures);
}
