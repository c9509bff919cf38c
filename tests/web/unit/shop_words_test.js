import { shop as en } from "../../../src/backbench/web/app/i18n/en/shop.js";
import { shop as pl } from "../../../src/backbench/web/app/i18n/pl/shop.js";
import { browserOf } from "../../../src/backbench/web/app/domain/browsers.js";
import { BACKGROUNDS } from "../../../src/backbench/web/app/domain/backgrounds.js";
import { holds, same } from "./expect.js";

/** Every path with what is said there. @param {object} words @param {string} [at] @returns {[string, string][]} */
function leaves(words, at = "") {
  return Object.entries(words).flatMap(([name, value]) =>
    value && typeof value === "object" ? leaves(value, `${at}${name}.`) : [
      /** @type {[string, string]} */ ([
        at + name,
        String(typeof value === "function" ? value("2", "3") : value),
      ]),
    ]
  );
}

Deno.test("the workshop's screens have the same words in both languages, and none is empty", () => {
  same(leaves(pl).map(([path]) => path).sort(), leaves(en).map(([path]) => path).sort());
  for (const [path, text] of [...leaves(en), ...leaves(pl)]) holds(text.trim(), `${path} is empty`);
  same(BACKGROUNDS.filter((name) => !(name in en.sign.backgrounds)), []);
});

Deno.test("every event and every scope of the server has words", async () => {
  const routes = await Deno.readTextFile("src/backbench/routes.py");
  const events = new Set(
    [...routes.matchAll(/[^_]event="([a-z]+\.[a-z_]+)"/g)].map((found) => found[1] ?? ""),
  );
  holds(events.size > 20, `${events.size} events found`);
  same([...events].filter((event) => !(event in en.activity.actions)), []);
  const scopes = new Set([...routes.matchAll(/"([a-z]+:(?:read|write))"/g)].map((found) => found[1] ?? ""));
  same([...scopes].sort(), Object.keys(en.keys.scopeNames).sort());
});

Deno.test("browsers are named as people know them", () => {
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1";
  const edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0";
  same([browserOf(iphone), browserOf(edge), browserOf("python-httpx/0.28"), browserOf("")], [
    { browser: "Safari", system: "iPhone" },
    { browser: "Edge", system: "Windows" },
    { browser: "python-httpx", system: "" },
    { browser: "", system: "" },
  ]);
});
