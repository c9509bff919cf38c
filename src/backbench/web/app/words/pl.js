// The words that every start loads. The server sends those of one language, see `site/words.py`.

export { first } from "./common.js";
