// Reads one estimate a line from standard input, and writes its totals: for the comparison with the server's.

import { minorDigits, shownPrices, totals } from "../../../src/backbench/web/app/domain/money.js";

const encoder = new TextEncoder();
let rest = "";
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) await answer(JSON.parse(line));
}

/** @param {{estimate: import("../../../src/backbench/web/app/domain/money.js").Priced, currency: string}} request */
async function answer({ estimate, currency }) {
  const found = {
    ...totals(estimate, currency),
    digits: minorDigits(currency),
    shownPrices: shownPrices(estimate, currency),
  };
  await Deno.stdout.write(encoder.encode(JSON.stringify(found) + "\n"));
}
