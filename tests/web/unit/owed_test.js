// What is owed: a collected order that is paid as one decision, the amounts with what waits to be sent, and the facts of
// collected orders after a reload.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";
import { owedBy } from "../../../src/backbench/web/app/domain/inbox.js";
import { methodsOf } from "../../../src/backbench/web/app/domain/balance.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** A signed-in page with an order that is ready, of which €55 are due. */
async function ready() {
  const server = service("anna");
  const at = browser(server);
  const app = await at.open();
  await app.signIn("anna@example.org", "right");
  await until(() => app.hasOrders.value);
  const id = await app.settle(app.createOrder("Oak table"));
  await known(app, "orderSummary", id, { photos: 0, due: { amount: 55, currency: "EUR" } });
  await known(app, "orderPayments", id, { payments: [] });
  await known(app, "orderDetails", id, { orderId: id, number: 1, stage: "ready" });
  return { app, server, at, id };
}

/** @param {any} app @param {string} kind @param {string} id @param {any} value */
const known = (app, kind, id, value) =>
  app.replica.commit({ objects: [{ kind, id, workshopId: "w-anna", value, etag: null }] });

/** @param {import("./pages.js").Service} server */
const changes = ({ asked }) =>
  asked.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

/** @param {any} app @param {string} id */
const collectedAt = (app, id) => app.replica.views.orderDetails.value.get(id).collectedAt;

test("a payment and the collection are shown at once and sent in this order", async () => {
  const { app, server, id } = await ready();
  const before = changes(server).length;
  app.collectPaid(id, 55, "card");
  equal([!!collectedAt(app, id), app.paymentsOf(id)[0].method], [true, "card"]);
  await until(() => Number(app.openAmount(id).amount) === 0);
  // Both wait for as long as they can be taken back.
  await app.wake();
  equal(changes(server).slice(before), []);
  await app.flush();
  equal(changes(server).slice(before), [`POST /orders/${id}/payments`, `POST /orders/${id}/collected`]);
  const sent = server.asked.find(({ path }) => path === `/orders/${id}/payments`);
  equal([sent?.body.kind, sent?.body.amount, sent?.body.method], ["payment", 55, "card"]);
});

test("they are taken back as one, as if nothing was done", async () => {
  const { app, server, id } = await ready();
  const before = changes(server).length;
  const key = app.collectPaid(id, 55, "cash");
  app.offerUndo("Recorded", () => {
    app.drop(key);
    app.uncollect(id);
  }, { key });
  await app.takeUndo();
  equal([collectedAt(app, id), app.paymentsOf(id), app.items.value], [undefined, [], []]);
  await app.flush();
  equal(changes(server).length, before);
});

test("a price that waits to be sent is due, less what was paid", async () => {
  const { app, server, id } = await ready();
  server.proxy = { status: 502 };
  app.agreePrice(id, 80);
  app.recordPayment(id, { kind: "payment", amount: 30, method: "cash" });
  await until(() => Number(app.openAmount(id).amount) === 50);
  app.agreePrice(id, null);
  await until(() => app.openAmount(id) === undefined);
});

test("what was paid here goes from the inbox before the server has it", async () => {
  const { app, id } = await ready();
  const item = { kind: "owed", at: "2026-11-20T09:00:00.000Z", read: true, title: "Oak table", orderId: id };
  const value = { ...item, id: `owed.${id}.55000`, text: "55.00 EUR", workshopId: "w-anna" };
  await known(app, "inbox", value.id, value);
  equal(app.inbox.value.map(app.dueLeft), [{ amount: "55.00", currency: "EUR" }]);
  app.recordPayment(id, { kind: "payment", amount: 20, method: "cash" });
  await until(() => Number(app.dueLeft(app.inbox.value[0]).amount) === 35);
  app.recordPayment(id, { kind: "payment", amount: 35, method: "cash" });
  await until(() => app.inbox.value.length === 0);
});

test("collected orders have their facts where the lists were loaded anew", async () => {
  const { app, server, at, id } = await ready();
  app.moveOrder(id, "done");
  await app.settle(id);
  const facts = {
    orderId: id,
    number: 1,
    stage: "collected",
    collectedAt: "2026-11-20T09:00:00.000Z",
    title: "Oak table",
    customerName: "",
    status: "done",
    lastActivityAt: "2026-11-20T09:00:00.000Z",
    photos: 1,
    coverPhotoId: "p1",
    due: { amount: 55, currency: "EUR" },
  };
  const account = /** @type {import("./pages.js").Account} */ (server.accounts.get("anna@example.org"));
  account.orderSummaries.push(facts);
  account.isReset = true;
  const again = await at.open();
  const ticket = () => again.tickets.value.find((/** @type {any} */ { order }) => order.id === id);
  await until(() => ticket()?.facts?.coverPhotoId === "p1");
  equal([ticket().isCollected, ticket().facts.due.amount], [true, 55]);
});

Deno.test("what is owed is read from the text of its item", () => {
  equal(owedBy({ kind: "owed", text: "1055.00 PLN" }), { amount: "1055.00", currency: "PLN" });
  equal(owedBy({ kind: "question", text: "When?" }), null);
});

Deno.test("BLIK is offered for złoty alone", () => {
  equal(["PLN", "EUR"].map((currency) => methodsOf(currency).includes("blik")), [true, false]);
});
