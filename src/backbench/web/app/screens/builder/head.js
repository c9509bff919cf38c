// Head of the builder: the way back, the name and the client; a tap opens both.

import { actionButton } from "../../components/action-button.js";
import { b, button, component, div, icon, span } from "../../components/tags.js";
import { builderWords } from "../../words/builder.js";
import { words } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { conflicts } from "../../state/conflicts.js";
import { estimate } from "../../state/estimates.js";
import { pendingOf, replaced } from "../../state/outbox.js";
import { back } from "../../state/router.js";
import { questionsOf } from "./questions.js";

/** @param {{ till: import("./till.js").Till, onOpen: () => void, onQuestions: () => void }} props */
export function Head({ till, onOpen, onQuestions }) {
  const shown = estimate(till.id).value;
  const text = builderWords.value;
  const own = replaced(till.id);
  const isDisputed = conflicts.value.some(({ objectId, part }) => objectId === own && part === "fields");
  return div(
    { class: "builder-head" },
    actionButton({
      label: words.value.common.buttons.back,
      icon: "arrow-left",
      kind: "quiet",
      iconOnly: true,
      onClick: () => back("/estimates"),
    }),
    button(
      { class: "builder-name", type: "button", onClick: onOpen },
      b({}, shown?.name || text.newEstimate),
      span(
        { class: "quiet-text" },
        isDisputed && icon("triangle-alert"),
        span({}, shown?.recipientName || text.forWhom),
        component(Pending, { id: till.id }),
      ),
    ),
    component(Asked, { id: till.id, onQuestions }),
    actionButton({ label: text.details, icon: "ellipsis", kind: "quiet", iconOnly: true, onClick: onOpen }),
  );
}

/** The client's questions, loud while one has no answer. @param {{ id: string, onQuestions: () => void }} props */
function Asked({ id, onQuestions }) {
  const { count, isOpen } = questionsOf(id);
  if (!count) return null;
  return actionButton({
    label: String(count),
    about: sendWords.value.questions,
    icon: "message-circle",
    kind: isOpen ? "main" : "quiet",
    onClick: onQuestions,
  });
}

/** @param {{ id: string }} props */
function Pending({ id }) {
  if (!pendingOf(id).value) return null;
  return icon("clock", { label: words.value.common.connection.notSentYet });
}
