// Undo: an offer holds for as long as it is shown, also while something else is made of the object; what cannot be taken
// back any more is not offered.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** A signed-in page, and what the service responds. */
async function working() {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await app.signIn("anna@example.org", "right");
  await until(() => app.hasOrders.value);
  const responds = (/** @type {any} */ body) =>
    void (server.proxy = { status: 200, body, headers: { "X-Request-Id": "1" } });
  return { app, own, server, responds };
}

/** @param {string} id */
const line = (id) => ({ id, label: id, unit: "piece", unitPrice: 10, quantity: 1 });
const ESTIMATE = {
  id: "e1",
  workshopId: "w-anna",
  name: "Kitchen",
  markupPercent: 0,
  discountPercent: 0,
  createdAt: "",
  updatedAt: "",
  lineItems: ["oak", "ash", "elm"].map(line),
};

/** @param {any} app @param {any} value @param {string} kind */
const known = (app, kind, value) =>
  app.replica.commit({ objects: [{ kind, id: value.id, workshopId: "w-anna", value, etag: '"1"' }] });

/** @param {import("./pages.js").Service} server */
const changes = ({ asked }) =>
  asked.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

test("a photo can be taken back although something else is done with its order", async () => {
  const { app, server } = await working();
  const id = await app.settle(app.createOrder("Oak table"));
  await known(app, "orderPhotos", { id, photos: [{ id: "p1" }] });
  const key = app.enqueue("orderPhotos.delete", id, "w-anna", { photoId: "p1" });
  app.editOrder(id, { notes: "oak" });
  const before = changes(server).length;
  equal(await app.settle(id), id);
  equal(changes(server).slice(before), [`PATCH /orders/${id}`]);
  app.drop(key);
  equal(app.replica.views.orderPhotos.value.get(id).photos, [{ id: "p1" }]);
});

test("a deleted line goes before something is made of the estimate, and still comes back to its place", async () => {
  const { app, server, responds } = await working();
  await known(app, "estimate", ESTIMATE);
  const lines = () => app.estimate("e1").value.lineItems.map((/** @type {any} */ { id }) => id);
  const undo = app.deleteLine("e1", "ash");
  const [oak, ash, elm] = ESTIMATE.lineItems;
  responds({ ...ESTIMATE, lineItems: [oak, elm] });
  await app.settle("e1");
  equal(changes(server).slice(-1), ["DELETE /estimates/e1/line-items/ash"]);
  equal(lines(), ["oak", "elm"]);
  server.proxy = { status: 502 };
  undo();
  equal(lines(), ["oak", "ash", "elm"]);
  const sent = app.items.value.map((/** @type {any} */ { op, args }) => [op, args.line ?? args.index]);
  equal(sent, [["estimate.addLine", ash], ["estimate.moveLine", 1]]);
});

test("a line that is taken back in time is not deleted at all", async () => {
  const { app, server } = await working();
  await known(app, "estimate", ESTIMATE);
  const before = changes(server).length;
  app.deleteLine("e1", "ash")();
  await app.settle("e1");
  equal([app.items.value, changes(server).length], [[], before]);
});

/** An order that the server has, with a payment that was recorded just now. @param {boolean} [isFull] nothing is stored */
async function paid(isFull = false) {
  const { app, own, server } = await working();
  const id = await app.settle(app.createOrder("Oak table"));
  await known(app, "orderPayments", { id, payments: [] });
  own.idb.faults.isFull = isFull;
  const key = app.recordPayment(id, { kind: "payment", amount: 50, method: "cash" });
  app.offerDrop("Paid", key);
  return { app, server, id, key };
}

test("a payment can be taken back until it is sent", async () => {
  const { app, server, id } = await paid();
  equal(app.undoOffer.value.text, "Paid");
  await app.takeUndo();
  await app.settle(id);
  equal([app.paymentsOf(id), app.undoOffer.value], [[], null]);
  equal(changes(server).filter((change) => change.includes("payments")), []);
});

test("a payment that is not stored yet can be taken back after what is stored was read", async () => {
  const { app } = await paid(true);
  await app.replica.reload();
  equal(app.undoOffer.value?.text, "Paid");
});

test("a payment that was sent because the page was left is not offered to be taken back", async () => {
  const { app, server, id } = await paid();
  await app.flush();
  equal(changes(server).at(-1), `POST /orders/${id}/payments`);
  equal(app.undoOffer.value, null);
});

test("a payment that is sent with what is made of its order is not offered to be taken back", async () => {
  const { app, id } = await paid();
  await app.settle(id);
  equal(app.undoOffer.value, null);
});

test("a change waits for as long as its offer has the focus", async () => {
  const { app, key } = await paid();
  const wait = () => app.replica.item(key).notBefore - app.replica.elapsed();
  app.holdUndo();
  equal(wait() > 60_000, true);
  app.releaseUndo();
  equal(wait() <= 6_000, true);
  await app.takeUndo();
  equal(app.items.value, []);
});

test("what could not be taken back is said, and offered again", async () => {
  const { app } = await working();
  let attempts = 0;
  app.offerUndo("Merged", () => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new app.Problem(0, "offline")) : Promise.resolve();
  });
  await app.takeUndo();
  equal([app.undoOffer.value.text, app.undoOffer.value.problem.code], ["Merged", "offline"]);
  await app.takeUndo();
  equal([app.undoOffer.value, attempts], [null, 2]);
});

test("what waits for the end of its offer is done once, when the next one comes", async () => {
  const { app } = await working();
  const done = /** @type {string[]} */ ([]);
  app.offerUndo("The link", () => done.push("taken back"), { otherwise: () => done.push("withdrawn") });
  app.offerUndo("Moved", () => done.push("moved back"));
  await app.takeUndo();
  equal(done, ["withdrawn", "moved back"]);
});

test("an estimate that is not on this device can be deleted without a connection", async () => {
  const { app, server } = await working();
  server.proxy = { status: 502 };
  app.offerDrop("Deleted", app.deleteEstimate("e-listed"));
  equal(app.items.value.map((/** @type {any} */ { op, objectId }) => [op, objectId]), [[
    "estimate.delete",
    "e-listed",
  ]]);
  await app.takeUndo();
  equal(app.items.value, []);
});
