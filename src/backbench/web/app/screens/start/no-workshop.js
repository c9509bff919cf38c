// No workshop: somebody who has left all of them makes another, or opens an invitation.

import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { component, div, form, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { startWords } from "../../words/start.js";

import { createWorkshop, left } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { SignOut } from "../shop/overview/sign-out.js";

export function NoWorkshop() {
  const text = startWords.value;
  const [problem, setProblem] = useState("");
  const refused = (/** @type {unknown} */ error) => {
    if (!isProblem(error)) throw error;
    setProblem(explained(error, words.value.common));
  };
  return div(
    { class: "stack" },
    left.value && notice({ kind: "warning", text: text.left(left.value) }),
    p({}, text.noWorkshopHelp),
    component(NewWorkshop, { refused }),
    problem && notice({ kind: "alarm", text: problem }),
    component(SignOut, {}),
  );
}

/** @param {{ refused: (error: unknown) => void }} props */
function NewWorkshop({ refused }) {
  const text = startWords.value;
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const isReady = name.trim() !== "" && isOnline();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isReady || busy) return;
    setBusy(true);
    createWorkshop({ name: name.trim() }).catch(refused).finally(() => setBusy(false));
  };
  return form(
    { class: "panel", onSubmit: submit },
    textField({ label: text.workshopName, value: name, maxLength: 250, onInput: setName }),
    needsConnection(),
    actionButton({ label: text.makeWorkshop, kind: "main", type: "submit", busy, disabled: !isReady }),
  );
}
