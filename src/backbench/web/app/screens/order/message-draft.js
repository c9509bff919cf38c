// Message draft: what the server proposes to say to the customer of an order, with what the person changed.

import { isProblem } from "../../api/problems.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { draftMessage } from "../../state/order-details.js";
import { sendChoices } from "../../state/preferences.js";
import { useEffect, useState } from "../../vendor/hooks.js";

/** @typedef {Api.Notice["kind"]} Kind */
/** @typedef {"en" | "pl"} Language */

const EMPTY = { subject: "", body: "" };

/** `problem` is why there is none, in words. @param {string} id @param {Kind} kind @param {Language} locale */
export function useDraft(id, kind, locale) {
  const [draft, setDraft] = useState(EMPTY);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let isCurrent = true;
    setDraft(EMPTY);
    setProblem("");
    draftMessage(id, { kind, locale, tone: sendChoices.value.tone ?? "friendly" }).then(
      // What was written meanwhile stays.
      (made) => isCurrent && setDraft(({ body }) => body ? { ...made, body } : made),
      (error) => {
        if (!isProblem(error)) throw error;
        const { status, code, data } = error;
        if (isCurrent) setProblem(explained({ status, code, data }, words.value.common));
      },
    );
    return () => void (isCurrent = false);
  }, [id, kind, locale]);
  return { draft, problem, setBody: (/** @type {string} */ body) => setDraft({ ...draft, body }) };
}
