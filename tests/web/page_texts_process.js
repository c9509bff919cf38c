// A text of a document in its language, as the client page shows it.

import { typeset } from "../../src/backbench/web/e/texts.js";
import { answers } from "./answers.js";

await answers((/** @type {any} */ { text, locale }) => typeset(text, locale));
