// A browser that stores badly: full, without an answer, with connections that end. Nothing is lost while the page lives,
// the person is told at once, and what could not be stored is stored later.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** A signed-in page behind a proxy without the service, so that what is changed waits. */
async function waiting(session = new Map()) {
  const server = service("anna", "ben");
  const own = browser(server);
  const app = await own.open(session);
  await app.signIn("anna@example.org", "right");
  await until(() => app.hasOrders.value);
  server.proxy = { status: 502 };
  return { server, own, app };
}

/** @param {any} own */
const stored = (
  own,
) => [...own.idb.databases.get("backbench-anna%40example.org")?.get("outbox")?.values() ?? []];

test("a change that did not fit is said at once, and stored with the next one", async () => {
  const { own, app } = await waiting();
  own.idb.faults.isFull = true;
  app.createOrder("Oak table");
  await app.replica.saved();
  equal([app.statuses.value[0], stored(own).length], [{ name: "notStored", count: 1 }, 0]);
  own.idb.faults.isFull = false;
  app.createOrder("Oak bench");
  await app.replica.saved();
  equal(stored(own).map(({ args }) => args.title), ["Oak table", "Oak bench"]);
  equal(app.statuses.value.some((/** @type {any} */ { name }) => name === "notStored"), false);
});

test("a change is committed although the database has not answered about the one before", async () => {
  const { own, app } = await waiting();
  await app.replica.saved();
  const before = own.idb.faults.committed;
  own.idb.faults.hangs = true;
  app.createOrder("Oak table");
  app.createOrder("Oak bench");
  // In the task that shows them: the page may be closed after it.
  await new Promise((settle) => setTimeout(settle));
  equal(own.idb.faults.committed - before, 2);
});

test("a write that failed is repeated before the later ones, in their order", async () => {
  const { own, app } = await waiting();
  await app.replica.saved();
  own.idb.faults.isFull = true;
  const order = app.createOrder("Oak table");
  app.editOrder(order, { notes: "first" });
  app.editOrder(order, { notes: "second" });
  await app.replica.saved();
  own.idb.faults.isFull = false;
  app.createOrder("Oak bench");
  await app.replica.saved();
  const [first] = stored(own).map(({ args }) => args.notes ?? args.fields?.notes).filter(Boolean);
  equal([first, stored(own).length, app.replica.isFailing.value], ["second", app.items.value.length, false]);
});

test("a connection that ended is opened again", async () => {
  const { own, app } = await waiting();
  own.idb.loseConnections();
  app.createOrder("Oak table");
  await app.replica.saved();
  equal([stored(own).length, app.replica.isFailing.value], [1, false]);
});

test("a database that never opens does not keep the app from starting", async () => {
  const server = service("anna");
  const own = browser(server);
  server.signIn(own, "anna");
  own.idb.faults.hangs = true;
  const app = await own.hurry(own.open());
  await until(() => app.session.value.phase === "signed-in");
  await app.settle(app.createOrder("Oak table"));
  equal(server.orders("anna").length, 1);
  await until(() => app.statuses.value[0]?.name === "notStored");
});

test("a database that stops answering does not keep changes from being sent", async () => {
  const { server, own, app } = await waiting();
  server.proxy = null;
  own.idb.faults.hangs = true;
  app.createOrder("Oak table");
  await own.hurry(until(() => server.orders("anna").length === 1));
  equal(app.statuses.value[0].name, "notStored");
});

test("what was stored is there when the page is loaded again", async () => {
  const { server, own, app } = await waiting();
  app.createOrder("Oak table");
  await app.replica.saved();
  const again = await own.open();
  equal(again.orders.value.map((/** @type {any} */ { title }) => title), ["Oak table"]);
  server.proxy = null;
  await until(() => {
    void again.tryAgain();
    return server.orders("anna").length === 1;
  });
});

test("without locks a page that is loaded again sends what it made before", async () => {
  const session = new Map();
  const { server, own, app } = await waiting(session);
  app.createOrder("Oak table");
  await app.replica.saved();
  const again = await own.open(session);
  equal(again.items.value[0].tab, again.replica.tab);
  server.proxy = null;
  await again.wake();
  await until(() => server.orders("anna").length > 0);
  equal(server.orders("anna").length, 1);
});

test("settings that were typed without the server outlast their screen and the page", async () => {
  const { server, own, app } = await waiting();
  await until(() => app.documentSettings.value);
  app.editedSettings().save({ phone: "123" });
  await app.replica.saved();
  await until(() => app.savingOf("settings", "w-anna") === "waiting");
  const again = await own.open();
  equal(again.documentSettings.value.phone, "123");
  server.proxy = null;
  await until(() => {
    void again.tryAgain();
    return server.accounts.get("anna@example.org")?.settings.phone === "123";
  });
});

