// Photos that wait on the device: they are of the account that took them, and none is lost, sent by somebody else or hidden.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** @param {any} app @param {string} name */
async function signedIn(app, name) {
  await app.signIn(`${name}@example.org`, "right");
  await until(() => app.session.value.phase === "signed-in" && app.hasOrders.value);
}

const picture = (text = "jpeg") => new Blob([text], { type: "image/jpeg" });

/** The keys of the photos that this browser keeps for an account. @param {any} own @param {string} name @returns {string[]} */
const kept = (own, name) =>
  [...own.idb.databases.get(`backbench-${name}%40example.org`)?.get("facts").keys() ?? []]
    .filter((key) => key.startsWith("bytes:"));

/** A page of Anna whose photo waits, behind a proxy without the service. @param {Map<string, string>} [session] of the page, which can be loaded again */
async function withPhoto(session = new Map()) {
  const server = service("anna", "ben");
  const own = browser(server);
  const app = await own.open(session);
  await signedIn(app, "anna");
  const order = await app.settle(app.createOrder("Gold ring"));
  server.proxy = { status: 502 };
  await app.addPhotos(order, [picture()]);
  await until(() => kept(own, "anna").length === 1);
  return { server, own, app, order };
}

/** @param {any} server */
const uploads = (server) =>
  server.asked.filter((/** @type {any} */ { method, path }) => method === "POST" && path.endsWith("/photos"));

test("a photo that waits under the sign-in form is sent once its account has signed in", async () => {
  const session = new Map();
  const { server, own, app } = await withPhoto(session);
  app.pause();
  own.cookies.token = "";
  server.proxy = null;
  server.asked = [];
  const again = await own.open(session);
  equal(again.session.value.phase, "signed-out");
  await signedIn(again, "anna");
  await until(() => server.photos("anna").length === 1);
  await until(() => again.items.value.length === 0 && kept(own, "anna").length === 0);
  equal(uploads(server).length, 1);
});

