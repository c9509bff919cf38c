// Photos of an intake: those that the craft takes of such a thing.

import { div, p } from "../../components/tags.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { intakeWords } from "../../state/order-details.js";
import { craft } from "./craft.js";
import { draft } from "../../state/intake.js";

export function Photos() {
  const known = intakeWords.value?.crafts.find(({ domainSlug }) => domainSlug === craft.value);
  if (!known || draft.value.what === "") return null;
  return div(
    { class: "panel" },
    div({ class: "label" }, orderWords.value.intake.photos),
    p({ class: "quiet-text" }, known.photos.map(({ [wordsLanguage.value]: text }) => text).join(" · ")),
  );
}
