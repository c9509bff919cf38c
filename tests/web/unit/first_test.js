// The first cards: what a start shows before the lists are there, or what is stored was read.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** @param {string} id @param {Api.Order["status"]} [status] */
const order = (id, status = "todo") => ({
  id,
  workshopId: "w-anna",
  title: `Table ${id}`,
  customerName: "",
  status,
  notes: "",
  statusHistory: [],
  lastActivityAt: "2026-11-22T08:00:00.000Z",
  createdAt: "2026-11-22T08:00:00.000Z",
});

/** Anna's browser and her account with two orders, of which the server's first response has the cards. */
function ready() {
  const server = service("anna");
  const account = /** @type {import("./pages.js").Account} */ (server.accounts.get("anna@example.org"));
  account.orders.push(order("oak"), order("ash"));
  for (const { id: orderId, title, customerName, status, lastActivityAt } of account.orders) {
    account.orderSummaries.push({
      orderId,
      title,
      customerName,
      status,
      lastActivityAt,
      number: 1,
      photos: 0,
    });
  }
  return { server, account, own: browser(server) };
}

/** @param {any} app @returns {string[]} */
const cards = (app) => app.shownOf("todo", "").map((/** @type {any} */ one) => one.order.id);

test("the first cards are there before the lists, and what is pressed on one is done once its order is", async () => {
  const { server, account, own } = ready();
  const [asked, released] = [Promise.withResolvers(), Promise.withResolvers()];
  server.before = async ({ path, method }) => {
    if (method !== "GET" || !path.endsWith("/orders")) return;
    asked.resolve(undefined);
    await released.promise;
  };
  server.signIn(own, "anna");
  const app = await own.open();
  await asked.promise;
  equal([app.hasOrders.value, cards(app), app.countOf("todo", "")], [false, ["oak", "ash"], "\u00a0"]);
  app.whenThere({ id: "oak", status: "todo" }, () => app.moveOrder("oak", "in_progress"));
  app.whenThere({ id: "ash", status: "todo" }, () => app.moveOrder("ash", "in_progress"));
  // Somebody else was first.
  account.orders[1].status = "done";
  released.resolve(undefined);
  await until(() => app.hasOrders.value);
  equal(app.countOf("todo", ""), 0);
  await until(() => server.asked.some(({ path }) => path === "/orders/oak/status"));
  equal(server.asked.filter(({ path }) => path === "/orders/ash/status"), []);
});

test("the next start shows the board as it was before anything that is stored was read, to the same account", async () => {
  const { server, own } = ready();
  server.signIn(own, "anna");
  const app = await own.open();
  await until(() => app.hasOrders.value);
  app.startRest();
  // Once the board has its own.
  await until(() => own.storage.get("backbench-first")?.includes('"todo":2'));
  own.idb.faults.reads.length = 0;
  const again = await own.open(undefined, undefined, true);
  const row = again.first.value;
  equal([own.idb.faults.reads, row.cards.length, row.counts.todo], [[], 2, 2]);
  equal(again.session.value.me.email, "anna@example.org");
  again.rendered();
  await until(() => again.hasOrders.value);
  equal(cards(again), ["oak", "ash"]);
  await again.signOut();
  equal([...own.storage.keys()].filter((name) => name === "backbench-first"), []);
  again.startRest();
  await new Promise((settle) => setTimeout(settle, 1_100));
  equal(own.storage.has("backbench-first"), false, "a page that is left keeps nothing");
});
