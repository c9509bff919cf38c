// Order details in the outbox: an intake arrives once, fields are merged, what was collected and told is not repeated.

import { NEXT_STEP, stageOf, usualDays } from "../../../src/backbench/web/app/domain/stages.js";
import { device, equal, world } from "./devices.js";

/** A device with one order that the server has. @param {ReturnType<typeof world>} at */
async function withOrder(at) {
  const phone = await device(at);
  const id = phone.newId("order");
  phone.do("order.create", id, { title: "Ring", customerName: "" });
  await phone.sendAll();
  return { phone, id: phone.replica.presentId(id) };
}

/** @param {ReturnType<typeof world>} at @param {string} id */
const details = (at, id) => at.server.state.sides.get(id)?.details;

Deno.test("an intake without a connection arrives once, with its details", async () => {
  const at = world();
  const phone = await device(at, { fate: () => "lost" });
  const id = phone.newId("order");
  const fields = { dueOn: "2026-11-23", priceLimit: 80, item: { condition: "scratched" } };
  phone.do("order.create", id, { title: "Ring", customerName: "Ewa" });
  phone.do("orderDetails.edit", id, { fields }, { dueOn: null, priceLimit: null, item: null });
  await phone.sendAll();
  equal(phone.see("orderDetails", id), fields);
  phone.network.fate = (request) => request.startsWith("GET") ? "arrives" : "unanswered";
  await phone.sendAll();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  const [order, ...others] = at.server.all("order");
  equal(others, []);
  equal(details(at, order.id), { orderId: order.id, ...fields });
  equal(phone.waiting(), []);
});

Deno.test("two people who change different facts of an order and its item keep both", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  await at.server.send("PATCH", `/orders/${id}/details`, { body: { place: "A1", item: { serial: "7" } } });
  phone.do("orderDetails.edit", id, { fields: { dueOn: "2026-11-23" } }, { dueOn: null });
  phone.do("orderDetails.editItem", id, { fields: { condition: "worn" } }, { condition: null });
  await phone.sendAll();
  equal(details(at, id), {
    orderId: id,
    place: "A1",
    item: { serial: "7", condition: "worn" },
    dueOn: "2026-11-23",
  });
});

Deno.test("two people who change the same fact are asked", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  await phone.read("orderDetails", id);
  await at.server.send("PATCH", `/orders/${id}/details`, { body: { place: "A1" } });
  phone.do("orderDetails.edit", id, { fields: { place: "B3" } }, { place: null });
  await phone.sendAll();
  equal(details(at, id).place, "A1");
  const [item] = phone.waiting();
  equal(item && phone.conflictsIn(item), [{ field: "place", mine: "B3", theirs: "A1" }]);
});

Deno.test("the last fact of an item leaves no item, a day that goes takes its time along", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const body = { dueOn: "2026-11-23", dueTime: "16:00", item: { condition: "worn" } };
  await at.server.send("PATCH", `/orders/${id}/details`, { body });
  await phone.read("orderDetails", id);
  phone.do("orderDetails.editItem", id, { fields: { condition: null } }, { condition: "worn" });
  phone.do("orderDetails.edit", id, { fields: { dueOn: null } }, { dueOn: "2026-11-23" });
  equal(phone.see("orderDetails", id), { orderId: id });
  await phone.sendAll();
  equal(details(at, id).item, undefined);
});

Deno.test("ready and collected without a connection arrive in this order", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.network.fate = () => "lost";
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  phone.do("orderDetails.collect", id, {});
  equal(stageOf(phone.see("order", id), phone.see("orderDetails", id)), "collected");
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal([at.server.value(id).status, !!details(at, id).collectedAt], ["done", true]);
  equal(phone.waiting(), []);
});

Deno.test("a collection that was not sent is taken back without a request, a sent one with one", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  phone.do("order.move", id, { status: "done" }, { status: "todo" });
  await phone.sendAll();
  phone.network.fate = () => "lost";
  phone.do("orderDetails.collect", id, {});
  phone.do("orderDetails.uncollect", id, {});
  equal(phone.waiting(), []);
  phone.network.fate = () => "arrives";
  phone.do("orderDetails.collect", id, {});
  await phone.sendAll();
  phone.do("orderDetails.uncollect", id, {});
  await phone.sendAll();
  equal(details(at, id).collectedAt, undefined);
});

