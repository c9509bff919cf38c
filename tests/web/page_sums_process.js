// Reads one client document a line from standard input, and writes the sums and amounts that the client page shows.

import { price } from "../../src/backbench/web/e/figures.js";
import { sumTexts } from "../../src/backbench/web/e/sums.js";
import { textsIn } from "../../src/backbench/web/e/texts.js";

const encoder = new TextEncoder();
let rest = "";
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) await answer(JSON.parse(line));
}

/** @param {any} estimate */
async function answer(estimate) {
  const { locale, currency, lines } = estimate;
  const amounts = lines.map((/** @type {any} */ line) =>
    line.amount === undefined ? "" : price(line.amount, currency, locale)
  );
  const shown = { ...sumTexts(estimate, await textsIn(locale), locale), amounts };
  await Deno.stdout.write(encoder.encode(JSON.stringify(shown) + "\n"));
}
