// Requests that are sent before the app asks: for one session, once, and never worse than to ask later.

import { early, readEarly } from "../../../src/backbench/web/app/api/early.js";
import { same } from "./expect.js";

/** @param {string} token @param {() => Promise<Response>} answer @param {() => Promise<void>} test */
async function withServer(token, answer, test) {
  const { fetch: was } = globalThis;
  Object.assign(globalThis, { document: { cookie: `csrf-token=${token}` }, fetch: answer });
  try {
    await test();
  } finally {
    Object.assign(globalThis, { document: undefined, fetch: was });
  }
}

Deno.test("a response that was asked for early is taken once", async () => {
  await withServer("one", () => Promise.resolve(Response.json({ id: 1 })), async () => {
    same(await readEarly("/api/me"), { id: 1 });
    same(early("POST", "/api/me"), undefined);
    same(await (await early("GET", "/api/me"))?.json(), { id: 1 });
    same(early("GET", "/api/me"), undefined);
  });
});

Deno.test("a response to another session is not taken, now or later", async () => {
  await withServer("one", () => Promise.resolve(Response.json({ id: 1 })), async () => {
    await readEarly("/api/me");
    Object.assign(globalThis, { document: { cookie: "csrf-token=two" } });
    same(early("GET", "/api/me"), undefined);
    Object.assign(globalThis, { document: { cookie: "csrf-token=one" } });
    same(early("GET", "/api/me"), undefined);
  });
});

Deno.test("what fails early is told to whoever asks", async () => {
  await withServer("one", () => Promise.reject(new TypeError("offline")), async () => {
    same(await readEarly("/api/me"), null);
    const told = await early("GET", "/api/me")?.catch((error) => error.message);
    same(told, "offline");
  });
  await withServer("one", () => Promise.resolve(new Response("<html>")), async () => {
    same(await readEarly("/api/me"), null);
    same(await (await early("GET", "/api/me"))?.text(), "<html>");
  });
});

Deno.test("what is asked for early after a response is there for whoever takes that response", async () => {
  await withServer("one", () => Promise.resolve(Response.json({ id: 1 })), async () => {
    const both = readEarly("/api/workshops").then(() => readEarly("/api/orders"));
    await early("GET", "/api/workshops");
    same(early("GET", "/api/orders") !== undefined, true);
    await both;
  });
});
