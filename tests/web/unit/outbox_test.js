// The outbox: what was done without a connection arrives once and in order, whatever answers were lost.

import { hasten } from "../../../src/backbench/web/app/state/sync/queue.js";
import { Problem } from "../../../src/backbench/web/app/api/problems.js";
import { mutation } from "../../../src/backbench/web/app/state/sync/mutations.js";
import { forget } from "../../../src/backbench/web/app/state/sync/lists.js";
import { effect } from "../../../src/backbench/web/app/vendor/signals-core.js";
import { memoryLocal } from "../../../src/backbench/web/app/local/memory.js";
import { device, equal, world } from "./devices.js";

/** @param {any} order */
const statuses = (order) => order.statusHistory.map((/** @type {any} */ change) => change.status);
/** @param {Record<string, any>} [more] */
const line = (more = {}) => ({ id: "l1", label: "Oak", unit: "piece", unitPrice: 10, quantity: 1, ...more });

/** A device with one order that the server has. @param {ReturnType<typeof world>} at */
async function withOrder(at) {
  const phone = await device(at);
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "Table", customerName: "" });
  await phone.sendAll();
  return { phone, id: phone.replica.presentId(id) };
}

/** @param {ReturnType<typeof world>} at @param {any[]} [lineItems] */
async function withEstimate(at, lineItems = [line()]) {
  const phone = await device(at);
  const id = phone.newId("estimate");
  phone.do("estimate.create", id, { name: "Kitchen", lineItems });
  await phone.sendAll();
  return { phone, id: phone.replica.presentId(id) };
}

Deno.test("what was done without a connection arrives in order", async () => {
  const at = world();
  const phone = await device(at, { fate: () => "lost" });
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "Table", customerName: "" });
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  phone.do("order.move", id, { status: "in_progress" }, { status: "todo" });
  await phone.sendAll();
  equal(phone.see("order", id).notes, "oak");
  equal(at.server.all("order"), []);
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  const [order] = at.server.all("order");
  equal([order.notes, statuses(order)], ["oak", ["todo", "in_progress"]]);
  equal(phone.waiting(), []);
});

Deno.test("a lost answer makes no second order", async () => {
  const at = world();
  const phone = await device(at, {
    fate: (request) => (request.startsWith("POST") ? "unanswered" : "arrives"),
  });
  phone.do("order.create", phone.newId("order"), { title: "Table", customerName: "" });
  await phone.sendAll();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(at.server.all("order").length, 1);
  equal(phone.seeAll("order").map(({ id }) => id), ["order-1"]);
});

Deno.test("a move whose answer was lost makes no second entry in the history", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.network.fate = (request) => (request.startsWith("PATCH") ? "unanswered" : "arrives");
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await phone.sendAll();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(statuses(at.server.value(id)), ["todo", "done"]);
  equal(phone.see("order", id), at.server.value(id));
});

/** A phone whose edit of an order arrived, and the response did not. */
async function withUnansweredEdit() {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.network.fate = (request) => (request.startsWith("PATCH") ? "unanswered" : "arrives");
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  await phone.sendAll();
  return { at, phone, id };
}

Deno.test("an edit whose answer was lost does not undo what somebody else did then", async () => {
  const { at, phone, id } = await withUnansweredEdit();
  await at.server.send("PATCH", `/orders/${id}`, { body: { notes: "ash" } });
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(at.server.value(id).notes, "ash");
  const [item] = phone.waiting();
  equal(item && phone.conflictsIn(item), [{ field: "notes", mine: "oak", theirs: "ash" }]);
});

Deno.test("an edit whose answer was lost is looked for before it is sent again", async () => {
  const { at, phone } = await withUnansweredEdit();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(phone.waiting(), []);
  equal(at.server.requests.filter((request) => request.startsWith("PATCH")).length, 1);
});

Deno.test("a local id is replaced in all that waits", async () => {
  const at = world();
  const phone = await device(at);
  const id = phone.newId("estimate");
  phone.do("estimate.create", id, { name: "Kitchen", lineItems: [] });
  phone.network.fate = (request) => {
    if (request.startsWith("POST /workshops")) phone.do("estimate.addLine", id, { line: line() });
    return "arrives";
  };
  await phone.sendAll();
  equal(at.server.value("estimate-1").lineItems.length, 1);
  equal(phone.replica.presentId(id), "estimate-1");
  equal(phone.see("estimate", id).id, "estimate-1");
});

