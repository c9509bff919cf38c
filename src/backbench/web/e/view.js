// State of the client page: the estimate, and what the person has entered. Nothing is stored in the browser.

import { request } from "./requests.js";
import { TEXTS } from "./texts.js";

const guess = navigator.language.startsWith("pl") ? "pl" : "en";
/** What the page shows. `note`: a message above the answer. `panel`: the form that is open, "accept" or "decline". */
export const view = {
  locale: guess,
  texts: TEXTS[guess],
  estimate: null,
  note: "",
  panel: "",
  isNew: false,
  isSending: false,
  // The words for a document with another title, once one is shown.
  titled: (texts) => texts,
};
/** What the person has entered; kept when the page is drawn again. */
export const draft = { name: "", agreed: false, startEarly: false, draws: false, drawing: null, reason: "", comment: "", errors: {} };

export function speak(locale) {
  view.locale = locale;
  view.texts = view.titled(TEXTS[locale], locale, view.estimate?.documentTitle);
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
    view.estimate = estimate;
    if (view.estimate.documentTitle) view.titled = (await import("./titles.js")).titled;
  }
  return response;
}
