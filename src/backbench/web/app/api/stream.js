// Stream: the events of a workshop, connected again after each end.

import { address } from "./early.js";

/**
 * @typedef {object} Handlers
 * @property {() => Promise<string | undefined>} since the cursor to continue from
 * @property {(isOpen: boolean) => void} opened
 * @property {() => void} changed
 * @property {() => void} refresh something may have been missed, or access may have ended: `changes` says
 */
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */
/** @typedef {{isClosed: boolean, failures: number, source?: EventSource, timer?: Timer, silence?: Timer}} State */

const MAX_SECONDS = 60;

/** Opens the stream. Returns how to close it. @param {string} workshopId @param {Handlers} handlers */
export function openStream(workshopId, handlers) {
  if (typeof EventSource === "undefined") return () => {};
  /** @type {State} */
  const state = { isClosed: false, failures: 0 };
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
    clearTimeout(state.silence);
    state.source?.close();
    handlers.opened(false);
  };
}

/** @param {string} workshopId @param {string | undefined} since @param {Handlers} handlers @param {State} state @param {() => void} again */
function source(workshopId, since, handlers, state, again) {
  const stream = new EventSource(address(`/workshops/${workshopId}/events`, { since }));
  const ended = () => {
    clearTimeout(state.silence);
    stream.close();
    handlers.refresh();
    again();
  };
  const listen = () => {
    clearTimeout(state.silence);
    // More than two heartbeats of the service. A network that went away without a word ends no connection.
    state.silence = setTimeout(ended, 60_000);
  };
  listen();
  stream.addEventListener("heartbeat", listen);
  stream.addEventListener("hello", () => {
    state.failures = 0;
    handlers.opened(true);
    // From a cursor, what was missed follows.
    if (!since) handlers.refresh();
  });
  stream.addEventListener("change", () => {
    listen();
    handlers.changed();
  });
  stream.addEventListener("reset", handlers.refresh);
  stream.addEventListener("gone", ended);
  // The browser would connect again by itself, but with the first cursor and without waiting longer each time.
  stream.addEventListener("error", ended);
  return stream;
}
