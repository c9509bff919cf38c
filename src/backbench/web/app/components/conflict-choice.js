// Conflict choice: two people changed one field; both values, two buttons.

import { fieldNames } from "../words/field-names.js";
import { words } from "../words/words.js";
import { conflictOf, keepMine, takeTheirs } from "../state/conflicts.js";
import { actionButton } from "./action-button.js";
import { component, div, p } from "./tags.js";

/** `isNamed` says which field it is, where the choice does not stand at it. @typedef {{ objectId: string, field: string, part?: string, show?: (value: any) => string, isNamed?: boolean }} ConflictChoice */

/** Nothing, unless the field has a conflict. @param {ConflictChoice} props */
export const conflictChoice = (props) => component(Choice, props);

/** @param {ConflictChoice} props */
function Choice({ objectId, field, part, show = shownValue, isNamed = false }) {
  const found = conflictOf(objectId, field, part);
  if (!found) return null;
  const { conflict: text } = words.value.common;
  const name = isNamed && /** @type {Record<string, string>} */ (fieldNames.value)[field];
  const shown = (/** @type {unknown} */ value) =>
    value === "" || value === null || value === undefined ? text.empty : show(value);
  return div(
    { class: "conflict", role: "alert" },
    p({}, name ? `${text.title}: ${name}` : text.title),
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

/** A value as text; of an object its texts, such as those of both languages. @param {any} value */
function shownValue(value) {
  return value !== null && typeof value === "object" ? Object.values(value).join(" / ") : String(value);
}
