// Pages for tests: a service with accounts, and a browser whose pages run the app's own state modules. Each page has a
// copy of the modules; cookies, local storage, the local database and messages between pages are the browser's.

import { clockOf } from "../dom/clock.js";
import { channels } from "../dom/connections.js";
import { packsOf } from "../dom/packs.js";
import { fakeIdb } from "./fake_idb.js";

const SOURCE = new URL("../../../src/backbench/web/app/", import.meta.url);
const PACKS = new URL("../../../build/pages/packs.json", import.meta.url);

/** `endsSession`: it clears the cookies. @typedef {{status: number, body?: any, headers?: Record<string, string>, endsSession?: boolean}} Given */
/** @typedef {{method: string, path: string, query: URLSearchParams, by: string, token: string, key?: string, body: any}} Asked */

/** @typedef {ReturnType<typeof accountOf>} Account */
/** @typedef {{cookies: {token: string}}} Jar of a browser */
/**
 * `isWeak`: its tags come through a proxy that compresses. `proxy` is what a proxy says instead of the service; `before`
 * is called before each request is answered, `after` before its response arrives; `signIn` starts a session in a browser,
 * as a link in an email does.
 * @typedef {{accounts: Map<string, ReturnType<typeof accountOf>>, sessions: Map<string, string>, asked: Asked[],
 *   isWeak: boolean, proxy: Given | null, before: (asked: Asked) => Promise<void> | void,
 *   after: (asked: Asked) => Promise<void> | void, signIn: (of: Jar, name: string) => void, orders: (name: string) => any[],
 *   photos: (name: string) => any[]}} Service
 */

/** A service with an account and a workshop for each name. @param {string[]} names @returns {Service} */
export function service(...names) {
  const accounts = new Map(names.map((name) => [`${name}@example.org`, accountOf(name)]));
  /** The accounts of the sessions. @type {Map<string, string>} */
  const sessions = new Map();
  /** @type {Service} */
  const made = {
    accounts,
    sessions,
    asked: [],
    isWeak: false,
    proxy: null,
    before: () => {},
    after: () => {},
    signIn: ({ cookies }, name) => {
      sessions.delete(cookies.token);
      cookies.token = `${name}-${made.asked.length}`;
      sessions.set(cookies.token, `${name}@example.org`);
    },
    orders: (name) => accounts.get(`${name}@example.org`)?.orders ?? [],
    photos: (name) => accounts.get(`${name}@example.org`)?.photos ?? [],
  };
  return made;
}

/** @param {string} name */
function accountOf(name) {
  const at = "2026-11-22T08:00:00.000Z";
  const member = { id: `uid-${name}`, name, role: "owner" };
  return {
    me: { name, email: `${name}@example.org`, locale: "en", signInMethods: ["password"] },
    workshops: [{ id: `w-${name}`, name: `Of ${name}`, isDefault: true, members: [member], createdAt: at }],
    /** @type {any[]} */ orders: [],
    /** Of estimates, latest changed first. @type {any[]} */ summaries: [],
    /** What lists show else since the beginning, one after the other. @type {any[]} */ changed: [],
    /** @type {any[]} */ orderSummaries: [],
    /** Whether a device has to load the lists anew. */ isReset: false,
    /** @type {any[]} */ photos: [],
    /** How many orders were made. */ made: 0,
    settings: { currency: "EUR", phone: "" },
  };
}

