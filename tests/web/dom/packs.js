// Pages run copies of the app's modules with globals of their own. The modules are put together into few packs, each of
// which becomes one function: it is compiled once in a process, however many pages run it, and nothing is written.

const STATIC_IMPORT = /^import (\{[^}]*\}) from "([^"]*)";$/gm;
const DYNAMIC_IMPORT = /\bimport\("([^"]*)"\)/g;
const EXPORT = /^export (\{[^}]*\});$/m;
// Of addresses of files, which no page without layout reads.
const BASE = "https://app.example/app/";

/** @typedef {{ load: (path: string) => any, importLater: (path: string) => Promise<any> }} Modules */

/**
 * @param {Record<string, string>} texts of the packs, by their paths
 * @returns {(globals: Record<string, any>) => Modules} makes a copy of all modules; the names of the globals are the
 * same each time
 */
export function packsOf(texts) {
  /** @type {Map<string, Function>} */
  const compiled = new Map();

  return (globals) => {
    const names = Object.keys(globals);
    /** @type {Map<string, any>} */
    const loaded = new Map();
    /** @param {string} path */
    const load = (path) => {
      if (!loaded.has(path)) {
        const key = `${path} ${names}`;
        const run = compiled.get(key) ?? functionOf(path, texts[path], names);
        compiled.set(key, run);
        loaded.set(path, run(load, importLater, ...Object.values(globals)));
      }
      return loaded.get(path);
    };
    /** As a file that has yet to arrive. @param {string} path */
    const importLater = async (path) => {
      if (!loaded.has(path)) await new Promise((settle) => setTimeout(settle));
      return load(path);
    };
    return { load, importLater };
  };
}

/** @param {string} path @param {string | undefined} text @param {string[]} names */
function functionOf(path, text, names) {
  if (text === undefined) throw new TypeError(`no module ${path}`);
  const from = (/** @type {string} */ address) =>
    JSON.stringify(new URL(address, BASE + path).href.slice(BASE.length));
  const body = text
    .replaceAll(STATIC_IMPORT, (_, imported, address) => `const ${imported} = loadPack(${from(address)});`)
    .replaceAll(DYNAMIC_IMPORT, (_, address) => `importPack(${from(address)})`)
    .replaceAll("import.meta.url", JSON.stringify(BASE + path))
    .replace(EXPORT, "return $1;");
  // What errors name.
  return Function("loadPack", "importPack", ...names, `"use strict";${body}\n//# sourceURL=${path}`);
}
