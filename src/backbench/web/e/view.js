// State of the client page: the estimate, and what the person has entered. Nothing is stored in the browser.

import { loadModule } from "./elements.js";
import { money } from "./figures.js";
import { request } from "./requests.js";
import { textsIn } from "./texts.js";

/** What the page shows. `texts` are null until they are loaded. `note`: a message above the answer. `problem`: one in the sign. `change`: how this revision differs from the one that was shown before. `panel`: the form that is open, "accept" or "decline". */
export const view = {
  locale: navigator.language.startsWith("pl") ? "pl" : "en",
  texts: null,
  estimate: null,
  note: "",
  problem: "",
  change: "",
  panel: "",
  isNew: false,
  isSending: false,
  // The words for a document with another title, once one is shown.
  titled: (texts) => texts,
};
/** What the person has entered; kept when the page is drawn again. */
export const draft = { name: "", agreed: false, startEarly: false, draws: false, drawing: null, reason: "", comment: "", errors: {} };

/** Shows the language from the next drawing on. Rejects where its words cannot be loaded. */
export async function speak(locale) {
  const texts = await textsIn(locale);
  Object.assign(view, { locale, problem: "" });
  view.texts = view.titled(texts, locale, view.estimate?.documentTitle);
  document.documentElement.lang = locale;
}

/**
 * Loads the estimate into the view, if that is still wanted once it has arrived. The response says whether that succeeded;
 * it is null where there is none.
 */
export async function load(isWanted = () => true) {
  const response = await request("");
  if (response?.ok) {
    const estimate = await response.json();
    if (!isWanted()) return response;
    const before = view.estimate;
    view.estimate = estimate;
    if (before && agreedTo(before) !== agreedTo(estimate)) endAnswer(before);
    if (view.estimate.documentTitle) view.titled = (await loadModule("./titles.js")).titled;
  }
  return response;
}

/** Whether a decision stands in the way of an answer: any, but a decline of an older revision. */
export const isDecided = ({ decision, revisionNumber }) => decision?.outcome === "accepted" || decision?.revisionNumber >= revisionNumber;

const agreedTo = ({ documentHash, consent }) => documentHash + consent.id;

/** What was declared about the document before ends with it. What was typed stays. */
function endAnswer(before) {
  const { estimate, texts } = view;
  Object.assign(draft, { agreed: false, startEarly: false, drawing: null });
  Object.assign(view, { panel: "", note: estimate.canDecide ? texts.changed : "" });
  if (estimate.revisionNumber !== before.revisionNumber) view.change = texts.newRevision(estimate.revisionNumber, difference(before));
}

/** How the total has changed; "" where it has not. */
function difference(before) {
  const [now, then] = [view.estimate, before].map(({ sums, currency }) => money(sums.total, currency, view.locale));
  return now === then ? "" : `${then} → ${now}`;
}