test("two pages tell each other the change, and none reads the database again", async () => {
  const server = service("anna");
  const own = browser(server);
  const [one, other] = [await own.open(), await own.open()];
  await one.signIn("anna@example.org", "right");
  await until(() => other.session.value.phase === "signed-in" && other.hasOrders.value);
  own.idb.faults.isFull = true;
  server.proxy = { status: 502 };
  one.createOrder("Oak table");
  await until(() => other.orders.value.length === 1);
  // Not stored anywhere, and not taken away by what the other page does.
  other.createOrder("Oak bench");
  await until(() => one.orders.value.length === 2);
  equal(one.items.value.length, 2);
});

test("an account that was closed with unsent changes has all its data again after it signs in", async () => {
  const { server, own, app } = await waiting();
  server.proxy = null;
  const sent = ["One", "Two", "Three"].map((title) => app.createOrder(title));
  const present = await Promise.all(sent.map(app.settle));
  server.proxy = { status: 502 };
  app.createOrder("Not sent");
  await app.replica.saved();
  server.proxy = null;
  server.signIn(own, "ben");
  const ben = await own.open();
  await until(() => ben.session.value.phase === "signed-in" && ben.sealed.value["anna@example.org"]);
  const kept = own.idb.databases.get("backbench-anna%40example.org");
  const facts = [...kept?.get("facts")?.keys() ?? []];
  // What waits, such as a photo of such an order, may have the id that this device gave it.
  equal([kept?.get("objects")?.size, facts.sort(), kept?.get("outbox")?.size], [
    0,
    sent.map((id) => `replaced:${id}`).sort(),
    1,
  ]);
  equal(ben.sealed.value["anna@example.org"].waiting, 1);
  server.signIn(own, "anna");
  const anna = await own.open();
  await until(() => anna.items.value.length === 0 && anna.orders.value.length === 4);
  equal(sent.map(anna.replaced), present);
  equal([anna.sealed.value, server.orders("ben")], [{}, []]);
});

test("signing out deletes the database, although another page has it open", async () => {
  const server = service("anna");
  const own = browser(server);
  const [one, other] = [await own.open(), await own.open()];
  await one.signIn("anna@example.org", "right");
  await until(() => other.isOpen.value);
  await one.signOut();
  other.createOrder("Too late");
  await other.replica.saved();
  equal([...own.idb.databases.keys()], []);
});

test("what could not be read when a session had ended is kept, said, and sent after the next sign-in", async () => {
  const { server, own, app } = await waiting();
  app.createOrder("Not sent");
  await app.replica.saved();
  server.proxy = null;
  own.cookies.token = "";
  // As iOS does: the database is there, and cannot be opened now.
  own.idb.faults.lost = "backbench-anna%40example.org";
  const locked = await own.open();
  equal([locked.session.value.phase, stored(own).length], ["signed-out", 1]);
  equal(locked.sealed.value["anna@example.org"], { name: "anna@example.org", waiting: null });
  await locked.sealOthers();
  equal(locked.sealed.value["anna@example.org"].waiting, 1);
  equal([...own.idb.databases.get("backbench-anna%40example.org")?.get("objects")?.keys() ?? []], []);
  await locked.signIn("anna@example.org", "right");
  await until(() => server.orders("anna").length === 1);
});

test("what was typed and not sent is kept when a session has ended", async () => {
  const { server, own, app } = await waiting();
  server.proxy = null;
  app.keepDraft("estimate-1", "It will be ready on");
  await until(() =>
    own.idb.databases.get("backbench-anna%40example.org")?.get("facts")?.has("drafts:w-anna")
  );
  own.cookies.token = "";
  const locked = await own.open();
  equal(locked.sealed.value["anna@example.org"].waiting, 1);
  await locked.signIn("anna@example.org", "right");
  await until(() => locked.draftOf("estimate-1") === "It will be ready on");
});

test("a database that another page keeps open holds up no sign-out, and goes at the next start", async () => {
  const { server, own, app } = await waiting();
  server.proxy = null;
  own.idb.faults.isHeld = true;
  await own.hurry(app.signOut());
  equal(own.loaded, ["/sign-in"]);
  own.idb.faults.isHeld = false;
  const next = await own.open();
  equal(next.session.value.phase, "signed-out");
  await next.sealOthers();
  equal([[...own.idb.databases.keys()], next.sealed.value], [[], {}]);
});

test("databases that were left before are removed, except those with what was not sent", async () => {
  const { own, app } = await waiting();
  app.createOrder("Not sent");
  await app.replica.saved();
  own.storage.clear();
  own.cookies.token = "";
  own.idb.databases.set("backbench-photos-eve%40example.org", new Map([["photos", new Map()]]));
  const next = await own.open();
  await next.sealOthers();
  equal([...own.idb.databases.keys()], ["backbench-anna%40example.org"]);
  equal(Object.keys(next.sealed.value), ["anna@example.org"]);
});

