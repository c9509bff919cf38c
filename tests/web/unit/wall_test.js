// The wall display: whatever answers instead of the service, the display goes on and says that it is late.

import { startWall, wall } from "../../../src/backbench/web/app/state/wall.js";
import { same } from "./expect.js";
import { until } from "./pages.js";

const ANSWERS = {
  "a page of a proxy": () =>
    Promise.resolve(new Response("<h1>here</h1>", { headers: { "X-Request-Id": "1" } })),
  "a success of a proxy": () => Promise.resolve(new Response("{}")),
  "no network": () => Promise.reject(new TypeError("failed to fetch")),
  "no answer in time": (/** @type {string} */ _url, /** @type {RequestInit} */ { signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
};

/** What the service says of each path. @param {string} url */
function served(url) {
  const found = url.endsWith("/key")
    ? { workshops: [{ id: "w1", name: "Harrow" }] }
    : { summaries: [], orders: [] };
  return Promise.resolve(new Response(JSON.stringify(found), { headers: { "X-Request-Id": "1" } }));
}

for (const [name, answer] of Object.entries(ANSWERS)) {
  Deno.test(`the wall display is late, and goes on, after ${name}`, async () => {
    const { fetch, setTimeout } = globalThis;
    const { timeout } = AbortSignal;
    // Time passes a thousand times as fast.
    const soon = (/** @type {any} */ work, /** @type {number} */ after) => setTimeout(work, after / 1000);
    AbortSignal.timeout = (after) => {
      const late = new AbortController();
      soon(() => late.abort(new DOMException("timed out", "TimeoutError")), after);
      return late.signal;
    };
    Object.assign(globalThis, { fetch: answer, setTimeout: soon });
    const stop = startWall("bbk_1");
    await until(() => wall.value?.isLate);
    Object.assign(globalThis, { fetch: served });
    await until(() => wall.value?.name === "Harrow" && !wall.value.isLate);
    stop?.();
    Object.assign(globalThis, { fetch, setTimeout });
    AbortSignal.timeout = timeout;
    same(wall.value, null);
  });
}
