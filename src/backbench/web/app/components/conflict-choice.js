// Conflict choice: two people changed one field; both values, two buttons.

import { words } from "../i18n/index.js";
import { conflictOf, keepMine, takeTheirs } from "../state/conflicts.js";
import { actionButton } from "./action-button.js";
import { component, div, p } from "./tags.js";

/** @typedef {{ objectId: string, field: string, part?: string, show?: (value: any) => string }} ConflictChoice */

/** Nothing, unless the field has a conflict. @param {ConflictChoice} props */
export const conflictChoice = (props) => component(Choice, props);

/** @param {ConflictChoice} props */
function Choice({ objectId, field, part, show = String }) {
  const found = conflictOf(objectId, field, part);
  if (!found) return null;
  const text = words.value.common.conflict;
  const shown = (/** @type {unknown} */ value) =>
    value === "" || value === null || value === undefined ? text.empty : show(value);
  return div(
    { class: "conflict", role: "alert" },
    p({}, text.title),
    div(
      { class: "row" },
      actionButton({ label: text.mine(shown(found.mine)), onClick: () => keepMine(found) }),
      actionButton({
        label: text.theirs(text.somebody, shown(found.theirs)),
        onClick: () => takeTheirs(found),
      }),
    ),
  );
}
