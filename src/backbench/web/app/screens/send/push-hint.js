// Push hint: once something was sent, whether this device shall tell of the answer. Shown until somebody decides.

import { actionButton } from "../../components/action-button.js";
import { div, p } from "../../components/tags.js";
import { connectionsWords } from "../../words/connections.js";
import { startWords } from "../../words/start.js";
import { isPushAllowed, pushAbility } from "../../local/push.js";
import { estimate } from "../../state/estimates.js";
import { notesRead } from "../../state/preferences.js";

const NAME = "push";

/** The hint, or nothing. @param {{ sending: import("./sending.js").Sending }} props */
export function part({ sending }) {
  const isSent = (sending.handoffs.value?.length ?? 0) > 0;
  if (!isSent || notesRead.value.includes(NAME) || pushAbility() !== "ready" || isPushAllowed()) return null;
  const text = connectionsWords.value.push;
  const question = text.hint(estimate(sending.id).value?.recipientName ?? "");
  const close = () => void (notesRead.value = [...notesRead.value, NAME]);
  return div(
    { class: "notice" },
    p({}, question),
    div(
      { class: "row" },
      actionButton({
        label: text.hintYes,
        icon: "smartphone",
        href: "/shop/connections/push",
        about: question,
        onClick: close,
      }),
      actionButton({ label: startWords.value.notNow, kind: "quiet", about: question, onClick: close }),
    ),
  );
}