Deno.test("a signature is drawn without a connection and arrives once; one that was not sent is taken back", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const strokes = [[[1, 2], [3, 4]]];
  phone.network.fate = () => "lost";
  phone.do("orderSignature.sign", id, { strokes, name: "Ewa" });
  phone.do("orderSignature.clear", id, {});
  equal(phone.waiting(), []);
  phone.do("orderSignature.sign", id, { strokes: [[[9, 9]]] });
  phone.do("orderSignature.sign", id, { strokes, name: "Ewa" });
  equal(phone.waiting().length, 1);
  equal(phone.see("orderSignature", id).strokes, strokes);
  phone.network.fate = (request) => request.startsWith("PUT") ? "unanswered" : "arrives";
  await phone.sendAll();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(phone.waiting(), []);
  equal(at.server.state.sides.get(id).signature, { strokes, name: "Ewa" });
  phone.do("orderSignature.clear", id, {});
  await phone.sendAll();
  equal(at.server.state.sides.get(id).signature, undefined);
});

Deno.test("a notice whose answer was lost is one notice, a dropped one none", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const notice = { kind: "ready", channel: "called" };
  const key = phone.do("orderNotices.add", id, { notice });
  equal(phone.see("orderNotices", id).notices.length, 1);
  await phone.drain.run();
  equal(at.server.state.sides.get(id), undefined, "it waits for the offer to take it back");
  phone.drop(key ?? "");
  phone.network.fate = (request) => (request.startsWith("POST") ? "unanswered" : "arrives");
  phone.do("orderNotices.add", id, { notice });
  await phone.sendAll();
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(at.server.state.sides.get(id).notices.length, 1);
  equal(phone.see("orderNotices", id).notices, at.server.state.sides.get(id).notices);
});

Deno.test("a cover that was chosen without a connection stays it beside a photo that somebody added", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  const photos = (/** @type {string[]} */ ...ids) => ids.map((one) => ({ id: one }));
  at.server.state.sides.set(id, { details: {}, notices: [], questions: [], photos: photos("a", "b", "c") });
  await phone.read("orderPhotos", id);
  phone.network.fate = () => "lost";
  phone.do("orderPhotos.cover", id, { photoId: "b" });
  phone.do("orderPhotos.cover", id, { photoId: "c" });
  equal(phone.see("orderPhotos", id).photos, photos("c", "a", "b"));
  at.server.state.sides.get(id).photos.push({ id: "d" });
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal(at.server.state.sides.get(id).photos, photos("c", "a", "b", "d"));
  equal(phone.see("orderPhotos", id).photos, photos("c", "a", "b", "d"));
  equal(phone.waiting(), []);
});

Deno.test("details that others wrote come with the changes, and go with their order", async () => {
  const at = world();
  const { phone, id } = await withOrder(at);
  await phone.pull();
  await at.server.send("PATCH", `/orders/${id}/details`, { body: { place: "A1" } });
  await phone.pull();
  equal(phone.see("orderDetails", id), { orderId: id, place: "A1" });
  await at.server.send("DELETE", `/orders/${id}`);
  await phone.pull();
  equal(phone.see("orderDetails", id), undefined);
});

Deno.test("each stage has one next step", () => {
  const waiting = /** @type {const} */ ({ waitingFor: "parts" });
  equal([
    NEXT_STEP[stageOf({ status: "todo" }, {})],
    NEXT_STEP[stageOf({ status: "todo" }, waiting)],
    NEXT_STEP[stageOf({ status: "in_progress" }, waiting)],
    NEXT_STEP[stageOf({ status: "in_progress" }, {})],
    NEXT_STEP[stageOf({ status: "done" }, waiting)],
    NEXT_STEP[stageOf({ status: "done" }, { collectedAt: "2026-11-22T08:00:00Z" })],
  ], ["start", "goOn", "goOn", "ready", "collect", null]);
});

Deno.test("the days that are offered are of the workshop's calendar: Friday is the next one", () => {
  equal(usualDays("2026-11-27"), {
    today: "2026-11-27",
    tomorrow: "2026-11-28",
    friday: "2026-12-04",
    week: "2026-12-04",
  });
  // Over the change of clocks, and the end of the year.
  equal(usualDays("2026-10-24"), {
    today: "2026-10-24",
    tomorrow: "2026-10-25",
    friday: "2026-10-30",
    week: "2026-10-31",
  });
  equal(usualDays("2026-12-31").friday, "2027-01-01");
});
