// Talk: what the customer asked on the page of the order, and what the workshop answered there.

import { actionButton } from "../../components/action-button.js";
import { b, div, h2, li, p, section, span, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { draftOf, keepDraft } from "../../state/drafts.js";
import { answer, questionsOf } from "../../state/order-details.js";

/** Nothing, until somebody asked. @param {{ orderId: string }} props */
export function Talk({ orderId }) {
  const draft = draftOf(orderId);
  const questions = questionsOf(orderId);
  if (!questions.length) return null;
  const text = orderWords.value;
  const submit = () => {
    answer(orderId, draft.trim());
    keepDraft(orderId, "");
  };
  return section(
    { class: "panel" },
    h2({}, text.talk),
    ul({ class: "stack" }, ...questions.map(said)),
    textField({
      label: text.answer,
      help: text.answerHelp,
      value: draft,
      multiline: true,
      maxLength: 2000,
      onInput: (value) => keepDraft(orderId, value),
    }),
    actionButton({
      label: text.sendAnswer,
      icon: "send",
      isFinal: true,
      disabled: draft.trim() === "",
      onClick: submit,
    }),
  );
}

/** @param {Api.OrderQuestion} question */
function said({ id, by, name, text, at }) {
  return li(
    { key: id, class: `said ${by}` },
    div(
      { class: "row" },
      b({}, by === "member" ? name || orderWords.value.us : name),
      span({ class: "quiet-text" }, ago(at, Date.now(), wordsLanguage.value)),
    ),
    p({}, text),
  );
}