Deno.test("a local id is known after a restart", async () => {
  const at = world();
  const phone = await device(at);
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "Table", customerName: "" });
  await phone.sendAll();
  const again = await device(at, { local: phone.local });
  equal(again.see("order", id).id, "order-1");
});

Deno.test("taps on a quantity become one request", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at);
  const before = at.server.requests.length;
  for (const quantity of [2, 3, 4]) {
    phone.do("estimate.editLine", id, { lineId: "l1", fields: { quantity } }, { quantity: quantity - 1 });
  }
  await phone.drain.run();
  equal(at.server.requests.length, before, "before two seconds have passed");
  at.time.now += 2_000;
  await phone.drain.run();
  equal(at.server.requests.slice(before), [`PATCH /estimates/${id}/line-items/l1`]);
  equal(at.server.value(id).lineItems[0].quantity, 4);
});

Deno.test("taps that go on are sent after the last one, six seconds after the first at the latest", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at);
  const first = at.time.now;
  const times = [2, 3, 4, 5].map((quantity) => {
    phone.do("estimate.editLine", id, { lineId: "l1", fields: { quantity } }, { quantity: quantity - 1 });
    at.time.now += 1_500;
    return (phone.waiting()[0]?.notBefore ?? 0) - first;
  });
  equal(times, [2_000, 3_500, 5_000, 6_000]);
});

Deno.test("what has not changed is not drawn again: it stays the same object, whatever the server answers", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at, [line(), line({ id: "l2" }), line({ id: "l3" })]);
  const lines = () => phone.see("estimate", id).lineItems;
  const [, second, third] = lines();
  phone.do("estimate.editLine", id, { lineId: "l1", fields: { quantity: 2 } }, { quantity: 1 });
  equal([lines()[0].quantity, lines()[1] === second], [2, true]);
  const [orders, shown] = [phone.replica.views.order.value, phone.see("estimate", id)];
  const [item] = phone.waiting();
  if (item) await phone.replica.commit({ items: [{ ...item, isSent: true, notBefore: 0 }] });
  equal([phone.see("estimate", id) === shown, phone.replica.views.order.value === orders], [true, true]);
  await phone.sendAll();
  equal([lines()[0].quantity, lines()[1] === second], [2, true]);
  const answered = phone.see("estimate", id);
  await phone.read("estimate", id);
  equal(phone.see("estimate", id) === answered, true);
  const deleted = at.server.all("estimate")[0].lineItems;
  deleted.splice(1, 1);
  await phone.read("estimate", id);
  equal([lines().length, lines()[1] === third], [2, true]);
});

Deno.test("lines added before the estimate is sent go with it", async () => {
  const at = world();
  const phone = await device(at);
  const id = phone.newId("estimate");
  phone.do("estimate.create", id, { name: "Kitchen", lineItems: [] });
  phone.do("estimate.addLine", id, { line: line() });
  phone.do("estimate.editLine", id, { lineId: "l1", fields: { quantity: 2 } }, { quantity: 1 });
  equal(phone.see("estimate", id).lineItems, [line({ quantity: 2 })]);
  await phone.sendAll();
  equal(at.server.requests, ["POST /workshops/w1/estimates"]);
});

Deno.test("a move and its undo cancel out", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  phone.do("order.move", id, { status: "todo" }, { status: "done" });
  await phone.sendAll();
  equal(statuses(at.server.value(id)), ["todo"]);
});

Deno.test("a deletion waits six seconds and can be taken back", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const key = phone.do("order.delete", id, {});
  await phone.drain.run();
  equal([phone.see("order", id), at.server.all("order").length], [undefined, 1]);
  phone.drop(key ?? "");
  equal(phone.see("order", id).title, "Table");
  phone.do("order.delete", id, {});
  at.time.now += 6_000;
  await phone.drain.run();
  equal([at.server.all("order"), phone.waiting()], [[], []]);
});

