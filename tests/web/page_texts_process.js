// Reads a text of the document and its language a line from standard input, and writes it as the client page shows it.

import { typeset } from "../../src/backbench/web/e/texts.js";

const encoder = new TextEncoder();
let rest = "";
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { text, locale } = JSON.parse(line);
    await Deno.stdout.write(encoder.encode(JSON.stringify(typeset(text, locale)) + "\n"));
  }
}
