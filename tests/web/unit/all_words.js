import { loadWords, words } from "../../../src/backbench/web/app/words/words.js";

const FOLDER = "src/backbench/web/app/words";

/**
 * The words of every area in a language, by the name of their export without "Words".
 * @param {import("../../../src/backbench/web/app/words/words.js").Language} language
 * @returns {Promise<Record<string, any>>}
 */
export async function allWords(language) {
  await loadWords(language);
  const areas = (await modules()).flatMap((module) => Object.entries(module)).filter(([name, area]) =>
    typeof area === "object" && /.(Words|Names)$/.test(name)
  );
  return {
    ...words.value,
    ...Object.fromEntries(areas.map(([name, area]) => [name.replace("Words", ""), area.value])),
  };
}

/** Every pair of texts with its path. @returns {Promise<[path: string, pair: unknown[]][]>} */
export async function allPairs() {
  const texts = [];
  for (const { name } of Deno.readDirSync(FOLDER)) {
    for (const [entry] of (await Deno.readTextFile(`${FOLDER}/${name}`)).matchAll(/^ +\w+: \[".*"\],$/gm)) {
      const [, word = "", pair = ""] = /^ +(\w+): (.*),$/.exec(entry) ?? [];
      texts.push(/** @type {[string, unknown[]]} */ ([`${name}: ${word}`, JSON.parse(pair)]));
    }
  }
  return texts;
}

/** @returns {Promise<Record<string, any>[]>} */
function modules() {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".js"));
  return Promise.all(
    files.map((name) => import(new URL(`../../../${FOLDER}/${name}`, import.meta.url).href)),
  );
}
