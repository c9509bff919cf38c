// Drain: sends the waiting changes: in order for each object, objects side by side, again after failures. Uploads have one
// of their own, since a photo takes longer than all else together: one after the other, those that can pass pass.

import { isGone, isOutage, isProblem, isTemporary, storedProblem } from "../../api/problems.js";
import { newId } from "../../domain/ids.js";
import { deliver } from "./delivery.js";
import { mutation } from "./mutations.js";
import { readObject } from "./pull.js";
import { hasten, isUpload, nextTime, ready, readyUploads, uploadsOf } from "./queue.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./delivery.js").Context} Context */

const WORKERS = 4;
const MAX_SECONDS = 60;
const BUSY = 2_000;
const MAX_TIMER = 60_000;

/**
 * `ofUploads`: it sends those, else all other changes. `sent` is called after each that was sent.
 * `lock` runs a function while no other page of the account does; `isMine` says which changes this page sends; `later`
 * runs a function after milliseconds and returns how to cancel it; `left` is called with the workshop of a 403, `waits`
 * with the time before which nothing is sent, 0 if there is none; `sending` are the keys of what is being sent.
 * @typedef {Context & {
 *   ofUploads?: boolean,
 *   sent?: () => void,
 *   lock?: (work: () => Promise<void>) => Promise<void>,
 *   isMine?: (item: Item) => boolean,
 *   later?: (milliseconds: number, work: () => void) => () => void,
 *   left?: (workshopId: string) => void,
 *   waits?: (until: number) => void,
 *   sending?: Set<string>,
 * }} DrainContext
 */

/** Nothing is sent before `notBefore`: the server does not answer, or asked to wait. @param {Set<string>} sending */
function newState(sending) {
  return {
    sending,
    isPaused: false,
    failures: 0,
    notBefore: 0,
    /** @type {Promise<void> | null} */ running: null,
    cancel: () => {},
  };
}

/** @typedef {ReturnType<typeof newState>} State */

/** @param {DrainContext} context */
export function createDrain(context) {
  const state = newState(context.sending ?? new Set());
  const wake = () => {
    state.failures = 0;
    delay(context, state, 0);
    hasten(context.replica, ({ attempts }) => attempts > 0);
    return run(context, state);
  };
  return {
    sending: state.sending,
    /** Sends what can be sent now. Settles when nothing more can. */
    run: () => run(context, state),
    /** The network or the person is back: nothing waits for a failure any more. */
    wake,
    pause: () => {
      state.isPaused = true;
      state.cancel();
    },
    resume: () => {
      state.isPaused = false;
      return wake();
    },
  };
}

/** @param {DrainContext} context @param {State} state */
function run(context, state) {
  const { lock = unlocked, replica } = context;
  const now = replica.elapsed();
  // As after most taps: without the lock, which asks for the other pages.
  if (!state.running && own(context).every(({ problem, notBefore }) => problem || notBefore > now)) {
    schedule(context, state, now);
    return Promise.resolve();
  }
  state.running ??= lock(() => sendAll(context, state)).finally(() => {
    state.running = null;
    schedule(context, state);
  });
  return state.running;
}

/**
 * `now`: when `run` found nothing due. At a later time, a change that has become due in between would count as that of an
 * open page for a minute: which pages are open is asked only when something is due.
 * @param {DrainContext} context @param {State} state @param {number} [now]
 */
function schedule(context, state, now = context.replica.elapsed()) {
  const { isMine = everything, later = timer } = context;
  state.cancel();
  const items = own(context);
  const isReady = due(context, state, now).length > 0;
  // Changes of a page that was closed become this page's after a while.
  const others = items.some((item) => !item.problem && !isMine(item)) ? now + MAX_TIMER : Infinity;
  const at = Math.max(isReady ? now : Math.min(nextTime(items, now), others), state.notBefore);
  if (state.isPaused || at === Infinity || !items.length) return;
  state.cancel = later(Math.min(at - now, MAX_TIMER), () => void run(context, state));
}

/** The changes that this drain sends. @param {DrainContext} context */
function own({ replica, ofUploads }) {
  return ofUploads ? uploadsOf(replica) : replica.items.peek().filter((item) => !isUpload(item));
}

/** Those that can be sent now. @param {DrainContext} context @param {State} state @param {number} now */
function due({ replica, ofUploads, isMine = everything }, { sending }, now) {
  return (ofUploads ? readyUploads : ready)(replica, { now, sending, isMine });
}

