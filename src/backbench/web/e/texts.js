// The words of the page, loaded in the language that it shows; and texts of the document with the spaces that keep lines whole.

import { loadModule } from "./elements.js";

/** The words in "en" or "pl". */
export async function textsIn(locale) {
  const { TEXTS } = await loadModule(`./texts_${locale}.js`);
  return locale === "pl" ? withSpaces(TEXTS) : TEXTS;
}

// A Polish word of one letter never ends a line, nor does the first part of "e-mail".
const spaced = (text) =>
  text.replace(/(?<![\p{L}\p{N}])([aiouwzAIOUWZ]) (?=\S)/gu, "$1\u00a0").replace(/e-(?=mail)/gi, (found) => found[0] + "\u2011");

const UNITS = "mm|cm|dm|m|km|g|dag|kg|t|l|ml|h|min|szt|zł|pcs|in|ft|W|kW|V|A|Ah|[%°€£×x²³]";
const NUMBER_AND_UNIT = new RegExp(`(?<=\\d) (?=(?:\\d{3}(?!\\d)|${UNITS})(?!\\p{L}))|(?<=\\d ?[×x]) (?=\\d)`, "gu");

/** A text of the document, as the PDF has it: a number and its unit are not split, nor what Polish keeps together. */
export function typeset(text, locale) {
  const whole = text.replace(NUMBER_AND_UNIT, "\u00a0");
  return locale === "pl" ? spaced(whole) : whole;
}

function withSpaces(words) {
  if (typeof words === "string") return spaced(words);
  if (typeof words === "function") return (...values) => spaced(words(...values));
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, withSpaces(each)]));
}
