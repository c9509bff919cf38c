// Name on the sign: asked once, while the workshop still has the name of its owner.

import { div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { startWords } from "../../words/start.js";
import { session } from "../../state/session.js";
import { isOwner, updateWorkshop, workshop } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";

export function NameOnSign() {
  const name = workshop.value?.name ?? "";
  // Once asked it stays, so that it can be typed to its end.
  const [isAsked] = useState(isOwner.value && name === session.value.me?.name);
  const text = startWords.value;
  if (!isAsked) return null;
  const save = (/** @type {string} */ value) => value.trim() && updateWorkshop({ name: value.trim() });
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
  );
}
