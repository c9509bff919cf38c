// An account is a page: what two accounts, two pages, links in emails and ended sessions do to what this browser keeps.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({ name, fn: work, sanitizeOps: false, sanitizeResources: false });

/** What this browser keeps of an account, by kind and id. @param {any} own @param {string} name */
const kept = (
  own,
  name,
) => [...own.idb.databases.get(`backbench-${name}%40example.org`)?.get("objects")?.keys() ?? []];

/** @param {any} app @param {string} name */
async function signedIn(app, name) {
  await app.signIn(`${name}@example.org`, "right");
  await until(() => app.session.value.phase === "signed-in" && app.hasOrders.value);
}

test("the stream of an account is closed before another one signs in", async () => {
  const server = service("anna", "ben");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  await until(() => own.streams.size === 1);
  server.before = ({ path, by }) => {
    if (path === "/authenticate") equal([own.streams.size, by.split("-")[0]], [0, "anna"]);
    if (path.includes("w-anna") && by.startsWith("ben")) throw new Error("asked for Anna's workshop as Ben");
  };
  server.before({ method: "", path: "", query: new URLSearchParams(), by: "", token: "", body: null });
  const id = app.createOrder("Oak table");
  await app.settle(id);
  server.proxy = { status: 502 };
  app.createOrder("Not sent");
  server.proxy = null;
  const signing = app.signIn("ben@example.org", "right");
  own.events.dispatchEvent(new Event("online"));
  await signing;
  await until(() => own.loaded.length > 0);
  equal(own.loaded, ["/"]);
  equal(server.asked.filter(({ path, by }) => path.includes("w-anna") && by.startsWith("ben")), []);
  equal(server.orders("ben"), []);
});

test("a wrong password leaves the account that is signed in as it was", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  await app.signIn("anna@example.org", "wrong").catch(() => {});
  equal([app.session.value.phase, app.isOpen.value], ["signed-in", true]);
  await app.settle(app.createOrder("Oak table"));
  equal(server.orders("anna").length, 1);
});

test("another page of the browser follows the account", async () => {
  const server = service("anna", "ben");
  const own = browser(server);
  const [one, other] = [await own.open(), await own.open()];
  await signedIn(one, "anna");
  await until(() => other.session.value.phase === "signed-in");
  await one.signOut();
  await until(() => own.loaded.length === 2);
  equal(own.loaded.sort(), ["/", "/sign-in"]);
  equal(server.sessions.size, 0);
});

test("a page whose cookies became another account's sends nothing for it", async () => {
  const server = service("anna", "ben");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  // A link in an email, in another page.
  server.signIn(own, "ben");
  app.createOrder("Anna's");
  await until(() => own.loaded.length > 0);
  equal(own.loaded, ["/"]);
  equal(server.asked.filter(({ path, by }) => path.includes("w-anna") && by.startsWith("ben")), []);
  equal([server.orders("anna"), server.orders("ben")], [[], []]);
  equal(app.signedIn().name, "ben@example.org");
  equal(kept(own, "anna"), ["profile,me", "workshop,w-anna", "settings,w-anna"]);
});

test("a response that came with another account's cookies changes nothing", async () => {
  const server = service("anna", "ben");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  const id = await app.settle(app.createOrder("Oak table"));
  // The cookies change between the check and the request.
  server.before = ({ path, by }) => {
    if (path === "/workshops" && by.startsWith("anna")) server.signIn(own, "ben");
  };
  await app.loadWorkshops();
  await until(() => own.loaded.length > 0);
  equal(kept(own, "anna").filter((name) => name.startsWith("workshop") || name.endsWith(id)), [
    "workshop,w-anna",
    `order,${id}`,
  ]);
});

test("a page that starts with another account's cookies shows nothing of the first", async () => {
  const server = service("anna", "ben");
  const own = browser(server);
  await signedIn(await own.open(), "anna");
  server.signIn(own, "ben");
  const app = await own.open();
  await until(() => app.session.value.phase === "signed-in");
  equal([app.session.value.me.name, app.workshops.value.map((/** @type {any} */ one) => one.id)], ["ben", [
    "w-ben",
  ]]);
  equal(server.asked.filter(({ path, by }) => path.includes("w-anna") && by.startsWith("ben")), []);
});

test("the same account signs in again and goes on", async () => {
  const server = service("anna");
  const own = browser(server);
  const [app, other] = [await own.open(), await own.open()];
  await signedIn(app, "anna");
  await until(() => other.isListed.value);
  server.sessions.clear();
  await other.refresh();
  const id = app.createOrder("Oak table");
  await until(() => [app, other].every(({ session }) => session.value.phase === "expired"));
  equal(app.statuses.value[0], { name: "expired", count: 1 });
  await app.signIn("anna@example.org", "right");
  await app.settle(id);
  await until(() => other.session.value.phase === "signed-in");
  equal([server.orders("anna").length, own.loaded], [1, []]);
});

