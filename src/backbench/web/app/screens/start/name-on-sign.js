// Name on the sign: asked once, while the workshop still has the name of its owner.

import { isOnline } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { session } from "../../state/session.js";
import { isOwner, updateWorkshop, workshop } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";

export function NameOnSign() {
  const name = workshop.value?.name ?? "";
  // Once asked it stays, so that it can be typed to its end.
  const [isAsked] = useState(isOwner.value && name === session.value.me?.name && isOnline());
  const [problem, setProblem] = useState("");
  const text = words.value.start;
  if (!isAsked) return null;
  const save = (/** @type {string} */ value) => {
    if (!value.trim()) return;
    setProblem("");
    updateWorkshop({ name: value.trim() }).catch((error) => {
      if (!isProblem(error)) throw error;
      setProblem(explained(error, words.value.common));
    });
  };
  return div(
    { class: "stack" },
    textField({
      label: text.yourSign,
      help: text.yourSignHelp,
      value: name,
      maxLength: 250,
      autocomplete: "organization",
      onCommit: save,
    }),
    problem && notice({ kind: "alarm", text: problem }),
  );
}