/** @param {Service} server @param {Jar} of @param {Asked} asked @returns {Given} */
function answer(server, of, { method, path, query, token, key = "", body }) {
  if (path === "/authenticate") {
    const name = body.email.split("@")[0];
    if (body.password !== "right") return { status: 401, body: { code: "unauthenticated" } };
    server.signIn(of, name);
    return { status: 200, body: { user: { uid: `uid-${name}`, email: body.email, locale: "en" } } };
  }
  const account = server.accounts.get(server.sessions.get(of.cookies.token) ?? "");
  if (!account) return { status: 401 };
  if (method !== "GET" && token !== of.cookies.token) return { status: 403 };
  if (path === "/logout") {
    server.sessions.delete(of.cookies.token);
    return { status: 204, endsSession: true };
  }
  if (path === "/me" && method === "DELETE") return deleteAccount(server, account, body);
  if (path === "/boot") {
    const [workshop] = account.workshops;
    const uid = `uid-${account.me.name}`;
    const of = workshop &&
      { workshopId: workshop.id, cursor: "1", summaries: account.orderSummaries, counts: {}, unread: 0 };
    return { status: 200, body: { uid, profile: account.me, workshops: account.workshops, ...of } };
  }
  if (path === "/me") return { status: 200, body: account.me };
  if (path === "/workshops") return { status: 200, body: { workshops: account.workshops } };
  if (method === "GET" && path.endsWith("/orders")) return page("orders", account.orders, query);
  if (path.endsWith("/estimate-summaries")) return page("summaries", account.summaries, query);
  return ofWorkshop(account, method, path, body, key, query);
}

/** @param {Service} server @param {ReturnType<typeof accountOf>} account @param {any} body @returns {Given} */
function deleteAccount(server, { me: { email } }, body) {
  if (body.password !== "right") return { status: 400, body: { code: "wrong_password" } };
  server.accounts.delete(email);
  for (const [token, of] of server.sessions) if (of === email) server.sessions.delete(token);
  return { status: 204, endsSession: true };
}

/** A page of a list; a cursor is the id of the last row before it. @param {string} member @param {any[]} rows @param {URLSearchParams} query @returns {Given} */
function page(member, rows, query) {
  const status = query.get("status");
  const found = rows.filter((row) => !status || row.status === status);
  const idOf = (/** @type {any} */ row) => row.id ?? row.estimateId;
  const from = found.findIndex((row) => idOf(row) === query.get("cursor")) + 1;
  const next = from + Number(query.get("limit") || found.length);
  const link = `</api/${member}?cursor=${idOf(found[next - 1] ?? {})}>; rel="next"`;
  return {
    status: 200,
    body: { [member]: found.slice(from, next) },
    headers: { "X-Request-Id": "1", ...(next < found.length ? { Link: link } : {}) },
  };
}

/** @param {ReturnType<typeof accountOf>} account @param {string} method @param {string} path @param {any} body @param {string} key @param {URLSearchParams} query @returns {Given} */
function ofWorkshop(account, method, path, body, key, query) {
  const [, first, id = "", list = ""] = path.split("/");
  if (first === "orders" && list === "photos") return ofPhotos(account, method, id, key);
  if (first === "orders") return editOrder(account, id, body);
  if (!account.workshops.some((one) => one.id === id)) return { status: 403 };
  if (list === "changes") {
    const members = [
      "orders",
      "orderDetails",
      "estimates",
      "grids",
      "payments",
      "photos",
      "customers",
      "inbox",
    ];
    const none = Object.fromEntries(
      [...members, "orderSummaries", "estimateSummaries", "removed"].map((one) => [one, []]),
    );
    const reset = account.isReset;
    account.isReset = false;
    const estimateSummaries = account.changed.slice(
      Number(query.get("since") || account.changed.length + 1) - 1,
    );
    const cursor = String(account.changed.length + 1);
    return { status: 200, body: { ...none, estimateSummaries, cursor, more: false, reset } };
  }
  if (list === "document-settings") {
    if (method === "PUT") account.settings = body;
    return { status: 200, body: account.settings };
  }
  if (list === "inbox") return { status: 200, body: { items: [] } };
  if (list === "order-summaries") {
    const [ids, collected] = [query.get("ids")?.split(","), query.get("collected")];
    const summaries = account.orderSummaries.filter(({ orderId, collectedAt }) =>
      ids ? ids.includes(orderId) : String(!!collectedAt) === collected
    );
    return { status: 200, body: { summaries } };
  }
  if (list === "entitlements") return { status: 200, body: {} };
  if (method === "GET") return { status: 200, body: { [list]: [] } };
  const order = {
    ...body,
    id: `order-${account.made++}-${account.me.name}`,
    workshopId: id,
    status: "todo",
  };
  account.orders.push({ notes: "", statusHistory: [], lastActivityAt: "", createdAt: "", ...order });
  return { status: 201, body: account.orders.at(-1) };
}