Deno.test("a deleted line waits without holding up the others", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at);
  phone.do("estimate.deleteLine", id, { lineId: "l1" });
  phone.do("estimate.addLine", id, { line: line({ id: "l2" }) });
  await phone.drain.run();
  equal(at.server.value(id).lineItems.map((/** @type {any} */ one) => one.id), ["l1", "l2"]);
  equal(phone.see("estimate", id).lineItems.map((/** @type {any} */ one) => one.id), ["l2"]);
});

Deno.test("a refused change stops alone", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.edit", id, { fields: { title: "" } }, { title: "Table" });
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  const other = phone.newId("order");
  phone.do("order.create", other, { title: "Chair", customerName: "" });
  await phone.sendAll();
  equal(phone.waiting().map(({ op, problem }) => [op, problem?.code]), [["order.edit", "validation_error"]]);
  equal([at.server.value(id).status, at.server.all("order").length], ["done", 2]);
  phone.do("order.edit", id, { fields: { title: "Bench" } }, { title: "" });
  await phone.sendAll();
  equal([at.server.value(id).title, phone.waiting()], ["Bench", []]);
});

Deno.test("a change of another field is merged", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  await at.server.send("PATCH", `/orders/${id}`, { body: { title: "Oak table" } });
  await phone.sendAll();
  equal([at.server.value(id).notes, at.server.value(id).title], ["oak", "Oak table"]);
});

Deno.test("a live change is shown under what waits", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  await phone.pull();
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  await at.server.send("PATCH", `/orders/${id}`, { body: { title: "Oak table" } });
  await phone.pull();
  equal([phone.see("order", id).notes, phone.see("order", id).title], ["oak", "Oak table"]);
});

Deno.test("a conflict waits for the person and holds up nothing else", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await at.server.send("PATCH", `/orders/${id}`, { body: { notes: "ash" } });
  await phone.sendAll();
  equal([at.server.value(id).notes, at.server.value(id).status], ["ash", "done"]);
  const [item] = phone.waiting();
  equal(item && phone.conflictsIn(item), [{ field: "notes", mine: "oak", theirs: "ash" }]);
  equal(phone.see("order", id).notes, "oak");
});

Deno.test("a server that refuses each version is asked a few times, and again later", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const { send } = at.server;
  let refused = 0;
  at.server.send = (method, ...request) => {
    if (method !== "PATCH") return send(method, ...request);
    if ((refused += 1) > 20) throw new Error("asked without an end");
    return Promise.reject(new Problem(412, "precondition_failed"));
  };
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  await phone.sendAll();
  equal([refused, phone.waiting().map(({ problem }) => problem)], [5, [null]]);
  at.server.send = send;
  at.time.now += 60_000;
  await phone.sendAll();
  equal([at.server.value(id).notes, phone.waiting()], ["oak", []]);
});

Deno.test("no change is sent with a tag that an own change before it has made outdated", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at, [line()]);
  const { send } = at.server;
  /** @type {string[]} */
  const rejected = [];
  at.server.send = async (method, path, options) => {
    try {
      return await send(method, path, options);
    } catch (error) {
      rejected.push(`${method} ${path}`);
      throw error;
    }
  };
  phone.do("document.edit", id, { fields: { recipientEmail: "aoife@client.example" } }, {});
  phone.do("estimate.edit", id, { fields: { name: "Pantry" } }, { name: "Kitchen" });
  await phone.sendAll();
  equal([phone.waiting(), rejected], [[], []]);
  equal(at.server.value(id).name, "Pantry");
});

Deno.test("edits of two lines by two people are both kept", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at, [line(), line({ id: "l2" })]);
  const desk = await device(at, { tab: "t2" });
  await desk.pull();
  phone.do("estimate.editLine", id, { lineId: "l1", fields: { quantity: 5 } }, { quantity: 1 });
  desk.do("estimate.editLine", id, { lineId: "l2", fields: { quantity: 7 } }, { quantity: 1 });
  await Promise.all([phone.sendAll(), desk.sendAll()]);
  equal(at.server.value(id).lineItems.map((/** @type {any} */ one) => one.quantity), [5, 7]);
});

