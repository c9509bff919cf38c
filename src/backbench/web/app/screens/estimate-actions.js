// Actions on an estimate: its document, revisions, a job of it, a copy, its deletion.

import { isOnline, needsConnection, useCommand } from "../components/command.js";
import { notice } from "../components/notice.js";
import { b, button, div, icon, span } from "../components/tags.js";
import { builderWords } from "../words/builder.js";
import { estimateWords } from "../words/estimates.js";
import { deleteEstimate, duplicateEstimate } from "../state/estimates.js";
import { createOrderOf } from "../state/order-details.js";
import { go } from "../state/router.js";
import { offerDrop } from "../state/undo.js";

/** `onDocument` opens the details of the document, where they can be. @typedef {{ id: string, name: string, orderId?: string | undefined, onClose: () => void, onDocument?: () => void }} Actions */

/** @param {Actions} props */
export function EstimateActions({ id, name, orderId, onClose, onDocument }) {
  const { said, busy, run } = useCommand();
  const text = builderWords.value;
  const isPossible = isOnline() && !busy;
  const toOrder = orderId
    ? row("hammer", estimateWords.value.toTheOrder, "", () => go(`/orders/${orderId}`))
    : row(
      "hammer",
      text.itsAJob,
      text.itsAJobHelp,
      () => void run(async (go) => go(`/orders/${await createOrderOf(id)}`)),
      isPossible,
    );
  return div(
    { class: "stack" },
    needsConnection(),
    said && notice({ kind: "alarm", text: said }),
    div(
      { class: "link-rows" },
      onDocument && row("file-text", text.document, text.documentHelp, onDocument),
      row("history", text.revisions, text.revisionsHelp, () => go(`/estimates/${id}/revisions`)),
      toOrder,
      row(
        "copy",
        text.duplicate,
        text.duplicateHelp,
        () => void run(async (go) => go(`/estimates/${await duplicateEstimate(id)}`)),
        isPossible,
      ),
      row("trash-2", text.delete, "", () => remove(id, name, onClose), true, false),
    ),
  );
}

/** @param {string} glyph @param {string} title @param {string} detail @param {() => void} onClick @param {boolean} [isPossible] @param {boolean} [isPage] whether it leads to another screen */
function row(glyph, title, detail, onClick, isPossible = true, isPage = true) {
  return button(
    {
      class: "link-row",
      type: "button",
      "aria-disabled": isPossible ? undefined : "true",
      onClick: () => isPossible && onClick(),
    },
    icon(glyph),
    span({}, b({}, title), detail && span({ class: "quiet-text" }, detail)),
    span({ class: "link-row-end" }, isPage && icon("chevron-right")),
  );
}

/** Deleted at once, and for six seconds it can be taken back. @param {string} id @param {string} name @param {() => void} onClose */
function remove(id, name, onClose) {
  onClose();
  offerDrop(builderWords.value.deleted(name), deleteEstimate(id));
  go("/estimates", { replace: true });
}
