// The clock of a page: it goes as that of the process does, and can be put forward.

const FRAME = 16;

/** @typedef {{ due: number, every: number | null, run: () => void, timer: ReturnType<typeof setTimeout> | undefined }} Waiting */

/** Timers and the time since the page was opened. The date is that of the process, as the server has it. */
export function clockOf() {
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let ahead = 0;
  let last = 0;
  let isStopped = false;
  const now = () => performance.now() + ahead;

  /** @param {number} id @param {Waiting} one */
  const start = (id, one) => {
    one.timer = setTimeout(() => fire(id, one), one.due - now());
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
      ahead += Math.max(0, next[1].due - now());
      fire(...next);
      // What it has begun comes before what is due later.
      await new Promise((settle) => setTimeout(settle));
    }
    ahead += Math.max(0, end - now());
    for (const [id, one] of waiting) {
      clearTimeout(one.timer);
      start(id, one);
    }
  };

  const stop = () => {
    isStopped = true;
    for (const id of [...waiting.keys()]) clear(id);
  };

  return {
    pass,
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
