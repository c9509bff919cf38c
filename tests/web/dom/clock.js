// The clock of a page: it goes as that of the process does, can be put forward, and can stand still.

const FRAME = 16;

/** @typedef {{ due: number, every: number | null, run: () => void, timer: ReturnType<typeof setTimeout> | undefined }} Waiting */

/** Timers and the time since the page was opened. The date is that of the process, as the server has it. */
export function clockOf() {
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let ahead = 0;
  let last = 0;
  let isStopped = false;
  /** The time at which it stands still. @type {number | null} */
  let still = null;
  const now = () => still ?? performance.now() + ahead;

  /** @param {number} id @param {Waiting} one */
  const start = (id, one) => {
    clearTimeout(one.timer);
    if (still === null) one.timer = setTimeout(() => fire(id, one), one.due - now());
  };

  /** @param {number} time */
  const putTo = (time) => {
    if (still !== null) still = Math.max(still, time);
    else ahead += Math.max(0, time - now());
  };

  /** @param {number} id @param {Waiting} one */
  const fire = (id, one) => {
    clearTimeout(one.timer);
    if (one.every === null) waiting.delete(id);
    else {
      one.due += one.every;
      start(id, one);
    }
    one.run();
  };

  /** @param {() => void} run @param {number} after @param {boolean} repeats */
  const add = (run, after, repeats) => {
    if (isStopped) return 0;
    last += 1;
    const delay = Math.max(Number(after) || 0, repeats ? 1 : 0);
    /** @type {Waiting} */
    const one = { due: now() + delay, every: repeats ? delay : null, run, timer: undefined };
    waiting.set(last, one);
    start(last, one);
    return last;
  };

  /** @param {number} id */
  const clear = (id) => {
    const one = waiting.get(id);
    if (one) clearTimeout(one.timer);
    waiting.delete(id);
  };

  /** Lets time pass at once: what is due meanwhile happens, in its order and at its time. @param {number} milliseconds */
  const pass = async (milliseconds) => {
    const end = now() + milliseconds;
    for (;;) {
      const [next] = [...waiting].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due);
      if (!next) break;
      putTo(next[1].due);
      fire(...next);
      // What it has begun comes before what is due later.
      await new Promise((settle) => setTimeout(settle));
    }
    putTo(end);
    for (const [id, one] of waiting) start(id, one);
  };

  /** As if nothing could happen meanwhile: what repeats happens once. @param {number} milliseconds */
  const skip = (milliseconds) => {
    putTo(now() + milliseconds);
    for (const one of waiting.values()) if (one.every !== null) one.due = Math.max(one.due, now());
    return pass(0);
  };

  /** From now on time passes by `pass` and `skip` alone. */
  const standStill = () => {
    still = now();
    for (const { timer } of waiting.values()) clearTimeout(timer);
  };

  const goOn = () => {
    if (still === null) return;
    ahead = still - performance.now();
    still = null;
    for (const [id, one] of waiting) start(id, one);
  };

  const stop = () => {
    isStopped = true;
    for (const id of [...waiting.keys()]) clear(id);
  };

  return {
    pass,
    skip,
    standStill,
    goOn,
    stop,
    globals: {
      performance: { now },
      setTimeout: (/** @type {any} */ work, /** @type {number} */ after, /** @type {any[]} */ ...args) =>
        add(() => work(...args), after, false),
      setInterval: (/** @type {any} */ work, /** @type {number} */ after, /** @type {any[]} */ ...args) =>
        add(() => work(...args), after, true),
      clearTimeout: clear,
      clearInterval: clear,
      requestAnimationFrame: (/** @type {any} */ work) => add(() => work(now()), FRAME, false),
      cancelAnimationFrame: clear,
    },
  };
}
