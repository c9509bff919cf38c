// A browser without layout: pages of the app with its own modules, a document, storage and cookies, on requests to the
// service that runs.

import { fakeIdb } from "../unit/fake_idb.js";
import { clockOf } from "./clock.js";
import { channels, eventSource } from "./connections.js";
import { focusFirst, press } from "./input.js";
import { matching } from "./locators.js";
import { packsOf } from "./packs.js";
import { Window } from "./vendor/happy-dom.js";

const [FILE = ""] = Deno.args;
/** The app's modules in few packs, by their paths. @type {Record<string, string>} */
const PACKS = JSON.parse(Deno.readTextFileSync(FILE));
const modulesOf = packsOf(PACKS);
const WORDS = new Set(Object.values(PACKS).flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
const MOMENT = 100;
const SHORT = 8;
const LONGEST = 60_000;

export class Browser {
  /**
   * @param {{ locale: string, screen: { width: number, height: number }, origin: string }} given
   * @param {(event: string, data?: any) => void} report @param {(request: any, send: () => Promise<Response>) => Promise<any>} ask
   */
  constructor({ locale, screen, origin }, report, ask) {
    this.locale = locale;
    this.screen = screen;
    this.origin = origin;
    this.report = report;
    this.ask = ask;
    this.isOffline = false;
    this.isRouted = false;
    /** The events that a test listens for. @type {string[]} */
    this.hears = [];
    /** @type {Map<string, { value: string, isHidden: boolean }>} */
    this.jar = new Map();
    this.storage = new Map();
    this.session = new Map();
    this.idb = fakeIdb();
    this.channel = channels();
    /** @type {string[]} */
    this.scripts = [];
    /** @type {any} */
    this.page = null;
    this.pending = 0;
    this.lastRequest = 0;
  }

  get url() {
    return this.page ? this.page.window.location.href : "about:blank";
  }

  get cookies() {
    return [...this.jar].map(([name, { value }]) => ({ name, value }));
  }

  /** @param {{ name: string, value: string }[]} cookies */
  addCookies(cookies) {
    // Scripts see the token alone.
    for (const { name, value } of cookies) this.jar.set(name, { value, isHidden: name !== "csrf-token" });
  }

  /** @param {Record<string, any>} values */
  set(values) {
    const wasOffline = this.isOffline;
    Object.assign(this, values);
    if (wasOffline === this.isOffline) return;
    if (this.isOffline) this.page?.streams.forEach((/** @type {any} */ one) => one.fail());
    this.page?.window.dispatchEvent(new this.page.window.Event(this.isOffline ? "offline" : "online"));
  }

  /** @param {string} url */
  async goto(url) {
    this.leave();
    this.page = pageOf(this, url);
    this.loading = this.page.load();
    await this.loading;
  }

  async reload() {
    await this.goto(this.url);
  }

  /** Leaves the page as a browser does: what it keeps until its end is kept. */
  leave() {
    if (!this.page) return;
    const { page } = this;
    this.page = null;
    page.close();
  }

  async back() {
    this.page.history.back();
    await new Promise((settle) => setTimeout(settle, 1));
  }

  /** @param {number} milliseconds */
  async passTime(milliseconds) {
    await this.loading;
    await this.page?.clock.pass(milliseconds);
  }

  close() {
    this.leave();
  }

  /** @param {string} script @param {any} arg @param {any} [locator] @param {boolean} [all] */
  async evaluate(script, arg, locator, all = false) {
    await this.loading;
    const found = locator ? matching(this, locator) : [];
    const elements = locator ? [all ? found : found[0]] : [];
    return this.page?.run(script, ...elements, arg);
  }

  /** @param {string} key */
  press(key) {
    press(this.page.window, key);
  }

  /** Until the document changes, at the latest after a moment: values and the focus change without. */
  async changed() {
    const page = this.page;
    await new Promise((settle) => {
      const timer = setTimeout(settle, MOMENT);
      if (page) page.onChange = () => (clearTimeout(timer), settle(null));
    });
    // Of the changes of one moment all but the last are not looked at.
    await new Promise((settle) => setTimeout(settle, SHORT));
  }

  /** Until no request is under way. */
  async idle() {
    const until = Date.now() + LONGEST;
    do await new Promise((settle) => setTimeout(settle, 10)); while (
      (this.pending || Date.now() - this.lastRequest < 50) && Date.now() < until
    );
  }

  /** @param {string} script @param {any} arg */
  async wait(script, arg) {
    for (const until = Date.now() + LONGEST; Date.now() < until;) {
      const found = await this.page.run(script, arg);
      if (found) return found;
      await new Promise((settle) => setTimeout(settle, 10));
    }
    throw new Error(`never: ${script}`);
  }

  /** A request of a page, with the cookies. @param {string} address @param {any} init */
  async request(address, init = {}) {
    const url = new URL(address, this.origin);
    const request = {
      url: url.href,
      method: init.method ?? "GET",
      body: typeof init.body === "string" ? init.body : null,
      headers: Object.fromEntries(new Headers(init.headers ?? {})),
    };
    this.pending += 1;
    if (this.hears.includes("request")) this.report("request", { request });
    try {
      // What a test sends on goes on without the page.
      const sendIt = () => this.responseTo(url, { ...init, signal: null }, null);
      const given = this.isRouted ? await this.ask(request, sendIt) : null;
      init.signal?.throwIfAborted();
      const response = given?.abort || this.isOffline ? null : await this.responseTo(url, init, given);
      if (!response) throw new TypeError("Failed to fetch");
      // The console has errors, also where no test listens.
      const isHeard = response.status >= 400 || this.hears.includes("response");
      if (isHeard) this.report("response", { request, status: response.status });
      return response;
    } finally {
      this.pending -= 1;
      this.lastRequest = Date.now();
    }
  }

  /** @param {URL} url @param {any} init @param {any} given */
  async responseTo(url, init, given) {
    if (given?.fetched) return given.fetched;
    if (given?.status) {
      return new Response(given.status === 204 ? null : given.body, {
        status: given.status,
        headers: given.headers,
      });
    }
    const headers = new Headers(init.headers ?? {});
    headers.set("Cookie", this.cookies.map(({ name, value }) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, keepalive: false, headers });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  /** @param {string} line of Set-Cookie */
  keep(line) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.jar.delete(name);
    else this.jar.set(name, { value, isHidden: /httponly/i.test(line) });
  }
}

/** @param {Browser} browser @param {string} url */
function pageOf(browser, url) {
  const window = /** @type {any} */ (new PageWindow({
    url,
    ...browser.screen,
    settings: {
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
      navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
      device: { prefersReducedMotion: "reduce" },
    },
  }));
  const clock = clockOf();
  const streams = new Set();
  let isClosed = false;
  const stop = new AbortController();
  const page = {
    window,
    clock,
    streams,
    history: historyOf(window),
    onChange: () => {},
    /** @param {string} script @param {any[]} args */
    run: (script, ...args) => {
      const code = script.replaceAll(/\bimport\(/g, "importHere(");
      // What a script has left at the window is found by its name alone.
      const of = Function("scope", `with (scope) { return (${code}); }`)(scope);
      return typeof of === "function" ? of(...args) : of;
    },
    load: async () => {
      const html = await (await browser.request(url, { headers: { Accept: "text/html" } })).text();
      window.document.documentElement.innerHTML = html.replace(/^[^]*?<html[^>]*>|<\/html>[^]*$/g, "");
      for (const script of browser.scripts) page.run(`() => { ${script} }`);
      await modules.importLater("early.js");
      await modules.importLater("main.js");
    },
    close: () => {
      isClosed = true;
      for (const type of ["pagehide", "visibilitychange"]) window.dispatchEvent(new window.Event(type));
      stop.abort();
      clock.stop();
      streams.forEach((one) => /** @type {any} */ (one).close());
      void window.happyDOM.close();
    },
  };
  const navigate = (/** @type {string} */ to) => {
    if (isClosed) return;
    void browser.goto(new URL(to, window.location.href).href);
  };
  new window.MutationObserver(() => page.onChange()).observe(window.document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  const globals = globalsOf(browser, window, page, {
    ...clock.globals,
    fetch: (/** @type {any[]} */ ...all) => window.fetch(...all),
    location: locationOf(window, navigate),
  });
  for (const [name, value] of Object.entries(globals)) {
    if (name === "open" || name === "fetch") continue;
    try {
      Object.defineProperty(window, name, { value, configurable: true, writable: true });
    } catch {
      // What cannot be replaced is the window's own.
    }
  }
  window.open = () => null;
  window.fetch = (/** @type {string} */ address, /** @type {any} */ init = {}) =>
    browser.request(address, {
      ...init,
      // What a page sends while it is left goes on without it.
      signal: AbortSignal.any([...init.keepalive ? [] : [stop.signal], ...init.signal ? [init.signal] : []]),
    });
  // The class that the app knows its errors by.
  const named = { ...globals, DOMException, globalThis: window, importHere: null };
  const scope = new Proxy(window, {
    has: (of, name) => name in named || name in of,
    get: (of, name) => name === Symbol.unscopables ? undefined : name in named ? named[name] : of[name],
  });
  const modules = modulesOf(globals);
  named.importHere = (/** @type {string} */ address) =>
    modules.importLater(address.replace(/^.*\/app\/[^/]*\//, ""));
  return page;
}

/** What the modules name, and this window or page has. @param {Browser} browser @param {any} window @param {any} page @param {any} own */
function globalsOf(browser, window, page, own) {
  const listened = (/** @type {string} */ name) => window[name].bind(window);
  const all = {
    window,
    document: documentOf(browser, window),
    navigator: navigatorOf(browser, window),
    history: page.history,
    localStorage: storageOf(browser.storage),
    sessionStorage: storageOf(browser.session),
    addEventListener: listened("addEventListener"),
    removeEventListener: listened("removeEventListener"),
    dispatchEvent: listened("dispatchEvent"),
    getComputedStyle: listened("getComputedStyle"),
    matchMedia: listened("matchMedia"),
    scrollTo: () => {},
    scrollBy: () => {},
    scrollX: 0,
    scrollY: 0,
    open: (/** @type {any[]} */ ...all) => window.open(...all),
    indexedDB: {
      databases: () => Promise.resolve([...browser.idb.databases.keys()].map((name) => ({ name }))),
    },
    IDBKeyRange: { bound: (/** @type {any} */ from, /** @type {any} */ to) => ({ from, to }) },
    fakeIdb: browser.idb,
    BroadcastChannel: browser.channel,
    EventSource: eventSource(browser, page.streams),
    reportError: (/** @type {unknown} */ error) => browser.report("error", { text: String(error) }),
    ...own,
  };
  for (const name of Object.getOwnPropertyNames(window)) {
    const isClass = /^[A-Z]/.test(name) && !OURS.has(name);
    if (name in all || !WORDS.has(name)) continue;
    if (isClass || name.startsWith("inner")) all[name] = window[name];
  }
  all.self = all.top = all.parent = window;
  return all;
}

/** What Deno has, and its requests take. */
const OURS = new Set(
  ("Array ArrayBuffer BigInt Boolean DataView Date Error Function Infinity Intl JSON Map Math NaN Number Object Promise " +
    "Proxy RangeError Reflect RegExp Set String Symbol SyntaxError TypeError URIError WeakMap WeakRef WeakSet Uint8Array " +
    "URL URLSearchParams AbortController AbortSignal Headers Request Response FormData Blob File TextEncoder TextDecoder " +
    "DOMException ReadableStream WritableStream TransformStream BroadcastChannel EventSource Uint32Array Int8Array " +
    "Uint8ClampedArray Float32Array Float64Array Int32Array Int16Array Uint16Array EvalError ReferenceError " +
    "FinalizationRegistry Iterator AggregateError Atomics WebAssembly SharedArrayBuffer BigInt64Array BigUint64Array")
    .split(" "),
);

const SET_UP =
  Object.getOwnPropertySymbols(Object.getPrototypeOf(Window.prototype)).find(({ description }) =>
    description === "setupVMContext"
  ) ?? "";

/** Its classes of the language are those of this process: a context of its own takes time, and stays in memory. */
class PageWindow extends Window {
  [SET_UP]() {
    for (const name of OURS) {
      if (!(name in this)) Object.assign(this, { [name]: Reflect.get(globalThis, name) });
    }
  }
}

/** @param {Browser} browser @param {any} window */
function documentOf(browser, window) {
  const { document } = window;
  Object.defineProperty(document, "cookie", {
    get: () =>
      [...browser.jar].filter(([, { isHidden }]) => !isHidden).map(([name, { value }]) => `${name}=${value}`)
        .join("; "),
    configurable: true,
  });
  const { HTMLDialogElement, HTMLElement } = window;
  const { showModal, close } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function () {
    this.cameFrom = document.activeElement;
    showModal.call(this);
    this.setAttribute("data-modal", "");
    focusFirst(this);
  };
  HTMLDialogElement.prototype.close = function (/** @type {any[]} */ ...all) {
    this.removeAttribute("data-modal");
    close.call(this, ...all);
    if (this.cameFrom?.isConnected) this.cameFrom.focus();
  };
  const { click } = HTMLElement.prototype;
  window.HTMLAnchorElement.prototype.click = function () {
    if (this.hasAttribute("download") && this.href.startsWith("blob:")) {
      void save(browser, this.href, this.download);
    } else click.call(this);
  };
  HTMLElement.prototype.checkVisibility ??= function () {
    return this.isConnected;
  };
  HTMLElement.prototype.showPopover ??= () => {};
  HTMLElement.prototype.hidePopover ??= () => {};
  HTMLElement.prototype.scrollIntoView = () => {};
  return document;
}

/** @param {Browser} browser @param {string} address @param {string} name */
async function save(browser, address, name) {
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  browser.report("download", { name, content: bytes.toBase64() });
}

/** @param {Browser} browser @param {any} window */
function navigatorOf(browser, window) {
  const own = /** @type {any} */ ({
    get onLine() {
      return !browser.isOffline;
    },
    language: browser.locale,
    languages: [browser.locale],
    userAgent: "tests",
    maxTouchPoints: 1,
    serviceWorker: undefined,
    locks: undefined,
    clipboard: {
      writeText: (/** @type {string} */ text) => Promise.resolve(void (window.copied = text)),
      readText: () => Promise.resolve(window.copied ?? ""),
    },
    mediaDevices: {},
  });
  return own;
}

/** @param {any} window @param {(to: string) => void} navigate */
function locationOf(window, navigate) {
  return new Proxy(window.location, {
    get: (of, name) => {
      if (name === "reload") return () => navigate(of.href);
      if (name === "assign" || name === "replace") return navigate;
      const value = of[name];
      return typeof value === "function" ? value.bind(of) : value;
    },
    set: (_, name, value) => (name === "href" && navigate(value), true),
  });
}

/** @param {any} window */
function historyOf(window) {
  const entries = [{ state: /** @type {any} */ (null), url: window.location.href }];
  let at = 0;
  const entry = () => entries[at] ?? entries[0];
  const set = (/** @type {any} */ state, /** @type {string} */ url) => {
    const next = {
      state: structuredClone(state),
      url: new URL(url || window.location.href, window.location.href).href,
    };
    window.happyDOM.setURL(next.url);
    return next;
  };
  return {
    scrollRestoration: "auto",
    get state() {
      return entry()?.state;
    },
    get length() {
      return entries.length;
    },
    pushState: (/** @type {any} */ state, _ = "", url = "") => {
      entries.splice(at += 1, Infinity, set(state, url));
    },
    replaceState: (/** @type {any} */ state, _ = "", url = "") => {
      entries[at] = set(state, url);
    },
    go: (/** @type {number} */ by) =>
      setTimeout(() => {
        if (!entries[at + by]) return;
        at += by;
        window.happyDOM.setURL(entry()?.url);
        const event = new window.PopStateEvent("popstate", { state: entry()?.state });
        window.dispatchEvent(event);
      }),
    back() {
      this.go(-1);
    },
    forward() {
      this.go(1);
    },
  };
}

/** @param {Map<string, string>} values */
function storageOf(values) {
  const own = /** @type {Record<string, any>} */ ({
    getItem: (/** @type {string} */ key) => values.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {unknown} */ value) => void values.set(key, String(value)),
    removeItem: (/** @type {string} */ key) => void values.delete(key),
    clear: () => values.clear(),
    key: (/** @type {number} */ at) => [...values.keys()][at] ?? null,
    get length() {
      return values.size;
    },
  });
  return new Proxy(own, {
    get: (of, name) => of[String(name)] ?? values.get(String(name)),
    set: (_, name, value) => (values.set(String(name), String(value)), true),
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: (_, name) => ({
      value: values.get(String(name)),
      enumerable: true,
      configurable: true,
    }),
  });
}
