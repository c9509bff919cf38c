// Undo bar: what was just done, and the button that takes it back; otherwise that something could not be loaded.

import { words } from "../words/words.js";
import { loadMissing, missing } from "../state/missing.js";
import { holdUndo, releaseUndo, takeAlso, takeUndo, undoOffer } from "../state/undo.js";
import { actionButton } from "./action-button.js";
import { later } from "./later.js";
import { component, div, span } from "./tags.js";

const ProblemText = later(() => import("./problem-text.js"));

export const undoBar = (/** @type {{}} */ props) => component(UndoBar, props);

function UndoBar() {
  const offer = undoOffer.value;
  const { common } = words.value;
  const { buttons, incomplete } = common;
  const text = offer?.problem ? component(ProblemText, { problem: offer.problem }) : offer?.text;
  const undo = { label: buttons.undo, icon: "undo-2", onClick: takeUndo };
  const again = { label: buttons.retry, icon: "refresh-cw", onClick: offer ? takeUndo : loadMissing };
  return div(
    { role: "status" },
    (offer || missing.value.length > 0) && div(
      { class: "undo-bar", onFocusIn: holdUndo, onFocusOut: releaseUndo },
      span({}, text ?? incomplete),
      offer?.also && !offer.problem && actionButton({ label: offer.also.label, onClick: takeAlso }),
      actionButton(offer && !offer.retries ? undo : again),
    ),
  );
}