Deno.test("tiles of two people are both kept", async () => {
  const at = world();
  const phone = await device(at);
  const local = phone.newId("grid");
  phone.do("grid.create", local, { name: "Repairs", buttons: [] });
  await phone.sendAll();
  const id = phone.replica.presentId(local);
  const desk = await device(at, { tab: "t2" });
  await desk.pull();
  phone.do("grid.addTile", id, { tile: { id: "a", label: "A" } });
  desk.do("grid.addTile", id, { tile: { id: "b", label: "B" } });
  await Promise.all([phone.sendAll(), desk.sendAll()]);
  equal(at.server.value(id).buttons.map((/** @type {any} */ one) => one.id).sort(), ["a", "b"]);
});

Deno.test("an ended session keeps what waits, and goes on with it", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const { send } = at.server;
  at.server.send = () => Promise.reject(new Problem(401, "401"));
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await phone.sendAll();
  equal(phone.waiting().length, 2);
  at.server.send = send;
  await phone.drain.resume();
  equal([at.server.value(id).notes, at.server.value(id).status, phone.waiting()], ["oak", "done", []]);
});

Deno.test("the server is asked again when it said, and not before", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const { send } = at.server;
  let asked = 0;
  at.server.send = () => {
    asked += 1;
    return Promise.reject(new Problem(429, "rate_limited", { retryAfter: 40 }));
  };
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await phone.drain.run();
  at.time.now += 39_000;
  await phone.drain.run();
  equal(asked, 1);
  at.server.send = send;
  at.time.now += 1_000;
  await phone.drain.run();
  equal(at.server.value(id).status, "done");
});

Deno.test("what waits survives a restart", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.network.fate = () => "unanswered";
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await phone.sendAll();
  const again = await device(at, { local: phone.local });
  equal(again.see("order", id).status, "done");
  await again.sendAll();
  equal([statuses(at.server.value(id)), again.waiting()], [["todo", "done"], []]);
});

Deno.test("the data of a workshop that was left goes, and what was not sent can be copied", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  await forget(phone.replica, "w1");
  equal(phone.seeAll("order"), []);
  equal(phone.waiting().map(({ args, problem }) => [args.fields.notes, problem?.status]), [["oak", 403]]);
  const again = await device(at, { local: phone.local });
  equal([again.seeAll("order"), again.waiting().length], [[], 1]);
});

Deno.test("what somebody deleted keeps the text that was not sent", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
  await at.server.send("DELETE", `/orders/${id}`);
  await phone.sendAll();
  equal([phone.seeAll("order"), phone.waiting()[0]?.args.fields.notes], [[], "oak"]);
});

Deno.test("a restored server makes the device load its lists anew", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  await phone.pull();
  at.server.state.epoch = 2;
  at.server.state.objects.delete(id);
  const found = await phone.pull();
  equal([found.isLoaded, phone.seeAll("order")], [true, []]);
});

Deno.test("the first answer to a creation does not hide what somebody changed since", async () => {
  const at = world();
  const phone = await device(at, {
    fate: (request) => (request.startsWith("POST") ? "unanswered" : "arrives"),
  });
  await phone.pull();
  phone.do("order.create", phone.newId("order"), { title: "Table", customerName: "" });
  await phone.sendAll();
  await at.server.send("PATCH", "/orders/order-1", { body: { notes: "ash" } });
  await phone.pull();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  await phone.pull();
  equal(phone.seeAll("order"), at.server.all("order"));
});

Deno.test("an edit of a line is not lost when the answer to its addition was", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at, []);
  phone.network.fate = (request) => (request.startsWith("POST") ? "unanswered" : "arrives");
  phone.do("estimate.addLine", id, { line: line() });
  await phone.sendAll();
  phone.do("estimate.editLine", id, { lineId: "l1", fields: { quantity: 3 } }, { quantity: 1 });
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal([at.server.value(id).lineItems, phone.waiting()], [[line({ quantity: 3 })], []]);
});

