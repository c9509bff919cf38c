// Long lists: page by page, to the end, also where they are loaded anew meanwhile.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** @param {number} number @param {string} status */
const order = (number, status) => ({
  id: `${status}-${number}`,
  workshopId: "w-anna",
  title: "Oak table",
  customerName: "",
  status,
  notes: "",
  statusHistory: [],
  lastActivityAt: "2026-11-22T08:00:00.000Z",
  createdAt: "2026-11-22T08:00:00.000Z",
});

/** @param {number} number */
const summary = (number) => ({
  estimateId: `e-${number}`,
  name: "Kitchen",
  lines: 1,
  currency: "EUR",
  total: 100,
  updatedAt: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  state: "draft",
});

/** A page of Anna's browser, signed in; the workshop has `count` estimates and as many orders of each status. @param {number} count */
async function open(count) {
  const server = service("anna");
  const account = /** @type {import("./pages.js").Account} */ (server.accounts.get("anna@example.org"));
  for (let number = 0; number < count; number += 1) {
    account.orders.push(order(number, "done"), order(number, "todo"));
    account.summaries.unshift(summary(number));
  }
  const own = browser(server);
  const app = await own.open();
  await app.signIn("anna@example.org", "right");
  await until(() => app.session.value.phase === "signed-in" && app.hasOrders.value && own.streams.size);
  return { server, account, own, app };
}

/** @param {any} app @param {string} status */
const count = (app, status) =>
  app.orders.value.filter((/** @type {any} */ { status: each }) => each === status).length;

/** The estimates that are listed. @param {any} app @returns {string[]} */
const listed = (app) => app.summaries.value.map((/** @type {any} */ { estimateId }) => estimateId);

/** Tells the page that something happened to an estimate. @param {any} own */
function happened(own) {
  const event = { type: "estimate.updated", objectId: "e-1", at: "2026-11-22T08:00:00.000Z" };
  for (const stream of own.streams) stream.send("change", JSON.stringify(event));
}

/** Holds the response to the next request that matches. @param {import("./pages.js").Service} server @param {(asked: import("./pages.js").Asked) => boolean} matches */
function held(server, matches) {
  const [asked, released] = [Promise.withResolvers(), Promise.withResolvers()];
  let isHeld = false;
  server.after = async (request) => {
    if (isHeld || !matches(request)) return;
    isHeld = true;
    asked.resolve(undefined);
    await released.promise;
  };
  return { asked: asked.promise, release: () => released.resolve(undefined) };
}

/** @param {import("./pages.js").Asked} asked */
const isFirstPage = ({ path, query }) => path.endsWith("/estimate-summaries") && !query.get("cursor");

test("finished orders are reached to the last one, and every open one is there from the start", async () => {
  const { app } = await open(620);
  equal([count(app, "todo"), count(app, "done")], [620, 50]);
  let pages = 0;
  while (pages < 20 && app.hasOlder.value) {
    await app.loadDone();
    pages += 1;
  }
  equal([count(app, "todo"), count(app, "done"), pages], [620, 620, 12]);
});

test("finished orders are reached to the last one after the lists were loaded anew", async () => {
  const { account, app } = await open(120);
  while (app.hasOlder.value) await app.loadDone();
  account.isReset = true;
  await app.refresh();
  equal(count(app, "done"), 50);
  await until(() => app.hasOlder.value);
  while (app.hasOlder.value) await app.loadDone();
  equal(count(app, "done"), 120);
});

test("where the older orders of another workshop start is not taken for those of the one that is shown", async () => {
  const { server, account, app } = await open(120);
  for (const own of [...account.workshops]) {
    account.workshops.push({ ...own, id: "w-other", isDefault: false });
  }
  await app.loadWorkshops();
  const { asked, release } = held(
    server,
    ({ path, query }) => path.endsWith("/orders") && !!query.get("cursor"),
  );
  const loaded = app.loadDone();
  await asked;
  app.choose("w-other");
  release();
  await loaded;
  equal(app.hasOlder.value, false);
});

test("an order that was changed while its page was loaded stays as it was changed", async () => {
  const { server, app } = await open(60);
  const page = held(server, ({ path, query }) => path.endsWith("/orders") && query.get("cursor") !== null);
  const loading = app.loadDone();
  await page.asked;
  await app.replica.commit({
    objects: [{
      kind: "order",
      id: "done-55",
      workshopId: "w-anna",
      value: { ...order(55, "done"), title: "Ash table" },
      etag: null,
    }],
  });
  page.release();
  await loading;
  equal(app.order("done-55").value.title, "Ash table");
});

test("estimates of further pages stay, when something happens to one of them", async () => {
  const { account, own, app } = await open(55);
  await app.loadSummaries();
  equal([listed(app).length, app.hasMore.value], [50, true]);
  await app.loadMore();
  account.changed.push({ ...summary(3), updatedAt: summary(90).updatedAt });
  happened(own);
  await until(() => listed(app)[0] === "e-3");
  const others = account.summaries.map(({ estimateId }) => estimateId).filter((id) => id !== "e-3");
  equal([listed(app), app.hasMore.value], [["e-3", ...others], false]);
});

test("no estimate is left out between two pages, where others came between them", async () => {
  const { server, account, own, app } = await open(75);
  await app.loadSummaries();
  const page = held(server, (asked) => asked.query.get("cursor") !== null);
  const loading = app.loadMore();
  await page.asked;
  account.summaries.unshift(summary(75), summary(76));
  account.changed.push(summary(75), summary(76));
  happened(own);
  await until(() => listed(app)[0] === "e-76");
  page.release();
  await loading;
  equal([listed(app).length, app.hasMore.value], [77, false]);
});

test("an estimate beyond the pages is not shown between them, until it is one of the latest", async () => {
  const { account, own, app } = await open(75);
  await app.loadSummaries();
  account.changed.push({ ...summary(3), name: "Table" });
  happened(own);
  await until(() => app.replica.views.estimateSummary.peek().has("e-3"));
  equal([listed(app).length, listed(app).includes("e-3")], [50, false]);
  account.changed.push({ ...summary(3), updatedAt: summary(90).updatedAt });
  happened(own);
  await until(() => listed(app)[0] === "e-3");
});

test("more estimates than one request brings stay, when something happens, and after a reload of the lists", async () => {
  const { account, own, app } = await open(620);
  await app.loadSummaries();
  while (app.hasMore.value) await app.loadMore(500);
  account.summaries.unshift(summary(620));
  account.changed.push(summary(620));
  happened(own);
  await until(() => listed(app)[0] === "e-620");
  equal(listed(app).length, 621);
  account.isReset = true;
  await app.refresh();
  // As many as one request brings, at most.
  await until(() => listed(app).length === 500 && app.hasMore.value);
  await app.loadMore();
  equal(listed(app).length, 550);
});

test("a list that a later one has overtaken changes nothing", async () => {
  const { server, account, app } = await open(10);
  const first = held(server, isFirstPage);
  const loading = app.loadSummaries({ q: "kitchen" });
  await first.asked;
  account.summaries.unshift(summary(10));
  await app.loadSummaries({ q: "kitchen" });
  first.release();
  await loading;
  equal(listed(app).length, 11);
});

test("the list of a filter has no further pages of another one", async () => {
  const { server, app } = await open(75);
  await app.loadSummaries();
  const filtered = held(server, ({ query }) => query.get("q") === "oak");
  const loading = app.loadSummaries({ q: "oak" });
  await filtered.asked;
  equal(app.hasMore.value, false);
  await app.loadMore();
  equal(listed(app).length, 50);
  filtered.release();
  await loading;
  equal(app.hasMore.value, true);
});
