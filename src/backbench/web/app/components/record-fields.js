// Fields of a record that is saved while it is edited: errors and conflicts stand at the field.

import { actionButton } from "./action-button.js";
import { component, div, p } from "./tags.js";
import { textField } from "./text-field.js";
import { fieldExplained } from "../i18n/problems.js";
import { words } from "../i18n/index.js";
import { connection } from "../state/connection.js";
import * as records from "../state/shared-record.js";
import { useEffect, useState } from "../vendor/hooks.js";

/** @template T @typedef {import("../state/shared-record.js").SharedRecord<T>} SharedRecord */

/**
 * The record of a screen: read when it is opened, followed while it is shown, sent again when the connection is back.
 * @template {object} T @param {() => SharedRecord<T>} make @param {T | null} live
 */
export function useRecord(make, live) {
  const [record] = useState(make);
  const { online } = connection.value;
  useEffect(() => void (records.isSaved(record) ? records.load(record) : records.retry(record)), [online]);
  useEffect(() => records.follow(record, live), [live]);
  return record;
}

/** A field of text with its error and its conflict.
 * @param {{ record: SharedRecord<any>, name: string, label: string, optional?: boolean, check?: (text: string) => string | undefined }
 *   & Omit<import("./text-field.js").TextField, "value" | "label">} props */
export const recordText = (props) => component(RecordText, props);

/** `optional`: an empty text removes the value. `check` refuses what was typed before it is sent. @param {Parameters<typeof recordText>[0]} props */
function RecordText({ record, name, label, optional = false, check, ...more }) {
  const [refused, setRefused] = useState(/** @type {string | undefined} */ (undefined));
  const commit = (/** @type {string} */ text) => {
    const found = check?.(text);
    setRefused(found);
    if (!found) void records.save(record, { [name]: optional && text === "" ? undefined : text });
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

/** @param {SharedRecord<any>} record @param {string} name @param {string} [pointer] of a part of the field */
export function problemAt(record, name, pointer) {
  const { problem } = record.drafts.value[name] ?? {};
  const isHere = problem && (!pointer || problem.pointer.startsWith(pointer));
  return isHere ? fieldExplained(problem, words.value.common) : undefined;
}

/** Both values, if somebody else changed the field at the same time.
 * @param {{ record: SharedRecord<any>, name: string, show?: (value: any) => string }} props */
export const recordConflict = (props) => component(RecordConflict, props);

/** @param {Parameters<typeof recordConflict>[0]} props */
function RecordConflict({ record, name, show = String }) {
  const found = records.conflictOf(record, name);
  if (!found) return null;
  const text = words.value.common.conflict;
  const shown = (/** @type {unknown} */ value) => value ? show(value) : text.empty;
  return div(
    { class: "conflict", role: "alert" },
    p({}, text.title),
    div(
      { class: "row" },
      actionButton({
        label: text.mine(shown(found.mine)),
        onClick: () => void records.keepMine(record, name),
      }),
      actionButton({
        label: text.theirs(text.somebody, shown(found.theirs)),
        onClick: () => records.takeTheirs(record, name),
      }),
    ),
  );
}
