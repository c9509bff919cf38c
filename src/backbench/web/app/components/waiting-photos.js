// Waiting photos: those that the server does not have yet, in the sheet of waiting changes: of orders that are gone, too.

import { ago } from "../domain/format.js";
import { words, wordsLanguage } from "../words/words.js";
import { photoWords } from "../words/orders.js";
import { replaced, replica } from "../state/outbox.js";
import { hasLostOrder, remove, startPhotoOutbox, waiting } from "../state/photo-outbox.js";
import { addressOf, retryPhoto } from "../state/photos.js";
import { useEffect } from "../vendor/hooks.js";
import { actionButton } from "./action-button.js";
import { Discard } from "./waiting-changes.js";
import { b, component, div, img, li, p, span, ul } from "./tags.js";

/** @typedef {typeof waiting.value[number]} Photo */

export function part() {
  useEffect(startPhotoOutbox, []);
  return ul({ class: "stack" }, ...waiting.value.map(entry));
}

/** @param {Photo} photo */
function entry(photo) {
  const { key, orderId, madeAt, problem } = photo;
  const text = photoWords.value;
  const isGone = hasLostOrder(photo) || problem?.status === 404;
  const { title = text.title } = replica.views.order.get(replaced(orderId)) ?? {};
  const reason = isGone ? text.orderGone : problem && reasonOf(problem.code);
  return li(
    { key, class: reason ? "notice alarm" : "notice" },
    div(
      { class: "row" },
      img({ class: "photo-small", src: addressOf(photo), alt: "" }),
      b({}, title),
      span({ class: "quiet-text" }, ago(madeAt, Date.now(), wordsLanguage.value)),
    ),
    reason && p({}, reason),
    div(
      { class: "row" },
      problem && !isGone &&
        actionButton({
          label: words.value.common.buttons.retry,
          about: title,
          onClick: () => void retryPhoto(photo),
        }),
      component(Discard, { about: title, onDiscard: () => void remove(key) }),
    ),
  );
}

/** Why the server did not take it. @param {string} code */
export function reasonOf(code) {
  const { problems } = photoWords.value;
  return problems[/** @type {keyof typeof problems} */ (code)] ?? problems.other;
}
