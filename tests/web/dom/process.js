// Pages without a browser, driven over standard input and output: one JSON object a line. Python asks with an `id` and gets
// `result` or `error` for it; what happens in a page comes as an `event`.

import { Browser } from "./browser.js";
import { perform } from "./locators.js";

/** @type {Map<number, Browser>} */
const browsers = new Map();
/** What Python has yet to say about requests. @type {Map<number, (answer: any) => void>} */
const asked = new Map();
const out = new TextEncoder();

/** @param {unknown} message */
function send(message) {
  const bytes = out.encode(JSON.stringify(message) + "\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

/** @param {number} of @param {string} event @param {any} data */
const report = (of, event, data) => send({ browser: of, event, ...data });

let questions = 0;
/** Asks Python what becomes of a request, which it may have sent before. @param {number} of @param {any} request @param {() => Promise<Response>} sendIt @returns {Promise<any>} */
function ask(of, request, sendIt) {
  const question = questions += 1;
  const made = new Promise((settle) => asked.set(question, settle));
  fetching.set(question, sendIt);
  report(of, "route", { question, request });
  return made;
}

/** @type {Map<number, () => Promise<Response>>} */
const fetching = new Map();
/** @type {Map<number, Response>} */
const fetched = new Map();

/** @param {number} question */
async function fetchNow(question) {
  const response = await fetching.get(question)?.();
  if (!response) throw new Error("no such request");
  fetched.set(question, response);
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.clone().text() };
}

/** @type {Record<string, (browser: Browser, given: any) => unknown>} */
const OPERATIONS = {
  goto: (browser, { url }) => browser.goto(url),
  reload: (browser) => browser.reload(),
  back: (browser) => browser.back(),
  url: (browser) => browser.url,
  set: (browser, { values }) => browser.set(values),
  cookies: (browser, { cookies }) => browser.addCookies(cookies),
  "clear cookies": (browser) => browser.jar.clear(),
  script: (browser, { script }) => void browser.scripts.push(script),
  evaluate: (browser, { script, arg, locator, all }) => browser.evaluate(script, arg, locator, all),
  press: (browser, { key }) => browser.press(key),
  pass: (browser, { milliseconds }) => browser.passTime(milliseconds),
  idle: (browser) => browser.idle(),
  wait: (browser, { script, arg }) => browser.wait(script, arg),
  perform: (browser, { locator, action, arg, timeout }) => perform(browser, locator, action, arg, timeout),
  fetch: (_, { question }) => fetchNow(question),
  close: (browser) => browser.close(),
};

/** @param {any} message */
async function answer({ id, browser: of, op, ...given }) {
  try {
    if (op === "open") {
      browsers.set(
        of,
        new Browser(
          given,
          (event, data) => report(of, event, data),
          (request, sendIt) => ask(of, request, sendIt),
        ),
      );
      return send({ id, result: null });
    }
    if (op === "route") {
      const { question, answer } = given;
      return asked.get(question)?.(answer?.fetched ? { fetched: fetched.get(question) } : answer);
    }
    const browser = browsers.get(of);
    const operation = OPERATIONS[op];
    if (!browser || !operation) throw new Error(`no ${op} of the browser ${of}`);
    const result = await operation(browser, given);
    if (op === "close") browsers.delete(of);
    send({ id, result: result ?? null });
  } catch (error) {
    send({ id, error: error instanceof Error ? error.stack ?? error.message : String(error) });
  }
}

// As in a browser, an error of a page ends nothing. Which page it is of is not known.
for (const type of ["error", "unhandledrejection"]) {
  globalThis.addEventListener(type, (/** @type {any} */ event) => {
    event.preventDefault();
    const { stack, message } = event.error ?? event.reason ?? {};
    for (const of of browsers.keys()) report(of, "error", { text: stack ?? message ?? String(event.reason) });
  });
}

const read = new Uint8Array(1 << 16);
const text = new TextDecoder();
let rest = "";
for (let count; (count = await Deno.stdin.read(read)) !== null;) {
  const lines = (rest + text.decode(read.subarray(0, count), { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void answer(JSON.parse(line));
}
Deno.exit();