/** @param {ReturnType<typeof accountOf>} account @param {string} id @param {any} body @returns {Given} */
function editOrder(account, id, body) {
  const found = account.orders.find((one) => one.id === id);
  if (!found) return { status: 404 };
  if (!body) return { status: 200, body: { order: found } };
  Object.assign(found, body);
  return { status: 200, body: found };
}

/** @param {ReturnType<typeof accountOf>} account @param {string} method @param {string} orderId @param {string} key @returns {Given} */
function ofPhotos({ orders, photos }, method, orderId, key) {
  if (!orders.some(({ id }) => id === orderId)) return { status: 404 };
  if (method === "GET") {
    return {
      status: 200,
      body: { photos: photos.filter((one) => one.orderId === orderId) },
    };
  }
  const known = photos.find((one) => one.id === `photo-${key}`);
  if (!known) photos.push({ id: `photo-${key}`, orderId, kind: "before", shared: false });
  return { status: 201, body: known ?? photos.at(-1) };
}

/** @type {ReturnType<typeof packsOf> | undefined} */
let modulesOf;

/** A browser of its own. @param {Service} server @param {{hasStorage?: boolean}} [options] */
export function browser(server, { hasStorage = true } = {}) {
  const made = {
    cookies: { token: "" },
    storage: /** @type {Map<string, string>} */ (new Map()),
    idb: fakeIdb(),
    /** Hears what happens to the window; `offline` and `online` change what the browser says of its connection. */
    events: new EventTarget(),
    navigator: { onLine: true, language: "en" },
    /** The If-Match of requests. @type {string[]} */ tags: [],
    /** Where pages went, instead of loading it. @type {string[]} */ loaded: [],
    /** Those of its pages. @type {ReturnType<typeof clockOf>[]} */ clocks: [],
    /** Event streams that are open. @type {Set<any>} */ streams: new Set(),
  };
  made.idb.faults.isRefused = !hasStorage;
  for (const type of ["offline", "online"]) {
    made.events.addEventListener(type, () => (made.navigator.onLine = type === "online"));
  }
  const shared = globalsOf(server, made);
  return {
    ...made,
    /** Opens a page; with the session storage of another one it is that one, loaded again. `loaded` is where this page goes; one that `isEarly` was not painted yet. @param {Map<string, string>} [session] */
    open: (
      session = new Map(),
      /** Where this page went. @type {string[]} */ loaded = [],
      isEarly = false,
    ) => {
      const clock = clockOf();
      made.clocks.push(clock);
      return load({
        ...clock.globals,
        ...shared,
        location: {
          pathname: "/",
          replace: (/** @type {string} */ to) => void [made.loaded, loaded].map((one) => one.push(to)),
        },
        localStorage: storageOf(made.storage, hasStorage),
        sessionStorage: storageOf(session, hasStorage),
      }, isEarly);
    },
    /** Puts the clocks of its pages forward until the work is done. @template T @param {Promise<T>} work */
    hurry: async (work) => {
      let isDone = false;
      void work.catch(() => {}).finally(() => (isDone = true));
      while (!isDone) {
        await new Promise((settle) => setTimeout(settle, 5));
        await Promise.all(made.clocks.map((clock) => clock.pass(MOMENT)));
      }
      return await work;
    },
  };
}

// In milliseconds.
const MOMENT = 250;

/** @param {Service} server @param {any} made */
function fetchOf(server, made) {
  return async (/** @type {string} */ url, /** @type {any} */ init = {}) => {
    const path = url.replace(/^\/api/, "").replace(/\?.*/, "");
    const query = new URLSearchParams(url.split("?")[1] ?? "");
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const token = init.headers?.get("X-CSRF-Token") ?? "";
    const key = init.headers?.get("Idempotency-Key") ?? "";
    const asked = { method: init.method ?? "GET", path, query, by: made.cookies.token, token, key, body };
    server.asked.push(asked);
    const tag = init.headers?.get("If-Match");
    if (tag) made.tags.push(tag);
    await server.before(asked);
    init.signal?.throwIfAborted();
    const given = server.proxy ?? answer(server, made, asked);
    await server.after(asked);
    init.signal?.throwIfAborted();
    if (given.endsSession) made.cookies.token = "";
    const headers = new Headers(given.headers ?? (server.proxy ? {} : { "X-Request-Id": "1" }));
    const text = given.body === undefined ? "" : JSON.stringify(given.body);
    if (!server.proxy && text) headers.set("ETag", `${server.isWeak ? "W/" : ""}"${text.length}"`);
    return new Response(given.status === 204 ? null : text, { status: given.status, headers });
  };
}

