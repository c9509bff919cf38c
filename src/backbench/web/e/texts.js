// The words of the page, loaded in the language that it shows; and texts of the document as lines break in Polish.

/** The words in "en" or "pl". */
export async function textsIn(locale) {
  if (locale === "pl") return withSpaces((await import("./texts_pl.js")).TEXTS);
  return (await import("./texts_en.js")).TEXTS;
}

// A Polish word of one letter never ends a line, nor does the first part of "e-mail".
const spaced = (text) =>
  text.replace(/(?<![\p{L}\p{N}])([aiouwzAIOUWZ]) (?=\S)/gu, "$1\u00a0").replace(/e-(?=mail)/gi, (found) => found[0] + "\u2011");

/** A text of the document, as the page's own: in Polish neither is split. */
export const typeset = (text, locale) => (locale === "pl" ? spaced(text) : text);

function withSpaces(words) {
  if (typeof words === "string") return spaced(words);
  if (typeof words === "function") return (...values) => spaced(words(...values));
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, withSpaces(each)]));
}
