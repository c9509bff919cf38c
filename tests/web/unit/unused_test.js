import { allWords } from "./all_words.js";
import { holds, same } from "./expect.js";

const APP = "src/backbench/web/app";

/** The sources of a folder by path, without comments and without vendored files. @param {string} folder @returns {Promise<Map<string, string>>} */
async function sources(folder) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (name.endsWith(".js")) found.set(path, withoutComments(await Deno.readTextFile(path)));
    if (!isDirectory || name === "vendor") continue;
    for (const [inside, text] of await sources(path)) found.set(inside, text);
  }
  return found;
}

/** @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** Every path of the words, as a list of names. @param {object} words @param {string[]} [at] @returns {string[][]} */
function paths(words, at = []) {
  return Object.entries(words).flatMap(([name, value]) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? paths(value, [...at, name])
      : [[...at, name]]
  );
}

/** @param {string} text @param {RegExp} pattern */
const all = (text, pattern) => new Set([...text.matchAll(pattern)].map((found) => found[1] ?? ""));

Deno.test("every word is shown somewhere", async () => {
  const app = [...await sources(APP)].filter(([path]) =>
    !path.includes("/words/") || path.endsWith("/problems.js") || path.endsWith("/words.js")
  );
  const code = app.map(([, text]) => text).join("\n");
  const named = all(code, /(?:\.|[{,]\s*)(\w+)/g);
  // The label and the help of a field that is named.
  for (const name of all(code, /\b(?:text|number|choice|select|toggle|option)\(\s*"(\w+)"/g)) {
    for (const word of [name, `${name}Label`, `${name}Help`]) named.add(word);
  }
  // Words that are read by a computed name, such as those of states.
  const computed = new Set([
    ...all(code, /\b(\w+)\s*(?:\?\.)?\[/g),
    ...all(code, /\sin [\w.]*?(\w+)\s*[)?&|;]/g),
    ...all(code, /Object\.\w+\([\w.()]*?(\w+)\)/g),
    ...all(code, /\b(?:choice|select)\("\w+", (?:text\(\)\.\w+, )?[\w.()]*?(\w+)[,)]/g),
  ]);
  // With those that come later, with their screens.
  const areas = await allWords("en");
  const words = Object.values(areas).flatMap((area) => paths(area));
  holds(words.length > 700, `${words.length} words found`);
  const unused = words.filter((path) =>
    !path.every((name) => named.has(name)) && !path.slice(0, -1).some((name) => computed.has(name))
  );
  same(unused.map((path) => path.join(".")), []);
});

Deno.test("every export of the app is imported somewhere", async () => {
  const app = await sources(APP);
  const used = imported([...app.values()]);
  const tested = imported([
    ...(await sources("tests/web/unit")).values(),
    ...(await sources("tests/web/gallery")).values(),
  ]);
  const unused = [...app].flatMap(([path, text]) => {
    const file = path.split("/").at(-1) ?? "";
    // A test alone keeps nothing that its own module does not use either.
    const isUsed = (/** @type {string} */ name) =>
      tested.has(`${file} ${name}`) && text.split(new RegExp(`\\b${name}\\b`)).length > 2;
    return [...all(text, /^export (?:async )?(?:const|let|function|class) (\w+)/gm)]
      .filter((name) => !used.has(`${file} ${name}`) && !used.has(`${file} *`) && !isUsed(name))
      .map((name) => `${path.slice(APP.length + 1)}: ${name}`);
  });
  same(unused, []);
});

Deno.test("every class of the style sheets is given to something", async () => {
  const app = [...(await sources(APP)).values()].join("\n");
  const given = all(app, /([\w-]+)/g);
  // Of a name that is put together: `status-${status}`.
  const begun = [...all(app, /\b([a-z]+-)\$\{/g)];
  const unused = [...await styles(`${APP}/styles`)]
    .filter((name) => !given.has(name) && !begun.some((start) => name.startsWith(start)));
  same(unused, []);
});

/** The classes of the sheets of a folder. @param {string} folder @returns {Promise<Set<string>>} */
async function styles(folder) {
  /** @type {Set<string>} */
  const found = new Set();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    const text = isDirectory ? "" : withoutComments(await Deno.readTextFile(path)).replace(/@import.*/g, "");
    const inside = isDirectory ? await styles(path) : all(text, /\.([a-z][\w-]*)(?=[^{};]*\{)/gi);
    for (const each of inside) found.add(each);
  }
  return found;
}

/** "file name" of each import, "file *" of a module that is imported as a whole. @param {string[]} texts */
function imported(texts) {
  const found = new Set();
  for (const text of texts) {
    for (
      const [, names = "", file] of text.matchAll(/(?:import|export) \{([^}]*)\} from "[^"]*?([\w-]+\.js)"/g)
    ) {
      for (const name of names.split(",")) found.add(`${file} ${name.trim().split(" as ")[0]}`);
    }
    for (const [, file] of text.matchAll(/import(?: \* as \w+ from |\()"[^"]*?([\w-]+\.js)"/g)) {
      found.add(`${file} *`);
    }
  }
  return found;
}