function everything() {
  return true;
}

/** @param {() => Promise<void>} work */
function unlocked(work) {
  return work();
}

/** @param {number} milliseconds @param {() => void} work */
function timer(milliseconds, work) {
  const id = setTimeout(work, milliseconds);
  return () => clearTimeout(id);
}

/** @param {DrainContext} context @param {State} state */
async function sendAll(context, state) {
  await context.replica.saved();
  const length = context.ofUploads ? 1 : WORKERS;
  await Promise.all(Array.from({ length }, () => work(context, state)));
}

/** @param {DrainContext} context @param {State} state */
async function work(context, state) {
  for (;;) {
    const item = next(context, state);
    if (!item) return;
    state.sending.add(item.key);
    try {
      await deliver(context, item);
      state.failures = 0;
      // Another request may have been asked to wait meanwhile.
      if (state.notBefore <= context.replica.elapsed()) delay(context, state, 0);
      context.sent?.();
    } catch (error) {
      await failed(context, state, item, error);
    } finally {
      state.sending.delete(item.key);
    }
  }
}

/** @param {DrainContext} context @param {State} state */
function next(context, state) {
  const now = context.replica.elapsed();
  if (state.isPaused || now < state.notBefore) return undefined;
  return due(context, state, now)[0];
}

/** @param {DrainContext} context @param {State} state @param {Item} item @param {unknown} error */
async function failed(context, state, item, error) {
  const { replica } = context;
  const current = replica.item(item.key);
  if (!current) return;
  if (isProblem(error) && error.status === 401) {
    state.isPaused = true;
  } else if (isProblem(error) && isOutage(error)) {
    state.failures += 1;
    delay(context, state, replica.elapsed() + 1000 * (error.retryAfter ?? seconds(state.failures)));
  } else if (!isProblem(error) || isTemporary(error)) {
    const wait = isProblem(error) && error.code === "in_progress"
      ? BUSY
      : 1000 * seconds(current.attempts + 1);
    await replica.commit({
      items: [{ ...current, attempts: current.attempts + 1, notBefore: replica.elapsed() + wait }],
    });
    if (!isProblem(error)) reportError(error);
  } else {
    await refused(context, current, error);
  }
}

/** @param {DrainContext} context @param {State} state @param {number} until */
function delay(context, state, until) {
  state.notBefore = until;
  context.waits?.(until);
}

/** @param {number} failures */
function seconds(failures) {
  return Math.min(MAX_SECONDS, 2 ** (failures - 1));
}

/** The change stays in the queue with its problem; the others go on. @param {DrainContext} context @param {Item} item @param {import("../../api/problems.js").Problem} problem */
async function refused(context, item, problem) {
  const { replica } = context;
  await replica.commit({ items: divided({ ...item, isSent: false, attempts: 0 }, problem) });
  if (!isGone(problem)) return;
  if (problem.status === 403) context.left?.(item.workshopId);
  if (mutation(item.op).way !== "create") await refresh(context, item);
  else context.left?.(item.workshopId);
}

/** The change with its problem; fields that the problem does not name become a change of their own. @param {Item} item @param {import("../../api/problems.js").Problem} problem @returns {Item[]} */
function divided(item, problem) {
  const refusal = storedProblem(problem);
  const fields = Object.entries(item.args.fields ?? {});
  const wrong = new Set(problem.errors.map(({ pointer }) => pointer.split("/")[1] ?? ""));
  const right = fields.filter(([name]) => !wrong.has(name));
  if (!right.length || right.length === fields.length) return [{ ...item, problem: refusal }];
  /** @param {[string, any][]} some */
  const only = (some) => ({ ...item, args: { ...item.args, fields: Object.fromEntries(some) } });
  return [
    { ...only(fields.filter(([name]) => wrong.has(name))), problem: refusal },
    { ...only(right), key: newId() },
  ];
}

/** Reads the object of a refused change again, or removes it. @param {DrainContext} context @param {Item} item */
async function refresh(context, item) {
  try {
    await context.replica.commit({ objects: [await readObject(context, item, item.objectId)] });
  } catch (error) {
    if (isGone(error)) await context.replica.commit({ removed: [[item.kind, item.objectId]] });
    else if (!isProblem(error)) throw error;
  }
}
