// Stream: the events of a workshop, connected again after each end.

import { address } from "./client.js";

/** @typedef {{type: string, objectId: string, at: string, actorUid?: string}} LiveEvent */
/**
 * @typedef {object} Handlers
 * @property {() => Promise<string | undefined>} since the cursor to continue from
 * @property {(isOpen: boolean) => void} opened
 * @property {(event: LiveEvent) => void} changed
 * @property {() => void} refresh something may have been missed, or access may have ended: `changes` says
 */

const MAX_SECONDS = 60;

/** Opens the stream. Returns how to close it. @param {string} workshopId @param {Handlers} handlers */
export function openStream(workshopId, handlers) {
  if (typeof EventSource === "undefined") return () => {};
  const state = {
    isClosed: false,
    failures: 0,
    source: /** @type {EventSource | null} */ (null),
    timer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
  };
  const connect = async () => {
    const since = await handlers.since();
    if (!state.isClosed) state.source = source(workshopId, since, handlers, state, again);
  };
  const again = () => {
    handlers.opened(false);
    if (state.isClosed) return;
    state.failures += 1;
    // Pages that lost the same server do not come back in the same second.
    const seconds = Math.min(MAX_SECONDS, 2 ** (state.failures - 1)) * (1 + Math.random() / 4);
    state.timer = setTimeout(() => void connect(), 1000 * seconds);
  };
  void connect();
  return () => {
    state.isClosed = true;
    clearTimeout(state.timer);
    state.source?.close();
    handlers.opened(false);
  };
}

/** @param {string} workshopId @param {string | undefined} since @param {Handlers} handlers @param {{failures: number}} state @param {() => void} again */
function source(workshopId, since, handlers, state, again) {
  const stream = new EventSource(address(`/workshops/${workshopId}/events`, { since }));
  const ended = () => {
    stream.close();
    handlers.refresh();
    again();
  };
  stream.addEventListener("hello", () => {
    state.failures = 0;
    handlers.opened(true);
    handlers.refresh();
  });
  stream.addEventListener("change", ({ data }) => handlers.changed(JSON.parse(data)));
  stream.addEventListener("reset", handlers.refresh);
  stream.addEventListener("gone", ended);
  // The browser would connect again by itself, but with the first cursor and without waiting longer each time.
  stream.addEventListener("error", ended);
  return stream;
}
