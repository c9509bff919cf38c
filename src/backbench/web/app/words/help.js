// deno-fmt-ignore-file: a word is one line, in English and Polish.

import { pairs } from "./words.js";

/** Words of the link to the help. */
export const helpWords = pairs({
  help: ["Help", "Pomoc"],
});
