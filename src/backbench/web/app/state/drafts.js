// Drafts: answers that were typed and not sent, by the id of what they are about. They outlast their screen and the page.

import { signal } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";
import { workshopId } from "./workshops.js";

/** @typedef {Record<string, string>} Texts */
/** @typedef {{texts: import("../vendor/signals-core.js").Signal<Texts>, loaded: Promise<void>}} Drafts */

/** By workshop. @type {Map<string, Drafts>} */
const all = new Map();

/** What was typed, or nothing. @param {string} id */
export function draftOf(id) {
  return draftsIn(workshopId.value).texts.value[id] ?? "";
}

/** Kept until it is empty. @param {string} id @param {string} text */
export function keepDraft(id, text) {
  const workshop = workshopId.peek();
  const { texts, loaded } = draftsIn(workshop);
  texts.value = { ...texts.value, [id]: text };
  void loaded.then(() => replica.commit({ facts: { [`drafts:${workshop}`]: texts.value } }));
}

/** @param {string} workshop @returns {Drafts} */
function draftsIn(workshop) {
  const known = all.get(workshop);
  if (known) return known;
  const texts = signal(/** @type {Texts} */ ({}));
  const loaded = replica.ownFact(`drafts:${workshop}`).then(
    (/** @type {Texts | undefined} */ stored = {}) => {
      const kept = Object.entries(stored).filter(([, text]) => text !== "");
      texts.value = { ...Object.fromEntries(kept), ...texts.value };
    },
  );
  const made = { texts, loaded };
  all.set(workshop, made);
  return made;
}