test("a page with another account's cookies sends no photo of the account before", async () => {
  const session = new Map();
  const { server, own } = await withPhoto(session);
  server.signIn(own, "ben");
  server.proxy = null;
  server.asked = [];
  const ben = await own.open();
  ben.startRest();
  await until(() => ben.session.value.phase === "signed-in" && ben.sealed.value["anna@example.org"]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  equal([uploads(server), kept(own, "anna").length, ben.waiting.value], [[], 1, []]);
  equal(ben.sealed.value["anna@example.org"].waiting, 1);
  server.signIn(own, "anna");
  await own.open(session);
  await until(() => server.photos("anna").length === 1);
});

test("photos of an order that the server does not have yet are neither written nor read again", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  server.proxy = { status: 502 };
  const order = app.createOrder("Gold ring");
  await app.addPhotos(order, [picture("1"), picture("2")]);
  const { bytes } = own.idb.faults;
  equal(bytes, 2);
  for (let at = 0; at < 10; at += 1) {
    own.events.dispatchEvent(new Event("online"));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  equal(own.idb.faults.bytes, bytes);
  server.proxy = null;
  await app.wake();
  await until(() => server.photos("anna").length === 2);
  equal(app.waiting.value, []);
});

test("where the disk has no space for a photo, what is typed is stored, and the photo once there is", async () => {
  const { server, own, app, order } = await withPhoto();
  own.idb.faults.space = 3;
  await app.addPhotos(order, [picture("too large")]);
  equal([app.statuses.value[0].name, app.connection.value.waiting, kept(own, "anna").length], [
    "notStored",
    2,
    1,
  ]);
  app.createOrder("Silver ring");
  await app.replica.saved();
  const outbox = own.idb.databases.get("backbench-anna%40example.org")?.get("outbox");
  equal([...outbox?.values() ?? []].map(({ op }) => op).sort(), ["order.create", "orderPhotos.add"]);
  own.idb.faults.space = Infinity;
  app.tryAgain();
  await until(() => kept(own, "anna").length === 2 && app.connection.value.isStored);
  server.proxy = null;
  app.tryAgain();
  await until(() => server.photos("anna").length === 2 && kept(own, "anna").length === 0);
});

test("photos that another page took are counted there, and shown with their bytes", async () => {
  const { own, app, order } = await withPhoto();
  const other = await own.open();
  await until(() => other.session.value.phase === "signed-in" && other.connection.value.waiting === 1);
  await app.addPhotos(order, [picture("2")]);
  await until(() => other.connection.value.waiting === 2);
  const addresses = () => other.photosOf(order).map((/** @type {any} */ { thumb }) => thumb);
  await until(() => addresses().length === 2 && addresses().every((/** @type {string} */ one) => one));
});

test("photos of an order that is gone need the person, who can discard them", async () => {
  const { server, own, app, order } = await withPhoto();
  await app.addPhotos(order, [picture("2")]);
  server.accounts.get("anna@example.org")?.orders.splice(0);
  server.proxy = null;
  app.tryAgain();
  await until(() => app.connection.value.refused === 2 && app.connection.value.waiting === 0);
  equal(app.statuses.value[0], { name: "refused", count: 2 });
  for (const { key } of app.items.value) app.drop(key);
  await until(() => kept(own, "anna").length === 0 && app.statuses.value.length === 0);
});

test("a photo that waits can be deleted, and taken back with its bytes", async () => {
  const { server, own, app, order } = await withPhoto();
  const [photo] = app.photosOf(order);
  app.deletePhoto(order, photo, "Deleted");
  equal(app.photosOf(order), []);
  await until(() => kept(own, "anna").length === 0);
  await app.takeUndo();
  equal(app.photosOf(order).map((/** @type {any} */ { id }) => id), [photo.id]);
  await until(() => kept(own, "anna").length === 1);
  server.proxy = null;
  app.tryAgain();
  await until(() => server.photos("anna").length === 1);
});

test("a photo that cannot be sent shows a status, and is sent at once when somebody asks for it", async () => {
  const { server, app } = await withPhoto();
  server.proxy = null;
  server.before = ({ path }) => {
    server.proxy = path.endsWith("/photos") ? { status: 500, headers: { "X-Request-Id": "1" } } : null;
  };
  app.tryAgain();
  await until(() => app.statuses.value[0]?.name === "waiting");
  server.before = () => void (server.proxy = null);
  app.tryAgain();
  await until(() => server.photos("anna").length === 1);
  await until(() => app.statuses.value.length === 0);
});

test("photos that an earlier version left waiting are sent with their keys and what was said of them", async () => {
  const { server, own, order } = await withPhoto();
  const said = { kind: "after", caption: "", shared: false };
  /** @param {string} key @param {object} [more] @returns {[string, object]} */
  const photo = (key, more = {}) => [key, {
    key,
    orderId: order,
    workshopId: "w-anna",
    fields: said,
    sent: null,
    takenAt: "2026-11-22T10:00:00.000Z",
    image: picture(key),
    madeAt: 1,
    problem: null,
    ...more,
  }];
  const former = new Map([
    photo("former-1"),
    photo("former-2", { sent: said, fields: { ...said, caption: "scratch" } }),
  ]);
  own.idb.databases.set("backbench-photos-anna%40example.org", new Map([["photos", former]]));
  own.storage.set("backbench-photos", JSON.stringify({ "anna@example.org": 2 }));
  const next = await own.open();
  await until(() => next.waiting.value.length === 1);
  own.idb.faults.isFull = true;
  await next.takeFormerPhotos();
  equal(former.size, 2, "they stay until they are stored elsewhere");
  own.idb.faults.isFull = false;
  next.tryAgain();
  await until(() => next.connection.value.isStored);
  await next.takeFormerPhotos();
  equal([own.idb.databases.has("backbench-photos-anna%40example.org"), own.storage.has("backbench-photos")], [
    false,
    false,
  ]);
  equal(next.photosOf(order).map((/** @type {any} */ { caption }) => caption), ["", "scratch", ""]);
  server.proxy = null;
  server.asked = [];
  next.tryAgain();
  await until(() => server.photos("anna").length >= 2);
  /** @type {string[]} */
  const asked = uploads(server).map((/** @type {any} */ { key }) => key);
  equal(asked.filter((key) => key.startsWith("former")), ["former-1", "former-2"]);
  await until(() =>
    server.asked.some(({ method, body }) => method === "PATCH" && body?.caption === "scratch")
  );
});

test("after a sign-out no database is named after the person, also where no photo waited or one was left before", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  const order = await app.settle(app.createOrder("Gold ring"));
  await app.addPhotos(order, [picture()]);
  await until(() => server.photos("anna").length === 1 && kept(own, "anna").length === 0);
  own.idb.databases.set("backbench-photos-anna%40example.org", new Map([["photos", new Map()]]));
  await app.signOut();
  await until(() => own.loaded.length > 0);
  equal([...own.idb.databases.keys()], []);
});
