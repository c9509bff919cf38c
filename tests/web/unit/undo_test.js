// Undo of deletions: while something else is made of the object, and after the server has the deletion.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** A signed-in page, and what the service responds. */
async function working() {
  const server = service("anna");
  const app = await browser(server).open();
  await app.signIn("anna@example.org", "right");
  await until(() => app.hasOrders.value);
  const responds = (/** @type {any} */ body) =>
    void (server.proxy = { status: 200, body, headers: { "X-Request-Id": "1" } });
  return { app, server, responds };
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
