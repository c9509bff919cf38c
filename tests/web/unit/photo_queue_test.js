// Photos in the outbox: each is sent once, by its key, and holds up nothing; what is done to one meanwhile is done to it.

import { Problem } from "../../../src/backbench/web/app/api/problems.js";
import { BYTES, memoryLocal } from "../../../src/backbench/web/app/local/memory.js";
import { device, equal, world } from "./devices.js";

/** A phone with an order at the server. @param {Parameters<typeof device>[1]} [options] */
async function phone(options) {
  const at = world();
  const made = await device(at, options);
  made.do("order.create", "local-1", { title: "Ring" });
  await made.sendAll();
  const id = made.replica.presentId("local-1");
  at.server.state.requests.length = 0;
  const { requests, files } = at.server.state;
  return {
    ...made,
    at,
    id,
    requests,
    uploads: made.uploads,
    /** What the server has. */
    photos: () => at.server.state.sides.get(id)?.photos ?? [],
    bytes: () => Promise.all([...files.values()].map((file) => file.text())),
    posts: () => requests.filter((one) => one === `POST /orders/${id}/photos`).length,
  };
}

Deno.test("photos are sent once each with their bytes, oldest first, and leave nothing behind", async () => {
  const made = await phone();
  for (const photo of ["local-a", "local-b", "local-c"]) made.add(made.id, photo, { caption: photo });
  equal(made.see("orderPhotos", made.id).photos.length, 3);
  await made.uploads.run();
  equal(await made.bytes(), ["local-a", "local-b", "local-c"]);
  equal(made.photos().map((/** @type {any} */ one) => one.caption), ["local-a", "local-b", "local-c"]);
  equal(made.see("orderPhotos", made.id).photos, made.photos());
  equal([made.waiting(), (await made.local.facts(BYTES)).size], [[], 0]);
});

Deno.test("a photo that is on its way holds up no text of its order, and no other photo goes with it", async () => {
  const made = await phone();
  let done = () => {};
  made.network.answered = (request) =>
    request.endsWith("/photos") ? new Promise((settle) => done = () => settle()) : Promise.resolve();
  made.add(made.id, "local-a");
  made.add(made.id, "local-b");
  const sending = made.uploads.run();
  while (!made.posts()) await new Promise((settle) => setTimeout(settle));
  made.do("order.edit", made.id, { fields: { notes: "dog" } }, { notes: "" });
  await made.drain.run();
  equal([made.at.server.value(made.id).notes, made.posts(), made.waiting().length], ["dog", 1, 2]);
  made.network.answered = () => Promise.resolve();
  done();
  await sending;
  equal([made.posts(), made.waiting()], [2, []]);
});

Deno.test("photos of an order that is not taken in yet wait for it, and are its photos then", async () => {
  const made = await phone();
  made.add("local-9", "local-a");
  await made.uploads.wake();
  equal(made.posts(), 0);
  made.do("order.create", "local-9", { title: "Chair" });
  await made.sendAll();
  const id = made.replica.presentId("local-9");
  equal(made.at.server.state.sides.get(id).photos.length, 1);
  equal(made.see("orderPhotos", id).photos.length, 1);
});

Deno.test("what is said of a photo before it is sent is sent with it", async () => {
  const made = await phone();
  made.add(made.id, "local-a");
  made.do("orderPhotos.edit", made.id, { photoId: "local-a", fields: { caption: "scratch", shared: true } });
  await made.sendAll();
  equal(made.requests, [`POST /orders/${made.id}/photos`]);
  equal(made.photos().map((/** @type {any} */ one) => [one.caption, one.shared]), [["scratch", true]]);
});

Deno.test("without a response the same photo is sent again with the same parts; what is said later follows", async () => {
  const made = await phone({ fate: (request) => request.endsWith("/photos") ? "unanswered" : "arrives" });
  const key = made.add(made.id, "local-a");
  await made.uploads.run();
  equal(made.replica.item(key)?.isSent, true);
  made.do("orderPhotos.edit", made.id, { photoId: "local-a", fields: { caption: "scratch" } });
  await made.drain.run();
  equal([made.posts(), made.waiting().length, made.photos()[0].caption], [1, 2, undefined]);
  made.network.fate = () => "arrives";
  await made.sendAll();
  equal(made.photos().map((/** @type {any} */ one) => one.caption), ["scratch"]);
  equal([made.waiting(), made.see("orderPhotos", made.id).photos], [[], made.photos()]);
});