/** @param {Map<string, string>} values @param {boolean} isAllowed */
function storageOf(values, isAllowed) {
  const check = () => {
    if (!isAllowed) throw new DOMException("refused", "SecurityError");
  };
  return {
    getItem: (/** @type {string} */ key) => (check(), values.get(key) ?? null),
    setItem: (
      /** @type {string} */ key,
      /** @type {string} */ value,
    ) => (check(), void values.set(key, value)),
    removeItem: (/** @type {string} */ key) => (check(), void values.delete(key)),
  };
}

/** What the pages of a browser see as globals. Plain http: there are no locks. @param {Service} server @param {any} made */
function globalsOf(server, made) {
  return {
    fetch: fetchOf(server, made),
    fakeIdb: made.idb,
    indexedDB: { databases: () => Promise.resolve([...made.idb.databases.keys()].map((name) => ({ name }))) },
    IDBKeyRange: { bound: (/** @type {string} */ from, /** @type {string} */ to) => ({ from, to }) },
    addEventListener: made.events.addEventListener.bind(made.events),
    navigator: made.navigator,
    BroadcastChannel: channels(),
    EventSource: streams(made),
    requestAnimationFrame: (/** @type {() => void} */ work) => void setTimeout(work),
    document: {
      get cookie() {
        return made.cookies.token && `csrf-token=${made.cookies.token}`;
      },
      visibilityState: "visible",
      documentElement: { dataset: {} },
      querySelector: () => null,
      addEventListener: () => {},
    },
  };
}

/** @param {any} made */
function streams(made) {
  return class extends EventTarget {
    /** @param {string} url */
    constructor(url) {
      super();
      this.url = url;
      made.streams.add(this);
    }
    /** @param {string} type @param {string} [data] */
    send(type, data = "") {
      this.dispatchEvent(new MessageEvent(type, { data }));
    }
    close() {
      made.streams.delete(this);
    }
  };
}

/** The app's modules in few files, by their paths. @returns {Record<string, string>} */
function readPacks() {
  const built = Deno.statSync(PACKS).mtime ?? 0;
  const newer = newestIn(SOURCE) > built || newestIn(new URL(".", import.meta.url)) > built;
  if (newer) {
    throw new Error("The modules have changed since: run `.venv/bin/python -m tests.web.test_units`");
  }
  return JSON.parse(Deno.readTextFileSync(PACKS));
}

/** @param {URL} folder @returns {Date | number} */
function newestIn(folder) {
  return [...Deno.readDirSync(folder)].reduce((newest, { name, isDirectory }) => {
    const path = new URL(isDirectory ? `${name}/` : name, folder);
    const changed = isDirectory ? newestIn(path) : name.endsWith(".js") ? Deno.statSync(path).mtime ?? 0 : 0;
    return changed > newest ? changed : newest;
  }, /** @type {Date | number} */ (0));
}

/** Loads the app's modules anew, with the browser's globals in the place of this process's. @param {Record<string, any>} globals @param {boolean} isEarly */
async function load(globals, isEarly) {
  modulesOf ??= packsOf(readPacks());
  const { $page_modules } = modulesOf(globals).load("page_modules.js");
  const { app } = $page_modules;
  app.startWorkshops();
  await app.startSession();
  if (isEarly) return app;
  app.rendered();
  const { first, isOpen, session } = app;
  if (first.peek()) await until(() => isOpen.value || session.value.phase !== "signed-in");
  return app;
}

/** Waits until a condition holds. @param {() => unknown} condition @param {string} [what] */
export async function until(condition, what = String(condition)) {
  for (let turn = 0; turn < 2000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`never: ${what}`);
}
