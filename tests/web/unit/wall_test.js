// The wall display: whatever answers instead of the service, the display goes on and says that it is late.

import { startWall, wall } from "../../../src/backbench/web/app/state/wall.js";
import { same } from "./expect.js";
import { until } from "./pages.js";

const ANSWERS = {
  "a page of a proxy": () =>
    Promise.resolve(new Response("<h1>here</h1>", { headers: { "X-Request-Id": "1" } })),
  "a success of a proxy": () => Promise.resolve(new Response("{}")),
  "no network": () => Promise.reject(new TypeError("failed to fetch")),
  "no answer in time": () => Promise.reject(new DOMException("timed out", "TimeoutError")),
};

for (const [name, answer] of Object.entries(ANSWERS)) {
  Deno.test(`the wall display is late, and goes on, after ${name}`, async () => {
    const { fetch } = globalThis;
    globalThis.fetch = answer;
    const stop = startWall("bbk_1");
    await until(() => wall.value?.isLate);
    stop?.();
    globalThis.fetch = fetch;
    same(wall.value, null);
  });
}
