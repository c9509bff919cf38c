// Actions on an estimate: its document, revisions, a job of it, a copy, its deletion.

import { isProblem } from "../../api/problems.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { b, button, div, icon, span } from "../../components/tags.js";
import { explained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { deleteEstimate, duplicateEstimate, estimate } from "../../state/estimates.js";
import { createOrderOf } from "../../state/orders.js";
import { drop } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { offerUndo } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";
import { NEW } from "./till.js";

/** @typedef {import("./till.js").Till} Till */
/** @typedef {import("../../api/problems.js").Problem} Problem */

/** @param {{ till: Till, onClose: () => void, onDocument: () => void }} props */
export function EstimateActions({ till, onClose, onDocument }) {
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const text = words.value.builder;
  if (till.id === NEW) return null;
  const online = isOnline();
  const run = (/** @type {() => Promise<void>} */ work) => () =>
    work().catch((error) => setProblem(known(error)));
  return div(
    { class: "stack" },
    needsConnection(),
    problem && notice({ kind: "alarm", text: explained(plain(problem), words.value.common) }),
    div(
      { class: "link-rows" },
      row("file-text", text.document, text.documentHelp, onDocument, online),
      row("history", text.revisions, text.revisionsHelp, () => go(`/estimates/${till.id}/revisions`)),
      row("hammer", text.itsAJob, text.itsAJobHelp, run(() => job(till, onClose)), online),
      row("copy", text.duplicate, text.duplicateHelp, run(() => duplicate(till)), online),
      row("trash-2", text.delete, "", () => remove(till)),
    ),
  );
}

/** @param {unknown} error @returns {Problem} */
function known(error) {
  if (isProblem(error)) return error;
  throw error;
}

/** @param {Problem} problem */
function plain({ status, code, retryAfter, data }) {
  return { status, code, data, ...(retryAfter === null ? {} : { retryAfter }) };
}

/** @param {string} glyph @param {string} title @param {string} detail @param {() => void} onClick @param {boolean} [isPossible] */
function row(glyph, title, detail, onClick, isPossible = true) {
  return button(
    {
      class: "link-row",
      type: "button",
      "aria-disabled": isPossible ? undefined : "true",
      onClick: () => isPossible && onClick(),
    },
    icon(glyph),
    span({}, b({}, title), detail && span({ class: "quiet-text" }, detail)),
    span({ class: "link-row-end" }, icon("chevron-right")),
  );
}

/** @param {Till} till @param {() => void} onClose */
async function job(till, onClose) {
  const orderId = await createOrderOf(till.id);
  const name = estimate(till.id).peek()?.name ?? "";
  onClose();
  offerUndo(words.value.builder.onTheBoard(name), () => {});
  go(`/orders/${orderId}`);
}

/** @param {Till} till */
async function duplicate(till) {
  go(`/estimates/${await duplicateEstimate(till.id)}`);
}

/** @param {Till} till */
function remove(till) {
  const { id } = till;
  const name = estimate(id).peek()?.name ?? "";
  const key = deleteEstimate(id);
  offerUndo(words.value.builder.deleted(name), () => {
    drop(key);
    go(`/estimates/${id}`);
  });
  go("/estimates", { replace: true });
}
