// Live: keeps the replica of the shown workshop up to date: an event stream says when, `changes` says what.

import { effect, signal, untracked } from "../vendor/signals-core.js";
import { send } from "../api/client.js";
import { isGone, isProblem, isTemporary } from "../api/problems.js";
import { replica } from "./outbox.js";
import { channel, leadership } from "../local/pages.js";
import { cursorKey, pull } from "./sync/pull.js";

/** @typedef {import("../api/stream.js").LiveEvent} LiveEvent */
/** @typedef {{workshopId: string, isLoaded: boolean}} Pulled */

const DEBOUNCE = 60;
const POLL = 60_000;

/** The workshops whose lists this browser has, so that an empty list is an empty list. @type {import("../vendor/signals-core.js").Signal<ReadonlySet<string>>} */
export const loaded = signal(new Set());

/** @type {{event: ((event: LiveEvent) => void)[], pulled: ((pulled: Pulled) => void)[], gone: ((workshopId: string) => void)[]}} */
const listeners = { event: [], pulled: [], gone: [] };
let followed = "";
let end = () => {};
/** @type {Promise<void> | null} */
let pulling = null;
let isAskedAgain = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Calls back for each event, after each pull, and when the workshop has become inaccessible.
 * @template {keyof typeof listeners} T @param {T} what @param {(typeof listeners)[T][number]} listener
 */
export function on(what, listener) {
  /** @type {unknown[]} */ (listeners[what]).push(listener);
}

/** Starts what lasts as long as the page. */
export function startLive() {
  channel.listen((message) => {
    if (message.type === "event" && message.workshopId === followed) heard(message.event);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void refresh();
  });
  addEventListener("online", () => void refresh());
  effect(() => void (replica.lateReads.value && untracked(refresh)));
  setInterval(() => {
    if (document.visibilityState === "visible" && !isStreaming) void refresh();
  }, POLL);
}

let isStreaming = false;

/** @type {() => void} */
let endFirstPull;
/** Settles when a workshop was pulled for the first time, also in vain. @type {Promise<void>} */
export const firstPull = new Promise((settle) => (endFirstPull = settle));

/** Follows a workshop, and no other; "" follows none. @param {string} workshopId */
export function follow(workshopId) {
  if (workshopId === followed) return;
  end();
  end = () => {};
  followed = workshopId;
  if (!workshopId) return;
  void markLoaded(workshopId);
  void refresh();
  end = leadership(`backbench-live-${workshopId}`, () => stream(workshopId));
}

/** @param {string} workshopId */
async function markLoaded(workshopId) {
  if (await replica.fact(cursorKey(workshopId))) loaded.value = new Set([...loaded.value, workshopId]);
}

/** Opens the stream after the first pull, with whose cursor it misses nothing. @param {string} workshopId */
function stream(workshopId) {
  let close = () => {};
  let isEnded = false;
  // Its module is not what a first start waits for.
  const begin = () =>
    void Promise.all([import("../api/stream.js"), pulling]).then(([{ openStream }]) => {
      if (!isEnded) close = open(openStream, workshopId);
    }, () => void setTimeout(begin, POLL));
  begin();
  return () => {
    isEnded = true;
    close();
  };
}

/** @param {typeof import("../api/stream.js").openStream} openStream @param {string} workshopId */
function open(openStream, workshopId) {
  return openStream(workshopId, {
    since: () => replica.fact(cursorKey(workshopId)),
    opened: (isOpen) => (isStreaming = isOpen),
    changed: (event) => {
      channel.post({ type: "event", workshopId, event });
      heard(event);
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), DEBOUNCE);
    },
    refresh: () => void refresh(),
  });
}

/** @param {LiveEvent} event */
function heard(event) {
  for (const listener of listeners.event) listener(event);
}

/** Asks for what has changed. Without a connection nothing happens. */
export async function refresh() {
  if (pulling) {
    isAskedAgain = true;
    return await pulling;
  }
  do {
    isAskedAgain = false;
    pulling = pullOnce(followed);
    await pulling;
    pulling = null;
  } while (isAskedAgain);
}

/** @param {string} workshopId */
async function pullOnce(workshopId) {
  if (!workshopId) return;
  try {
    const found = await pull({ replica, send }, workshopId);
    loaded.value = new Set([...loaded.value, workshopId]);
    for (const listener of listeners.pulled) listener({ workshopId, ...found });
  } catch (error) {
    if (isGone(error)) listeners.gone.forEach((listener) => listener(workshopId));
    else if (!isProblem(error) || (error.status !== 401 && !isTemporary(error))) reportError(error);
  } finally {
    endFirstPull();
  }
}