Deno.test("a refused creation keeps back what was done to the object", async () => {
  const at = world();
  const phone = await device(at);
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "", customerName: "" });
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await phone.sendAll();
  equal(at.server.requests, ["POST /workshops/w1/orders"]);
  phone.do("order.edit", id, { fields: { title: "Bench" } }, { title: "" });
  await phone.sendAll();
  equal([at.server.all("order").map(({ title, status }) => [title, status])], [[["Bench", "done"]]]);
});

Deno.test("what was read while a change was sent does not hide the change", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  await phone.pull();
  await at.server.send("PATCH", `/orders/${id}`, { body: { title: "Oak table" } });
  phone.network.answered = async (request) => {
    if (!request.endsWith("/changes")) return;
    phone.network.answered = async () => {};
    phone.do("order.edit", id, { fields: { notes: "oak" } }, { notes: "" });
    await phone.sendAll();
  };
  /** @type {string[]} */
  const seen = [];
  effect(() => void seen.push(phone.replica.views.order.get(id)?.notes));
  await phone.pull();
  equal(seen.slice(seen.indexOf("oak")).every((notes) => notes === "oak"), true);
});

Deno.test("another page's changes are left to it while it is open", async () => {
  const at = world();
  const one = await device(at, { fate: () => "lost" });
  one.do("order.create", one.newId("order"), { title: "Table", customerName: "" });
  await one.sendAll();
  const other = await device(at, { local: one.local, tab: "t2", isMine: (item) => item.tab === "t2" });
  await other.sendAll();
  equal(at.server.all("order"), []);
  const next = await device(at, { local: one.local, tab: "t3" });
  await next.sendAll();
  equal(at.server.all("order").length, 1);
});

Deno.test("leaving a screen sends edits at once, and keeps the time to undo every deletion", async () => {
  const { phone, id } = await withEstimate(world());
  const grid = phone.newId("grid");
  phone.do("grid.create", grid, { name: "Joints", iconSize: "medium" });
  await phone.sendAll();
  const gridId = phone.replica.presentId(grid);
  phone.do("estimate.addLine", id, { line: line({ id: "l2" }) });
  phone.do("estimate.editLine", id, { lineId: "l2", fields: { quantity: 2 } }, { quantity: 1 });
  phone.do("estimate.deleteLine", id, { lineId: "l1" });
  phone.do("grid.deleteTile", gridId, { tileId: "t1" });
  hasten(phone.replica);
  const waiting = phone.waiting().filter(({ notBefore }) => notBefore > phone.replica.elapsed());
  equal(waiting.map(({ op }) => op), ["estimate.deleteLine", "grid.deleteTile"]);
});

Deno.test("a text that begins like an id of this device is sent, and what is joined with it", async () => {
  const shared = world();
  const phone = await device(shared);
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "Oak table", customerName: "" });
  await phone.sendAll();
  const order = phone.replica.presentId(id);
  phone.do("order.edit", order, { fields: { notes: "local-grown oak" } }, { notes: "" });
  phone.do("order.edit", order, { fields: { customerName: "Nora" } }, { customerName: "" });
  await phone.sendAll();
  equal(phone.waiting(), []);
  const { notes, customerName } = shared.server.value(order);
  equal([notes, customerName], ["local-grown oak", "Nora"]);
});

Deno.test("every field of a change that names what this device can create is a reference in the table", async () => {
  const shapes = await Deno.readTextFile("types/shapes.d.ts");
  const fieldsOf = (/** @type {string} */ name) => {
    const [, body = ""] = new RegExp(`interface ${name} {([^]*?)\\n  }`).exec(shapes) ?? [];
    return [...body.matchAll(/^ {4}((?:customer|estimate|order|grid)Id)\??:/gm)].map((found) => found[1]);
  };
  const bodies = {
    "orderDetails.edit": "OrderDetailsEdit",
    "order.edit": "OrderEdit",
    "document.edit": "DocumentFacts",
    "customer.edit": "CustomerEdit",
    "estimate.edit": "EstimateEdit",
    "grid.edit": "GridEdit",
  };
  for (const [op, name] of Object.entries(bodies)) {
    equal((mutation(op).references ?? []).toSorted(), fieldsOf(name).toSorted(), op);
  }
  equal(mutation("orderDetails.edit").references?.length, 2);
});

