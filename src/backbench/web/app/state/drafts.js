// Drafts: answers that were typed and not sent, by the id of what they are about. They outlast their screen and the page.

import { channel } from "../local/pages.js";
import { computed, signal } from "../vendor/signals-core.js";
import { account, replica } from "./outbox.js";
import { workshopId, workshops } from "./workshops.js";

/** @typedef {Record<string, string>} Texts */
/** @typedef {{texts: import("../vendor/signals-core.js").Signal<Texts>, isLoaded: import("../vendor/signals-core.js").Signal<boolean>, loaded: Promise<void>}} Drafts */

/** By workshop. @type {Map<string, Drafts>} */
const all = new Map();

/** What was typed, or nothing. @param {string} id */
export function draftOf(id) {
  return draftsIn(workshopId.value).texts.value[id] ?? "";
}

/** What was typed in a workshop; undefined until it is known. @param {string} workshop @param {string} id */
export function draftIn(workshop, id) {
  const { texts, isLoaded } = draftsIn(workshop);
  return texts.value[id] ?? (isLoaded.value ? "" : undefined);
}

/** How many texts of all workshops were typed and not sent. */
export const draftCount = computed(() =>
  workshops.value.flatMap(({ id }) => Object.values(draftsIn(id).texts.value)).filter((text) => text !== "")
    .length
);

/** Kept until it is empty. @param {string} id @param {string} text */
export function keepDraft(id, text) {
  const workshop = workshopId.peek();
  const { texts, loaded } = draftsIn(workshop);
  texts.value = { ...texts.peek(), [id]: text };
  void loaded.then(() => replica.commit({ facts: { [`drafts:${workshop}`]: texts.peek() } }));
}

/** @param {string} workshop @returns {Drafts} */
function draftsIn(workshop) {
  const known = all.get(workshop);
  if (known) return known;
  const key = `drafts:${workshop}`;
  const texts = signal(/** @type {Texts} */ ({}));
  const isLoaded = signal(false);
  const loaded = replica.ownFact(key).then((/** @type {Texts | undefined} */ stored = {}) => {
    const kept = Object.entries(stored).filter(([, text]) => text !== "");
    texts.value = { ...Object.fromEntries(kept), ...texts.peek() };
    isLoaded.value = true;
  });
  // What another page of this browser has typed.
  channel.listen((message) => {
    const isOurs = message.type === "write" && message.account === account.peek();
    if (isOurs && message.write.facts?.[key]) texts.value = /** @type {Texts} */ (message.write.facts[key]);
  });
  const made = { texts, isLoaded, loaded };
  all.set(workshop, made);
  return made;
}
