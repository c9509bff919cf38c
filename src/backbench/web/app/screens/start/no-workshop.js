// No workshop: somebody who has left all of them makes another, or opens an invitation.

import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { div, form, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { signOut } from "../../state/session.js";
import { createWorkshop, left } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";

export function NoWorkshop() {
  const text = words.value.start;
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const refused = (/** @type {unknown} */ error) => {
    if (!isProblem(error)) throw error;
    setProblem(explained(error, words.value.common));
    setBusy(false);
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name.trim() || busy || !isOnline()) return;
    setBusy(true);
    createWorkshop({ name: name.trim() }).catch(refused);
  };
  return div(
    { class: "stack" },
    left.value && notice({ kind: "warning", text: text.left(left.value) }),
    p({}, text.noWorkshopHelp),
    form(
      { class: "paper", onSubmit: submit },
      textField({ label: text.workshopName, value: name, maxLength: 250, onInput: setName }),
      needsConnection(),
      problem && notice({ kind: "alarm", text: problem }),
      actionButton({
        label: text.makeWorkshop,
        kind: "main",
        type: "submit",
        busy,
        disabled: !name.trim() || !isOnline(),
      }),
    ),
    actionButton({
      label: words.value.common.buttons.signOut,
      kind: "quiet",
      onClick: () => void signOut().catch(refused),
    }),
  );
}
