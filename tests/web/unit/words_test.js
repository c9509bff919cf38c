import { connections as enConnections } from "../../../src/backbench/web/app/i18n/en/connections.js";
import { desk as enDesk } from "../../../src/backbench/web/app/i18n/en/desk.js";
import { en } from "../../../src/backbench/web/app/i18n/en/index.js";
import { inbox as enInbox } from "../../../src/backbench/web/app/i18n/en/inbox.js";
import { orders as enOrders } from "../../../src/backbench/web/app/i18n/en/orders.js";
import { revisions as enRevisions } from "../../../src/backbench/web/app/i18n/en/revisions.js";
import { start as enStart } from "../../../src/backbench/web/app/i18n/en/start.js";
import { loadWords, words, wordsLanguage } from "../../../src/backbench/web/app/i18n/index.js";
import { connections as plConnections } from "../../../src/backbench/web/app/i18n/pl/connections.js";
import { desk as plDesk } from "../../../src/backbench/web/app/i18n/pl/desk.js";
import { inbox as plInbox } from "../../../src/backbench/web/app/i18n/pl/inbox.js";
import { pl } from "../../../src/backbench/web/app/i18n/pl/index.js";
import { orders as plOrders } from "../../../src/backbench/web/app/i18n/pl/orders.js";
import { revisions as plRevisions } from "../../../src/backbench/web/app/i18n/pl/revisions.js";
import { start as plStart } from "../../../src/backbench/web/app/i18n/pl/start.js";
import { explained, fieldExplained } from "../../../src/backbench/web/app/i18n/problems.js";
import { unitOf } from "../../../src/backbench/web/app/i18n/units.js";
import { holds, same } from "./expect.js";

const SOURCE = "src/backbench";
// With those that come later, with their screens; those of the workshop's screens have a test of their own.
const english = {
  ...en,
  connections: enConnections,
  desk: enDesk,
  inbox: enInbox,
  orders: enOrders,
  revisions: enRevisions,
  start: enStart,
};
const polish = {
  ...pl,
  connections: plConnections,
  desk: plDesk,
  inbox: plInbox,
  orders: plOrders,
  revisions: plRevisions,
  start: plStart,
};

/**
 * Every path of the words with its value: "common.buttons.add", "Add".
 * @param {object} words
 * @param {string} [at]
 * @returns {[path: string, value: unknown][]}
 */
function leaves(words, at = "") {
  return Object.entries(words).flatMap(([name, value]) =>
    value && typeof value === "object" ? leaves(value, `${at}${name}.`) : [[at + name, value]]
  );
}

/**
 * What the words say, functions with a number or a text for each parameter.
 * @param {unknown} value
 * @returns {string[]}
 */
function said(value) {
  if (typeof value !== "function") return [String(value)];
  return [1, 2, 5, 1.5].map((count) => String(value(...Array(Math.max(value.length, 1)).fill(count))));
}

Deno.test("both languages have the same words, and none is empty", () => {
  same(leaves(polish).map(([path]) => path).sort(), leaves(english).map(([path]) => path).sort());
  for (const [path, value] of [...leaves(english), ...leaves(polish)]) {
    for (const text of said(value)) {
      holds(text.trim() && !/undefined|\bNaN\b|\[object/.test(text), `${path}: "${text}"`);
    }
  }
});

Deno.test("Polish numbers have their plural forms", () => {
  const { days, orders, tiles } = pl.common;
  same([1, 2, 5, 12, 22, 25].map(orders), [
    "1 zlecenie",
    "2 zlecenia",
    "5 zleceń",
    "12 zleceń",
    "22 zlecenia",
    "25 zleceń",
  ]);
  same([days(1), days(3), tiles(4), tiles(11)], [
    "1 dzień",
    "3 dni",
    "4 kafelki",
    "11 kafelków",
  ]);
});

Deno.test("the words change with the language", async () => {
  await loadWords("en");
  same(words.value.common.buttons.undo, "Undo");
  await Promise.all([loadWords("en"), loadWords("pl")]);
  same([wordsLanguage.value, words.value.common.buttons.undo], ["pl", "Cofnij"]);
});

Deno.test("units have the form of their number", async () => {
  await loadWords("en");
  same([1, 2, 1.5].map((count) => unitOf(count, "pair")), ["pair", "pairs", "pairs"]);
  same([unitOf(3, "piece"), unitOf(3, "sqm")], ["pcs", "m²"]);
  await loadWords("pl");
  same([1, 2, 5, 1.5].map((count) => unitOf(count, "pair")), ["para", "pary", "par", "pary"]);
});

Deno.test("every error that the API documents has a sentence", async () => {
  const basics = await Deno.readTextFile("docs/guide/api-basics.md");
  const from = (/** @type {string} */ heading) =>
    basics.split(heading)[1]?.split("\n## ")[0]?.split("\n### ")[0] ?? "";
  const codes = (/** @type {string} */ section) =>
    section.split("\n").filter((line) => /^\| (?!Code|Status)/.test(line)).flatMap((line) => {
      const cells = line.split(" | ");
      const cell = /^\| \d{3}$/.test(cells[0] ?? "") ? cells[1] : cells[0];
      return [...(cell ?? "").matchAll(/`([a-z_]+)`/g)].map((found) => found[1] ?? "");
    });
  const problems = [...codes(from("\n## Errors")), ...codes(from("\n### Conflicts"))];
  holds(problems.length > 30, `${problems.length} codes found`);
  same(problems.filter((code) => !(code in en.common.errors)), []);
  same(codes(from("\n### Validation errors")).filter((code) => !(code in en.common.fields)), []);
});

Deno.test("every error of a field in the server has a sentence", async () => {
  const found = new Set();
  for await (const text of sources(SOURCE)) {
    for (const [, code] of text.matchAll(/FieldError\([^()]*?, "([a-z_]+)"/g)) found.add(code);
    for (const [, code] of text.matchAll(/code="([a-z_]+)"/g)) found.add(code);
  }
  holds(found.size > 20, `${found.size} codes found`);
  same([...found].filter((code) => !(code in en.common.fields)), []);
});

/**
 * @param {string} folder
 * @returns {AsyncGenerator<string>}
 */
async function* sources(folder) {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* sources(path);
    else if (path.endsWith(".py")) yield await Deno.readTextFile(path);
  }
}

Deno.test("a problem is explained by its code, then by its status", () => {
  const { common } = en;
  same(explained({ status: 409, code: "last_owner" }, common), common.errors.last_owner);
  same(
    explained({ status: 429, code: "rate_limited", retryAfter: 40 }, common),
    "Too many attempts. Again in 40 s.",
  );
  same(explained({ status: 409, code: "plan_limit", data: { limit: 3 } }, common), common.limitReached(3));
  same(
    explained({ status: 409, code: "plan_limit", data: { limit: 52428800 } }, common),
    common.errors.plan_limit,
  );
  same(explained({ status: 403 }, common), common.statuses[403]);
  same(explained({ status: 502, code: "new_code" }, common), common.errors.internal);
  same(explained({ status: 409, code: "new_code" }, common), common.errors.unexpected);
  same(fieldExplained({ pointer: "/name", code: "too_long" }, common), common.fields.too_long);
  same(fieldExplained({ pointer: "/name", code: "new_code" }, common), common.fields.malformed);
});
