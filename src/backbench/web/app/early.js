// What a first start waits for, asked for while the app itself is loading: a script of its own, which is there before that of the app.
// Later starts show what this browser has stored.

import { address, csrfToken, readEarly } from "./api/early.js";
import { PREFERENCE, stored } from "./local/settings.js";

if (!navigator.serviceWorker?.controller) {
  if (csrfToken()) void readEarly(address("/boot"));
  void words().catch(() => {});
}
// The first use of a browser's formats takes milliseconds, while nothing else is to be done.
setTimeout(() => new Intl.RelativeTimeFormat("en").format(0, "day"));

/** The words that the app asks for first. */
async function words() {
  const language = stored(PREFERENCE + "language", navigator.language);
  await (language.startsWith("pl") ? import("./words/pl.js") : import("./words/en.js"));
}
