// Undo bar: what was just done, and the button that takes it back.

import { words } from "../i18n/index.js";
import { holdUndo, releaseUndo, takeUndo, undoOffer } from "../state/undo.js";
import { actionButton } from "./action-button.js";
import { component, div, span } from "./tags.js";

export const undoBar = (/** @type {{}} */ props) => component(UndoBar, props);

function UndoBar() {
  const offer = undoOffer.value;
  return div(
    { role: "status" },
    offer && div(
      { class: "undo-bar", onFocusIn: holdUndo, onFocusOut: releaseUndo },
      span({}, offer.text),
      actionButton({ label: words.value.common.buttons.undo, icon: "undo-2", onClick: takeUndo }),
    ),
  );
}
