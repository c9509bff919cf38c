// Words of the inbox: loaded with it, after what the board shows first.

import { inbox as en } from "./en/inbox.js";
import { wordsLanguage } from "./index.js";
import { inbox as pl } from "./pl/inbox.js";

/** Reading them in a component draws it again when the language changes. */
export const inboxWords = () => wordsLanguage.value === "pl" ? pl : en;
