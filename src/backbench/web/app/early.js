// What a first start waits for, asked for while the app itself is loading: a script of its own, which is there before that of the app.
// Later starts show what this browser has stored.

import { address, csrfToken, readEarly } from "./api/early.js";
import { changesPath, listPath, LISTS, shownOf } from "./domain/lists.js";
import { PREFERENCE, SIGNED_IN, stored } from "./local/settings.js";

if (!navigator.serviceWorker?.controller) {
  if (csrfToken()) void data();
  void words().catch(() => {});
}
// The first use of a browser's formats takes milliseconds, while nothing else is to be done.
setTimeout(() => new Intl.RelativeTimeFormat("en").format(0, "day"));

/** Whose page it is; and where this browser has stored nothing, the lists: after their cursor, as `pull.js` reads them. */
async function data() {
  void readEarly(address("/me"));
  const listed = await readEarly(address("/workshops"));
  const workshop = shownOf(listed?.workshops ?? [], stored(PREFERENCE + "lastWorkshop", ""));
  if (!workshop || stored(SIGNED_IN, null)) return;
  const changes = await readEarly(address(changesPath(workshop.id)));
  if (changes?.cursor) {
    for (const [list, query] of LISTS) void readEarly(address(listPath(workshop.id, list), query));
  }
}

/** The words that the app asks for first. */
async function words() {
  const language = stored(PREFERENCE + "language", navigator.language);
  await (language.startsWith("pl") ? import("./words/pl.js") : import("./words/en.js"));
}
