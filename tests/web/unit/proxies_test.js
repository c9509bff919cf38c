// What a proxy says is not what the service says: it wipes nothing, refuses nothing and starts no loop.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** A page with one order that the service has. */
async function working() {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await app.signIn("anna@example.org", "right");
  await until(() => app.hasOrders.value);
  const id = await app.settle(app.createOrder("Oak table"));
  return { server, own, app, id };
}

for (const status of [200, 401, 403, 404, 502]) {
  test(`an answer ${status} of a proxy is no answer`, async () => {
    const { server, app, id } = await working();
    server.proxy = { status, body: "<h1>a page</h1>" };
    app.editOrder(id, { notes: "oak" });
    await app.refresh();
    await app.wake();
    equal(app.session.value.phase, "signed-in");
    equal([app.orders.value[0].notes, app.items.value[0].problem], ["oak", null]);
    equal(app.statuses.value[0], { name: "serverAway", count: 1 });
    server.proxy = null;
    await until(() => {
      void app.tryAgain();
      return app.items.value.length === 0;
    });
    equal([server.orders("anna")[0].notes, app.orders.value.length], ["oak", 1]);
  });
}

test("changes that the service fails to take are said, although it answers", async () => {
  const { server, app, id } = await working();
  equal(app.statuses.value, []);
  server.proxy = { status: 500, headers: { "X-Request-Id": "1" } };
  app.editOrder(id, { notes: "oak" });
  await app.wake();
  equal([app.statuses.value, app.items.value[0].problem], [[{ name: "waiting", count: 1 }], null]);
  server.proxy = null;
  app.tryAgain();
  await until(() => app.items.value.length === 0);
  equal(app.statuses.value, []);
});

test("a page that starts behind a proxy without the service goes on when it is back", async () => {
  const server = service("anna");
  const own = browser(server);
  server.signIn(own, "anna");
  server.proxy = { status: 404 };
  const app = await own.open();
  server.proxy = null;
  await own.hurry(until(() => app.session.value.phase === "signed-in"));
  equal(app.workshop.value.id, "w-anna");
});

test("tags that a proxy made weak are sent as the service made them", async () => {
  const { server, own, app, id } = await working();
  server.isWeak = true;
  for (const notes of ["oak", "ash"]) {
    app.editOrder(id, { notes });
    await app.settle(id);
  }
  equal([own.tags.length, own.tags.filter((tag) => tag.startsWith("W/"))], [2, []]);
});

test("a command without an answer keeps its key, and loses it with one", async () => {
  const { app } = await working();
  /** @type {string[]} */
  const keys = [];
  const { Problem } = app;
  const run = (/** @type {any} */ outcome) =>
    app.command(["copy", "e1"], (/** @type {string} */ key) => {
      keys.push(key);
      return outcome ? Promise.reject(outcome) : Promise.resolve();
    }).catch(() => {});
  for (
    const outcome of [
      new Problem(0, "offline"),
      new Problem(503, "503"),
      null,
      new Problem(409, "conflict"),
      null,
    ]
  ) {
    await run(outcome);
  }
  // The first three are one intent: no answer, an answer that leaves it open, and success.
  equal(keys.map((key) => keys.indexOf(key)), [0, 0, 0, 3, 4]);
});
