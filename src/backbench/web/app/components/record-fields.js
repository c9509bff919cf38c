// Fields of an object that is saved while it is edited: errors and conflicts stand at the field.

import { component, div } from "./tags.js";
import { conflictChoice } from "./conflict-choice.js";
import { textField } from "./text-field.js";
import { fieldExplained } from "../words/problems.js";
import { words } from "../words/words.js";
import { fieldProblem } from "../state/records.js";
import { useState } from "../vendor/hooks.js";

/** @template T @typedef {import("../state/workshops.js").Edited<T>} Edited */

/** A field of text with its error and its conflict.
 * @param {{ record: Edited<any>, name: string, label: string, optional?: boolean, check?: (text: string) => string | undefined }
 *   & Omit<import("./text-field.js").TextField, "value" | "label">} props */
export const recordText = (props) => component(RecordText, props);

/** `optional`: an empty text removes the value. `check` refuses what was typed before it is sent. @param {Parameters<typeof recordText>[0]} props */
function RecordText({ record, name, label, optional = false, check, ...more }) {
  const [refused, setRefused] = useState(/** @type {string | undefined} */ (undefined));
  const commit = (/** @type {string} */ text) => {
    const found = check?.(text);
    setRefused(found);
    if (!found) record.save({ [name]: optional && text === "" ? null : text });
  };
  const problem = refused ?? problemAt(record, name);
  return div(
    { class: "stack" },
    textField({
      label,
      value: record.value.value?.[name] ?? "",
      onCommit: commit,
      ...(problem ? { problem } : {}),
      ...more,
    }),
    recordConflict({ record, name }),
  );
}

/** @param {Edited<any>} record @param {string} name @param {string} [pointer] of a part of the field */
export function problemAt({ kind, id }, name, pointer) {
  const problem = fieldProblem(kind, id, name, pointer);
  return problem ? fieldExplained(problem, words.value.common) : undefined;
}

/** Both values, if somebody else changed the field at the same time.
 * @param {{ record: Edited<any>, name: string, show?: (value: any) => string }} props */
export const recordConflict = ({ record: { id, part }, name, ...more }) =>
  conflictChoice({ objectId: id, part, field: name, ...more });
