// Saved mark: whether a record that is saved while it is edited is saved, and why not.

import { isOffline } from "../../../api/problems.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { component, icon, span } from "../../../components/tags.js";
import { words } from "../../../i18n/index.js";
import { useEffect, useState } from "../../../vendor/hooks.js";
import { problemNotice } from "./problem-notice.js";

/** @template T @typedef {import("../../../state/shared-record.js").SharedRecord<T>} SharedRecord */

/** Whether all is saved, beside the title. @param {{ record: SharedRecord<any> }} props */
export const savedMark = (props) => component(SavedMark, props);

/** @param {Parameters<typeof savedMark>[0]} props */
function SavedMark({ record }) {
  const [wasSaving, setWasSaving] = useState(false);
  const isSaving = record.isSaving.value;
  const drafts = Object.keys(record.drafts.value).length;
  useEffect(() => {
    if (isSaving) setWasSaving(true);
  }, [isSaving]);
  const { saving } = words.value.shop;
  const said = isSaving ? saving.saving : drafts ? saving.notSaved : wasSaving ? saving.saved : "";
  return span(
    { class: "saved-mark quiet-text", role: "status" },
    said === saving.saved && icon("check"),
    said,
  );
}

/** Why nothing can be saved, if so. @param {SharedRecord<any>} record */
export function recordNotice(record) {
  const problem = record.problem.value;
  return [needsConnection(), problem && !isOffline(problem) ? problemNotice(problem) : null];
}
