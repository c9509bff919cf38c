// The event stream: a connection that went away without a word is noticed by the heartbeats that do not come.

import { openStream } from "../../../src/backbench/web/app/api/stream.js";
import { same } from "./expect.js";

class Source extends EventTarget {
  /** @type {Source[]} */
  static opened = [];
  isClosed = false;

  constructor() {
    super();
    Source.opened.push(this);
  }

  close() {
    this.isClosed = true;
  }
}

/** Time that passes when it is told to. */
function clock() {
  let now = 0;
  /** @type {{at: number, work: () => void}[]} */
  let timers = [];
  return {
    setTimeout: (/** @type {() => void} */ work, /** @type {number} */ after) => {
      const timer = { at: now + after, work };
      timers.push(timer);
      return timer;
    },
    clearTimeout: (/** @type {unknown} */ timer) => (timers = timers.filter((one) => one !== timer)),
    pass: async (/** @type {number} */ time) => {
      now += time;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { work } of due) work();
      await Promise.resolve();
    },
  };
}

Deno.test("a stream without heartbeats is opened again after a minute, one with them stays", async () => {
  const { setTimeout, clearTimeout, EventSource } = globalThis;
  const time = clock();
  Object.assign(globalThis, {
    EventSource: Source,
    setTimeout: time.setTimeout,
    clearTimeout: time.clearTimeout,
  });
  let refreshed = 0;
  const close = openStream("w1", {
    since: () => Promise.resolve(undefined),
    opened: () => {},
    changed: () => {},
    refresh: () => (refreshed += 1),
  });
  await time.pass(0);
  const [first] = Source.opened;
  for (const _ of [1, 2, 3]) {
    await time.pass(40_000);
    first?.dispatchEvent(new MessageEvent("heartbeat", { data: "{}" }));
  }
  same([Source.opened.length, first?.isClosed, refreshed], [1, false, 0]);
  await time.pass(60_000);
  same([first?.isClosed, refreshed], [true, 1]);
  await time.pass(2_000);
  same(Source.opened.length, 2);
  close();
  await time.pass(600_000);
  same([Source.opened.length, refreshed], [2, 1]);
  Object.assign(globalThis, { setTimeout, clearTimeout, EventSource });
});