test("the data of an ended session is not shown by a page that is loaded, and is not kept", async () => {
  const server = service("anna");
  const own = browser(server);
  const first = await own.open();
  await signedIn(first, "anna");
  await first.settle(first.createOrder("Oak table"));
  server.proxy = { status: 502 };
  first.createOrder("Not sent");
  await first.replica.saved();
  server.sessions.clear();
  server.proxy = null;
  // The page that was open before may find it out, too.
  /** @type {string[]} */
  const loaded = [];
  const app = await own.open(new Map(), loaded);
  await until(() => app.session.value.phase === "signed-out" || loaded.length > 0);
  equal([app.signedIn().name, app.isOpen.value, kept(own, "anna")], ["", false, []]);
  equal(app.sealed.value["anna@example.org"].waiting, 1);
});

test("without cookies nothing is shown, and what was not sent is kept", async () => {
  const server = service("anna");
  const own = browser(server);
  const first = await own.open();
  await signedIn(first, "anna");
  server.proxy = { status: 502 };
  first.createOrder("Not sent");
  await first.replica.saved();
  own.cookies.token = "";
  const app = await own.open();
  equal([app.session.value.phase, app.orders.value, kept(own, "anna")], ["signed-out", [], []]);
  equal(app.sealed.value["anna@example.org"].waiting, 1);
});

test("a sign-in after cookies of an ended session lists the workshops", async () => {
  const server = service("anna");
  const own = browser(server);
  own.cookies.token = "ended";
  const app = await own.open();
  await until(() => app.session.value.phase === "signed-out");
  await signedIn(app, "anna");
  equal(app.workshop.value.id, "w-anna");
});

test("a browser without storage has an account as long as its page", async () => {
  const server = service("anna");
  const own = browser(server, { hasStorage: false });
  const app = await own.open();
  await signedIn(app, "anna");
  await app.settle(app.createOrder("Oak table"));
  equal([server.orders("anna").length, own.loaded], [1, []]);
  equal(app.statuses.value[0]?.name, "notStored");
});

test("a workshop that the account has left goes from this browser, by the list alone", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  await app.settle(app.createOrder("Oak table"));
  const anna = server.accounts.get("anna@example.org");
  if (anna) anna.workshops = [];
  await app.refresh();
  await until(() => app.workshops.value.length === 0);
  equal([app.replica.views.order.value.size, app.left.value], [0, "Of anna"]);
});

/** The names of the facts about a workshop that the app stores. */
async function factNames() {
  const names = new Set();
  for (const folder of ["", "sync/"]) {
    const path = `src/backbench/web/app/state/${folder}`;
    for await (const { isFile, name } of Deno.readDir(path)) {
      const text = isFile ? await Deno.readTextFile(path + name) : "";
      for (const found of text.matchAll(/`(\w+):\$\{\w+\}`/g)) names.add(found[1]);
    }
  }
  return [...names].sort();
}

test("of a workshop that the account has left, no fact is kept", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  const names = await factNames();
  equal(names.length > 5, true);
  const facts = names.flatMap((
    name,
  ) => [[`${name}:w-anna`, "of this one"], [`${name}:w-other`, "of another"]]);
  await app.replica.commit({ facts: Object.fromEntries(facts) });
  const anna = server.accounts.get("anna@example.org");
  if (anna) anna.workshops = [];
  await app.refresh();
  await until(() => app.workshops.value.length === 0);
  await app.replica.saved();
  const left = [...own.idb.databases.get("backbench-anna%40example.org")?.get("facts")?.keys() ?? []];
  equal(left.filter((key) => key.endsWith(":w-anna")), []);
  equal(left.filter((key) => key.endsWith(":w-other")).length, names.length);
});

test("neither address nor id of an account is left in the browser after it has signed out", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  const named = () => [...own.storage].flat().filter((text) => /anna@|uid-anna/.test(text));
  equal(named().length > 0, true);
  await app.signOut();
  await until(() => own.loaded.length > 0);
  equal(named(), []);
});

/** What this browser still has of an account. @param {any} own @param {string} name */
const leftOf = (own, name) => [
  ...[...own.idb.databases.keys()].filter((key) => key.includes(`${name}%40`)),
  ...[...own.storage].flat().filter((text) => text.includes(`${name}@`) || text.includes(`uid-${name}`)),
];

/** Lets what is under way go on. */
const others = () => new Promise((resolve) => setTimeout(resolve, 50));

/** @type {Record<string, {isEnd: (asked: import("./pages.js").Asked) => boolean, end: (app: any) => Promise<void>}>} */
const ENDINGS = {
  "deletes the account": {
    isEnd: ({ method, path }) => method === "DELETE" && path === "/me",
    end: (app) => app.deleteAccount("right"),
  },
  "signs out": { isEnd: ({ path }) => path === "/logout", end: (app) => app.signOut() },
};
/** Requests that are under way when the session ends; `isOfStart`: of a page that was just loaded. */
const UNDER_WAY = {
  "the changes are": { path: "/workshops/w-anna/changes", isOfStart: false },
  "the profile is": { path: "/boot", isOfStart: true },
};

