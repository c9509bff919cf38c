// Saved mark: whether an object that is saved while it is edited is saved.

import { component, icon, span } from "../../../components/tags.js";
import { shopWords } from "../../../words/shop.js";
import { savingOf } from "../../../state/edited.js";
import { useEffect, useState } from "../../../vendor/hooks.js";

/** @typedef {import("../../../domain/kinds.js").Kind} Kind */

/** Whether all is saved, beside the title. @param {{ record: { kind: Kind, id: string } }} props */
export const savedMark = (props) => component(SavedMark, props);

/** @param {Parameters<typeof savedMark>[0]} props */
function SavedMark({ record: { kind, id } }) {
  const [wasSaving, setWasSaving] = useState(false);
  const state = savingOf(kind, id);
  useEffect(() => {
    if (state !== "saved") setWasSaving(true);
  }, [state]);
  const { saving } = shopWords.value;
  const said =
    { saving: saving.saving, waiting: saving.notSaved, saved: wasSaving ? saving.saved : "" }[state];
  return span(
    { class: "saved-mark quiet-text", role: "status" },
    said === saving.saved && icon("check"),
    said,
  );
}
