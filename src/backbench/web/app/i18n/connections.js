// Words of the connections, loaded with their screens.

import { connections as en } from "./en/connections.js";
import { wordsLanguage } from "./index.js";
import { connections as pl } from "./pl/connections.js";

/** Reading them in a component draws it again when the language changes. */
export const connectionsWords = () => wordsLanguage.value === "pl" ? pl : en;
