// The sums and amounts that the client page shows of a client document.

import { price } from "../../src/backbench/web/e/figures.js";
import { sumTexts } from "../../src/backbench/web/e/sums.js";
import { textsIn } from "../../src/backbench/web/e/texts.js";
import { answers } from "./answers.js";

await answers(async (/** @type {any} */ estimate) => {
  const { locale, currency, lines } = estimate;
  const amounts = lines.map((/** @type {any} */ line) =>
    line.amount === undefined ? "" : price(line.amount, currency, locale)
  );
  return { ...sumTexts(estimate, await textsIn(locale), locale), amounts };
});