Deno.test("a photo that is discarded while it is on its way is deleted where it arrived", async () => {
  const made = await phone();
  const key = made.add(made.id, "local-a");
  const other = made.add(made.id, "local-b");
  made.network.answered = (request) => {
    if (request.endsWith("/photos") && made.replica.item(key)) made.drop(key);
    return Promise.resolve();
  };
  made.drop(other);
  await made.uploads.run();
  equal([made.photos().length, made.see("orderPhotos", made.id).photos], [1, []]);
  await made.sendAll();
  equal([made.photos(), made.waiting()], [[], []]);
});

Deno.test("a photo that is discarded before it leaves is not sent", async () => {
  const made = await phone();
  const key = made.add(made.id, "local-a");
  const sending = made.uploads.run();
  made.drop(key);
  await sending;
  equal([made.posts(), made.waiting()], [0, []]);
});

Deno.test("a photo that was read from the server before its answer arrived is there once", async () => {
  const made = await phone();
  made.network.answered = async (request) => {
    if (request.endsWith("/photos") && request.startsWith("POST")) await made.read("orderPhotos", made.id);
  };
  made.add(made.id, "local-a");
  await made.uploads.run();
  equal(made.see("orderPhotos", made.id).photos.length, 1);
});

Deno.test("a photo that the server refuses keeps its problem and its bytes, and lets the others pass", async () => {
  const made = await phone();
  const key = made.add(made.id, "local-a");
  made.add(made.id, "local-b");
  let asked = 0;
  made.network.fate = () => {
    if (asked++ === 0) throw new Problem(400, "validation_error");
    return "arrives";
  };
  await made.uploads.run();
  await made.uploads.wake();
  equal([asked, await made.bytes(), made.replica.item(key)?.problem?.code], [
    2,
    ["local-b"],
    "validation_error",
  ]);
  equal([...(await made.local.facts(BYTES)).keys()], [BYTES + key]);
});

Deno.test("a busy server is asked again for that photo while others pass, and an ended session stops all", async () => {
  const made = await phone();
  made.add(made.id, "local-a");
  made.add(made.id, "local-b");
  let tried = 0;
  made.network.fate = (request) => {
    if (request.endsWith("/photos") && !tried++) throw new Problem(409, "in_progress");
    return "arrives";
  };
  await made.uploads.run();
  equal([await made.bytes(), made.waiting().map(({ attempts }) => attempts)], [["local-b"], [1]]);
  await made.sendAll();
  equal(await made.bytes(), ["local-b", "local-a"]);
  made.add(made.id, "local-c");
  made.add(made.id, "local-d");
  let asked = 0;
  made.network.fate = () => {
    asked += 1;
    throw new Problem(401, "401");
  };
  await made.uploads.run();
  await made.uploads.run();
  equal([asked, made.waiting().length], [1, 2]);
});

Deno.test("what waits has the ids that another page of the browser got for it", async () => {
  const made = await phone();
  made.add("local-9", "local-a");
  made.do("orderDetails.edit", made.id, { fields: { customerId: "local-7" } }, {});
  made.replica.take({ facts: { "replaced:local-9": "order-9", "replaced:local-7": "customer-7" } });
  const [photo, details] = made.waiting();
  equal([photo?.objectId, details?.args["fields"]], ["order-9", { customerId: "customer-7" }]);
  await made.replica.saved();
  const stored = await made.local.readItems();
  equal(stored.map(({ objectId }) => objectId).sort(), [made.id, "order-9"].sort());
});

Deno.test("a photo whose order is taken back is not lost: it says so, and the person discards it", async () => {
  const made = await phone();
  const order = made.do("order.create", "local-9", { title: "Chair" });
  const key = made.add("local-9", "local-a");
  made.drop(order ?? "");
  equal(made.waiting().map((one) => [one.key, one.problem?.status]), [[key, 404]]);
  await made.sendAll();
  made.drop(key);
  equal([made.waiting(), (await made.local.facts(BYTES)).size], [[], 0]);
});

Deno.test("a photo whose bytes are gone says so, and the others are sent", async () => {
  const local = memoryLocal();
  const made = await phone({ local });
  const key = made.add(made.id, "local-a");
  made.add(made.id, "local-b");
  await made.replica.saved();
  await local.write({ facts: { [BYTES + key]: undefined } });
  await made.uploads.run();
  equal([await made.bytes(), made.waiting().map(({ problem }) => problem?.code)], [["local-b"], ["lost"]]);
});