/** A change that the server could not take seven times. */
async function failing() {
  const shared = world();
  const phone = await device(shared);
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "Oak table", customerName: "" });
  phone.network.answered = () => Promise.reject(new Problem(500, "internal"));
  for (let at = 0; at < 7; at += 1) await phone.sendAll();
  equal(phone.waiting()[0]?.attempts, 7);
  phone.network.answered = async () => {};
  return { ...shared, phone };
}

Deno.test("somebody who asks for another attempt gets one, however often it has failed", async () => {
  const { phone, server } = await failing();
  await phone.drain.wake();
  equal([phone.waiting(), server.all("order").length], [[], 1]);
});

Deno.test("a clock that is set back delays no attempt", async () => {
  const { phone, server, time } = await failing();
  time.elapsed = time.now + 61_000;
  time.now -= 3_600_000;
  await phone.drain.run();
  equal([phone.waiting(), server.all("order").length], [[], 1]);
});

Deno.test("a page that begins after the clock was set back waits for no time of the page before", async () => {
  const shared = world();
  const phone = await device(shared);
  phone.do("estimate.create", phone.newId("estimate"), { name: "Shelf", lineItems: [] });
  await phone.replica.saved();
  shared.time.now -= 3_600_000;
  const again = await device(shared, { local: phone.local });
  shared.time.now += 3_000;
  await again.drain.run();
  equal([again.waiting(), shared.server.all("estimate").length], [[], 1]);
});

Deno.test("a change whose delay ends while its next attempt is planned is sent", async () => {
  const shared = world();
  /** @type {(() => void)[]} */
  const planned = [];
  const phone = await device(shared, { later: (_, work) => (planned.push(work), () => {}) });
  phone.do("estimate.create", phone.newId("estimate"), { name: "Shelf", lineItems: [] });
  const end = phone.waiting()[0]?.notBefore ?? 0;
  // The clock goes on between any two looks at it.
  for (let looks = 1; looks <= 4; looks += 1) {
    let left = looks;
    const now = () => (left -= 1) >= 0 ? end - 0.1 : end;
    Object.defineProperty(shared.time, "elapsed", { configurable: true, get: now });
    await phone.drain.run();
    const next = planned.pop();
    if (phone.waiting().length) equal(typeof next, "function", `planned after ${looks} looks`);
  }
});

Deno.test("a change of a page before, whose delay ends while it is looked at, is not left for a minute", async () => {
  for (let reads = 0; reads < 4; reads += 1) {
    const at = world();
    const local = memoryLocal();
    const before = await device(at, { local, fate: () => "lost" });
    before.do("estimate.create", before.newId("estimate"), { name: "Kitchen", lineItems: [] });
    await before.replica.saved();
    /** @type {number[]} */
    const delays = [];
    // Whether that page is closed is known once something is due.
    const next = await device(at, {
      local,
      tab: "t2",
      isMine: () => false,
      later: (milliseconds) => (delays.push(milliseconds), () => {}),
    });
    let now = (next.waiting()[0]?.notBefore ?? 0) - 0.05 - 0.1 * reads;
    Object.defineProperty(at.time, "elapsed", { get: () => (now += 0.1) - 0.1 });
    void next.drain.run();
    equal(delays.length === 1 && (delays[0] ?? Infinity) < 1, true);
  }
});

Deno.test("that settings may be others is known until they were read, also where the page is closed before", async () => {
  const at = world();
  const { phone } = await withOrder(at);
  await phone.pull();
  const { send } = at.server;
  at.server.state.log.push({ kind: "workshop", id: "w1" });
  at.server.send = async (method, path, options) => {
    const answer = await send(method, path, options);
    if (path.endsWith("/changes")) answer.data.workshop = { id: "w1", workshopId: "w1" };
    return answer;
  };
  await phone.pull();
  await phone.replica.saved();
  equal((await phone.local.facts("unread:")).size, 1);
  const again = await device(at, { local: phone.local });
  equal(await again.replica.fact("unread:w1"), true);
});