for (const [ending, { isEnd, end }] of Object.entries(ENDINGS)) {
  for (const [what, { path, isOfStart }] of Object.entries(UNDER_WAY)) {
    for (const status of [401, 200]) {
      test(`who ${ending} leaves nothing, where ${what} answered ${status} before`, async () => {
        const server = service("anna");
        const own = browser(server);
        /** @type {string[]} */
        const loaded = [];
        const app = await own.open(new Map(), isOfStart ? [] : loaded);
        await signedIn(app, "anna");
        await until(() => app.isListed.value);
        /** @type {import("./pages.js").Asked[]} */
        let sent = [];
        /** @type {any} */
        let page = app;
        const asked = Promise.withResolvers();
        const ended = Promise.withResolvers();
        /** @param {import("./pages.js").Asked} request */
        const hold = async (request) => {
          if (request.method !== "GET" || request.path !== path) return;
          asked.resolve(undefined);
          await ended.promise;
        };
        if (status === 401) server.before = hold;
        server.after = async (request) => {
          if (status === 200) await hold(request);
          if (!isEnd(request)) return;
          const before = server.asked.length;
          ended.resolve(undefined);
          await others();
          sent = server.asked.slice(before);
        };
        if (isOfStart) page = await own.open(new Map(), loaded);
        else void app.refresh();
        await asked.promise;
        await others();
        server.proxy = { status: 502 };
        app.createOrder("Not sent");
        await others();
        server.proxy = null;
        await end(page);
        await others();
        equal(sent, [], "nothing else is sent meanwhile");
        // Once: it is not left before what it removes is gone.
        equal(loaded, ["/sign-in"]);
        equal([leftOf(own, "anna"), server.sessions.size], [[], 0]);
      });
    }
  }
}

test("who deletes the account leaves nothing, where another page has found the session ended before", async () => {
  const server = service("anna");
  const own = browser(server);
  /** @type {string[]} */
  const loaded = [];
  const app = await own.open(new Map(), loaded);
  await signedIn(app, "anna");
  const [asked, ended] = [Promise.withResolvers(), Promise.withResolvers()];
  server.before = async ({ method, path }) => {
    if (method !== "GET" || path !== "/boot") return;
    asked.resolve(undefined);
    await ended.promise;
  };
  server.after = async (request) => {
    if (!ENDINGS["deletes the account"]?.isEnd(request)) return;
    ended.resolve(undefined);
    await until(() => own.loaded.length > 0, "the other page has left");
  };
  await own.open();
  await asked.promise;
  server.proxy = { status: 502 };
  app.createOrder("Not sent");
  await others();
  server.proxy = null;
  await app.deleteAccount("right");
  await others();
  equal([loaded, leftOf(own, "anna")], [["/sign-in"], []]);
});

test("a deletion with the wrong password leaves the account as it was", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  const problem = await app.deleteAccount("wrong").catch((/** @type {any} */ error) => error);
  equal([problem.code, app.session.value.phase, app.isOpen.value], ["wrong_password", "signed-in", true]);
  await app.settle(app.createOrder("Oak table"));
  equal([server.orders("anna").length, own.loaded], [1, []]);
});

test("a deletion after the session has ended asks to sign in again, and deletes then", async () => {
  const server = service("anna");
  const own = browser(server);
  const app = await own.open();
  await signedIn(app, "anna");
  await until(() => app.isListed.value);
  server.sessions.clear();
  const problem = await app.deleteAccount("right").catch((/** @type {any} */ error) => error);
  await until(() => app.session.value.phase === "expired");
  equal([problem.status, own.loaded, server.accounts.size], [401, [], 1]);
  await app.signIn("anna@example.org", "right");
  await app.deleteAccount("right");
  equal([own.loaded, leftOf(own, "anna"), server.accounts.size], [["/sign-in"], [], 0]);
});

test("no module remembers whose page it is while it is loaded, when that is not known", async () => {
  const found = [];
  for (const folder of ["state", "state/sync", "local", "components", "screens"]) {
    const path = `src/backbench/web/app/${folder}/`;
    for await (const { isFile, name } of Deno.readDir(path)) {
      const text = isFile ? await Deno.readTextFile(path + name) : "";
      // A statement at the top of a module, and not a function that is called later.
      const early = text.matchAll(/^(?:export )?(?:const|let) [^=\n]*= (?![^\n]*=>)[^\n]*\bsignedIn\(\)/gm);
      found.push(...[...early].map(([line]) => `${path}${name}: ${line}`));
    }
  }
  equal(found, []);
});
