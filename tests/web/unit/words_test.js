import { explained, fieldExplained } from "../../../src/backbench/web/app/words/problems.js";
import {
  loadWords,
  picked,
  unitOf,
  words,
  wordsLanguage,
} from "../../../src/backbench/web/app/words/words.js";
import { orderWords } from "../../../src/backbench/web/app/words/orders.js";
import { BACKGROUNDS } from "../../../src/backbench/web/app/domain/colours.js";
import { allPairs, allWords } from "./all_words.js";
import { holds, same } from "./expect.js";

const SOURCE = "src/backbench";
const english = await allWords("en");
const polish = await allWords("pl");
const pl = /** @type {import("../../../src/backbench/web/app/words/words.js").Words} */ (polish);

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
  return [1, 2, 5, 1.5].map((count) => String(value(...Array(5).fill(count))));
}

Deno.test("both languages have the same words, and none is empty", () => {
  same(leaves(polish).map(([path]) => path).sort(), leaves(english).map(([path]) => path).sort());
  for (const [path, value] of [...leaves(english), ...leaves(polish)]) {
    for (const text of said(value)) {
      // The price of nothing has no source.
      holds(
        path === "payment.sources.none" || text.trim() && !/undefined|\bNaN\b|\[object/.test(text),
        `${path}: "${text}"`,
      );
    }
  }
});

Deno.test("both texts of a word have the same values, and forms of which the language has no more", async () => {
  const pairs = await allPairs();
  holds(pairs.length > 1300, `${pairs.length} pairs found`);
  const names = (/** @type {unknown} */ text) =>
    [...new Set([...String(text).matchAll(/\{(\w+)/g)].map((found) => found[1]))].sort();
  const forms = (/** @type {unknown} */ text) =>
    [...String(text).matchAll(/\{\w+\|([^}]*)\}/g)].map(([, found = ""]) =>
      found.split("|").filter((form) => !form.startsWith("=")).length
    );
  for (const [path, [first, second]] of pairs) {
    holds(`${names(second)}` === `${names(first)}`, path);
    holds(forms(first).every((count) => count <= (path.endsWith("counted") ? 4 : 2)), path);
    holds(forms(second).every((count) => count <= 4), path);
  }
});

Deno.test("a text with values is a function of them, in the order of the English text", () => {
  const texts = /** @type {const} */ ({
    moved: ["{title} to {place}", "{place}: {title}"],
    rows: [
      "{count|=0 No row|# row|# rows} of {file}",
      "{file}: {count|=0 brak|# wiersz|# wiersze|# wierszy|# wiersza}",
    ],
    inside: { plain: ["Yes", "Tak"] },
    list: [["One", "Two"], ["Jeden", "Dwa"]],
  });
  const [first, second] = [picked(texts, "en"), picked(texts, "pl")];
  same([first.moved("A", "B"), second.moved("A", "B")], ["A to B", "B: A"]);
  same([0, 1, 2].map((count) => first.rows(count, "x")), ["No row of x", "1 row of x", "2 rows of x"]);
  same([0, 1, 2, 5, 1.5].map((count) => second.rows(count, "x")), [
    "x: brak",
    "x: 1 wiersz",
    "x: 2 wiersze",
    "x: 5 wierszy",
    "x: 1.5 wiersza",
  ]);
  same([first.inside.plain, second.inside.plain, second.list[1]], ["Yes", "Tak", "Dwa"]);
});

Deno.test("a word that does not exist, and a value that is missing, are errors of types", async () => {
  await loadWords("en");
  // @ts-expect-error of the words that every start loads
  same(words.value.common.nothing, undefined);
  // @ts-expect-error of the words of a screen
  same(orderWords.value.nothing, undefined);
  // @ts-expect-error a text with one value
  same(words.value.common.orders(), "NaN orders".replace("NaN", ""));
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
  same(problems.filter((code) => !(code in english.error.errors)), []);
  same(codes(from("\n### Validation errors")).filter((code) => !(code in english.error.fields)), []);
});

Deno.test("every error of a field in the server has a sentence", async () => {
  const found = new Set();
  for await (const text of sources(SOURCE)) {
    for (const [, code] of text.matchAll(/FieldError\([^()]*?, "([a-z_]+)"/g)) found.add(code);
    for (const [, code] of text.matchAll(/code="([a-z_]+)"/g)) found.add(code);
  }
  holds(found.size > 20, `${found.size} codes found`);
  same([...found].filter((code) => !(code in english.error.fields)), []);
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

Deno.test("every background, event and scope of the server has words", async () => {
  const { shop } = english;
  same(BACKGROUNDS.filter((name) => !(name in shop.sign.backgrounds)), []);
  const routes = await Deno.readTextFile("src/backbench/routes.py");
  const events = new Set(
    [...routes.matchAll(/[^_]event="([a-z]+\.[a-z_]+)"/g)].map((found) => found[1] ?? ""),
  );
  holds(events.size > 20, `${events.size} events found`);
  same([...events].filter((event) => !(event in shop.activity.actions)), []);
  const scopes = new Set([...routes.matchAll(/"([a-z]+:(?:read|write))"/g)].map((found) => found[1] ?? ""));
  same([...scopes].sort(), Object.keys(shop.keys.scopeNames).sort());
});

Deno.test("a problem is explained by its code, then by its status", async () => {
  const { error: common } = await allWords("en");
  same(explained({ status: 409, code: "last_owner" }), common.errors.last_owner);
  same(
    explained({ status: 429, code: "rate_limited", retryAfter: 40 }),
    "Too many attempts. Again in 40 s.",
  );
  same(explained({ status: 409, code: "plan_limit", data: { limit: 3 } }), common.limitReached(3));
  same(
    explained({ status: 409, code: "plan_limit", data: { limit: 52428800 } }),
    common.errors.plan_limit,
  );
  same(explained({ status: 403 }), common.statuses[403]);
  same(explained({ status: 502, code: "new_code" }), common.errors.internal);
  same(explained({ status: 409, code: "new_code" }), common.errors.unexpected);
  same(fieldExplained({ pointer: "/name", code: "too_long" }), common.fields.too_long);
  same(fieldExplained({ pointer: "/name", code: "new_code" }), common.fields.malformed);
});