test("where what is stored cannot be read once, the lists are asked for, and nothing is stale later", async () => {
  const session = new Map();
  const { server, own, app } = await waiting(session);
  server.proxy = null;
  for (const title of ["One", "Two", "Three"]) await app.settle(app.createOrder(title));
  server.proxy = { status: 502 };
  app.createOrder("Not sent");
  app.keepDraft("estimate-1", "Before");
  // As a page that was closed.
  app.pause();
  await app.replica.saved();
  server.proxy = null;
  // Somebody else has deleted it, which only the lists say.
  server.orders("anna").shift();
  own.idb.faults.unread = 1_000;
  server.asked = [];
  const lists = Promise.withResolvers();
  server.before = async ({ path }) => {
    if (path.endsWith("/orders")) await lists.promise;
  };
  const again = await own.open(session);
  equal([again.isNewWorkshop.value, again.hasOrders.value], [false, false]);
  lists.resolve(undefined);
  await until(() => again.orders.value.length === 2);
  equal(again.statuses.value[0].name, "notStored");
  again.keepDraft("estimate-2", "After");
  again.createOrder("New");
  await until(() => server.orders("anna").length === 3);
  own.idb.faults.unread = 0;
  again.tryAgain();
  await until(() => server.orders("anna").length === 4);
  const titles = ["New", "Not sent", "Three", "Two"];
  await until(() => again.orders.value.length === 4);
  await until(() => again.statuses.value.length === 0);
  const shown = (/** @type {any} */ page) =>
    page.orders.value.map((/** @type {any} */ { title }) => title).sort();
  equal(shown(again), titles);
  await until(() => again.draftOf("estimate-1") === "Before" && again.draftOf("estimate-2") === "After");
  await again.replica.saved();
  const third = await own.open();
  equal(shown(third), titles);
  await until(() => third.draftOf("estimate-1") === "Before" && third.draftOf("estimate-2") === "After");
});

test("an intake is kept letter by letter with its photos, for its account, until it is taken in", async () => {
  const { server, own, app } = await waiting();
  server.proxy = null;
  await until(() => app.intake.intakeIn("w-anna"));
  app.intake.set({ what: "Gold ring" });
  const id = app.intake.set({ condition: ["scratched"], limit: 40 });
  await app.addPhotos(id, [new Blob(["jpeg"], { type: "image/jpeg" })]);
  await app.replica.saved();
  // The page is thrown away while the camera is open.
  server.signIn(own, "ben");
  const ben = await own.open();
  await until(() => ben.hasOrders.value && ben.intake.intakeIn("w-ben"));
  equal([ben.intake.draft.value.what, ben.waiting.value], ["", []]);
  server.signIn(own, "anna");
  const again = await own.open();
  await until(() => again.waiting.value.length === 1 && again.intake.draft.value.what !== "");
  const { what, condition, limit, orderId } = again.intake.draft.value;
  equal([what, condition, limit, orderId], ["Gold ring", ["scratched"], 40, id]);
  equal([again.connection.value.refused, again.draftCount.value, server.photos("anna")], [0, 1, []]);
  again.createOrder(what, "", orderId);
  again.intake.clear();
  await until(() => server.photos("anna").length === 1);
  equal([server.photos("anna")[0].orderId, again.intake.draft.value.what], [server.orders("anna")[0].id, ""]);
  equal(again.draftCount.value, 0);
});

test("an intake that was taken in by a page that could not forget it is not offered again", async () => {
  const { server, own, app } = await waiting();
  await until(() => app.intake.intakeIn("w-anna"));
  const id = app.intake.set({ what: "Gold ring" });
  app.createOrder("Gold ring", "", id);
  equal(app.intake.draft.value.what, "");
  await app.replica.saved();
  server.proxy = null;
  const again = await own.open();
  await until(() => again.intake.intakeIn("w-anna"));
  equal(again.intake.draft.value.what, "");
});

test("two pages of a browser show what is typed in the other, and write over nothing of it", async () => {
  const { server, own, app } = await waiting();
  server.proxy = null;
  const other = await own.open();
  await until(() => other.intake.intakeIn("w-anna") && app.intake.intakeIn("w-anna"));
  app.intake.set({ what: "Gold ring" });
  await until(() => other.intake.draft.value.what === "Gold ring");
  other.keepDraft("estimate-1", "Soon");
  await until(() => app.draftOf("estimate-1") === "Soon");
  equal(app.intake.draft.value.what, "Gold ring");
});
