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

/** The keys of the photos that this browser keeps for an account. @param {any} own @param {string} name @returns {any[]} */
const kept = (
  own,
  name,
) => [...own.idb.databases.get(`backbench-photos-${name}%40example.org`)?.get("photos")?.values() ?? []];

/** A page of Anna whose photo waits, behind a proxy without the service. */
async function withPhoto() {
  const server = service("anna", "ben");
  const own = browser(server);
  const app = await own.open();
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
  const { server, own, app, order } = await withPhoto();
  own.cookies.token = "";
  server.proxy = null;
  server.asked = [];
  const again = await own.open();
  again.startRest();
  equal(again.session.value.phase, "signed-out");
  await signedIn(again, "anna");
  await until(() => server.photos("anna").length === 1);
  equal([again.photosWaiting.value, kept(own, "anna").length], [0, 0]);
  server.proxy = { status: 502 };
  await again.addPhotos(order, [picture()]);
  equal([
    kept(own, "anna").length,
    [...own.idb.databases.keys()].some((name) => name === "backbench-photos-"),
  ], [
    1,
    false,
  ]);
  equal(app.session.value.me.name, "anna");
});

test("a page with another account's cookies sends no photo of the account before", async () => {
  const { server, own } = await withPhoto();
  server.signIn(own, "ben");
  server.proxy = null;
  server.asked = [];
  const ben = await own.open();
  // As the screen of a new order does, whose module is loaded before it is known whose page this is.
  ben.startPhotoOutbox();
  ben.startRest();
  await until(() => ben.session.value.phase === "signed-in" && ben.sealed.value["anna@example.org"]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  equal([uploads(server), kept(own, "anna")[0].problem, ben.waiting.value], [[], null, []]);
  server.signIn(own, "anna");
  const anna = await own.open();
  anna.startRest();
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

test("a photo that could not be stored is said, kept, and stored later", async () => {
  const { server, own, app, order } = await withPhoto();
  own.idb.faults.isFull = true;
  await app.addPhotos(order, [picture("2")]);
  equal([app.waiting.value.length, app.statuses.value[0].name, app.connection.value.waiting], [
    2,
    "notStored",
    2,
  ]);
  own.idb.faults.isFull = false;
  await app.addPhotos(order, [picture("3")]);
  equal([kept(own, "anna").length, app.connection.value.isStored], [3, true]);
  server.proxy = null;
  app.tryAgain();
  await until(() => server.photos("anna").length === 3 && kept(own, "anna").length === 0);
});

test("where the photos cannot be read once, those that wait are still counted, and sent later", async () => {
  const { server, own } = await withPhoto();
  const again = await own.open();
  await until(() => again.session.value.phase === "signed-in");
  own.idb.faults.isRefused = true;
  again.startPhotoOutbox();
  await again.addPhotos("order-0-anna", [picture("2")]);
  own.idb.faults.isRefused = false;
  equal(JSON.parse(own.storage.get("backbench-photos") ?? ""), { "anna@example.org": 1 });
  await again.addPhotos("order-0-anna", [picture("3")]);
  server.proxy = null;
  again.tryAgain();
  await until(() => server.photos("anna").length === 3 && kept(own, "anna").length === 0);
  await until(() => again.connection.value.waiting === 0);
});

test("photos that are refused or that another page took are counted before somebody signs out", async () => {
  const { server, own, app, order } = await withPhoto();
  const other = await own.open();
  await until(() => other.session.value.phase === "signed-in");
  await app.addPhotos(order, [picture("2")]);
  await until(() => other.connection.value.waiting === 2);
  server.accounts.get("anna@example.org")?.orders.splice(0);
  server.proxy = null;
  app.tryAgain();
  await until(() => app.connection.value.refused === 2 && app.connection.value.waiting === 0);
  equal(app.statuses.value[0], { name: "refused", count: 2 });
});

test("a photo whose order was dropped before it was sent needs the person, who can discard it", async () => {
  const { server, own, app } = await withPhoto();
  const order = app.createOrder("Silver ring");
  await app.addPhotos(order, [picture("2")]);
  app.drop(app.items.value[0].key);
  await until(() => app.connection.value.refused === 1 && app.connection.value.waiting === 1);
  await app.remove(app.refused.value[0].key);
  equal([app.connection.value.refused, kept(own, "anna").length], [0, 1]);
  server.proxy = null;
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

test("after a sign-out no database is named after the person, also where no photo waited or one was left before", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  const order = await app.settle(app.createOrder("Gold ring"));
  await app.addPhotos(order, [picture()]);
  await until(() => server.photos("anna").length === 1 && kept(own, "anna").length === 0);
  await app.signOut();
  await until(() => own.loaded.length > 0);
  equal([...own.idb.databases.keys()], []);
});
