// Live: keeps the replica of the shown workshop up to date: an event stream says when, `changes` says what.

import { effect, signal, untracked } from "../vendor/signals-core.js";
import { send } from "../api/client.js";
import { isGone, isProblem, isTemporary } from "../api/problems.js";
import { core, replica } from "./outbox.js";
import { channel, leadership } from "../local/pages.js";
import { painted } from "../local/painted.js";

/** @typedef {{workshopId: string} & import("./sync/pull.js").Pulled} Pulled */

const DEBOUNCE = 60;
const POLL = 60_000;

/** The workshops whose lists this browser has, so that an empty list is an empty list. @type {import("../vendor/signals-core.js").Signal<ReadonlySet<string>>} */
export const loaded = signal(new Set());

/** @type {{pulled: ((pulled: Pulled) => void)[], missed: (() => void)[], gone: ((workshopId: string) => void)[]}} */
const listeners = { pulled: [], missed: [], gone: [] };
let followed = "";
let end = () => {};
/** @type {Promise<void> | null} */
let pulling = null;
let isAskedAgain = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Calls back after each pull, of another page of this browser, too; after one without a response, and when the workshop has become inaccessible.
 * @template {keyof typeof listeners} T @param {T} what @param {(typeof listeners)[T][number]} listener
 */
export function on(what, listener) {
  /** @type {unknown[]} */ (listeners[what]).push(listener);
}

/** Starts what lasts as long as the page. */
export function startLive() {
  channel.listen((message) => {
    if (message.type === "pulled" && message.pulled.workshopId === followed) heard(message.pulled);
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
  // What is there already is painted before.
  const begun = painted().then(() => followed === workshopId ? refresh() : undefined);
  end = leadership(`backbench-live-${workshopId}`, () => stream(workshopId, begun));
}

/** @param {string} workshopId */
async function markLoaded(workshopId) {
  if (await replica.fact(core.cursorKey(workshopId))) loaded.value = new Set([...loaded.value, workshopId]);
}

/** Opens the stream after the first pull, with whose cursor it misses nothing. @param {string} workshopId @param {Promise<void>} begun */
function stream(workshopId, begun) {
  let close = () => {};
  let isEnded = false;
  // Its module is not what a first start waits for.
  const begin = () =>
    void Promise.all([import("../api/stream.js"), begun]).then(([{ openStream }]) => {
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
    since: () => replica.fact(core.cursorKey(workshopId)),
    opened: (isOpen) => (isStreaming = isOpen),
    changed: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), DEBOUNCE);
    },
    refresh: () => void refresh(),
  });
}

/** @param {Pulled} pulled */
function heard(pulled) {
  for (const listener of listeners.pulled) listener(pulled);
}

/** As `refresh`, where no event would say that something has changed. */
export function catchUp() {
  if (!isStreaming && !pulling) void refresh();
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

/** Where changes start of a workshop of which nothing is stored, by workshop. @type {Map<string, string>} */
const starts = new Map();

/** The server has said the present cursor of a workshop: its lists need no other. @param {string} workshopId @param {string} cursor */
export function startAt(workshopId, cursor) {
  starts.set(workshopId, cursor);
}

/** @param {string} workshopId */
async function pullOnce(workshopId) {
  if (!workshopId) return;
  try {
    const found = await core.pull({ replica, send }, workshopId, starts.get(workshopId));
    starts.delete(workshopId);
    loaded.value = new Set([...loaded.value, workshopId]);
    const pulled = { workshopId, ...found };
    if (found.ids.length || found.isLoaded) channel.post({ type: "pulled", pulled });
    heard(pulled);
  } catch (error) {
    for (const listener of listeners.missed) listener();
    if (isGone(error)) listeners.gone.forEach((listener) => listener(workshopId));
    else if (!isProblem(error) || (error.status !== 401 && !isTemporary(error))) reportError(error);
  } finally {
    endFirstPull();
  }
}
