// New grid: empty with a name, or from the catalog.

import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, form } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { tileWords } from "../../words/tiles.js";
import { createGrid, grids } from "../../state/grids.js";
import { lastGrid } from "../../state/preferences.js";
import { useState } from "../../vendor/hooks.js";

/** As many grids as a workshop can have. */
export const MOST_GRIDS = 10;

/** Whether there is room for so many more grids. */
export const hasRoom = (count = 1) => grids.value.length + count <= MOST_GRIDS;

/** @param {{ onClose: () => void }} props */
export function NewGrid({ onClose }) {
  const text = tileWords.value;
  const content = hasRoom()
    ? [
      actionButton({ label: text.fromCatalog, icon: "book-open", kind: "main", href: "/catalog" }),
      component(Empty, { onClose }),
    ]
    : [notice({ kind: "warning", text: text.gridLimit(MOST_GRIDS) })];
  return sheet({ title: text.newGrid, onClose }, ...content);
}

/** @param {{ onClose: () => void }} props */
function Empty({ onClose }) {
  const text = tileWords.value;
  const [name, setName] = useState("");
  const create = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name.trim()) return;
    lastGrid.value = createGrid({ name: name.trim(), iconSize: "medium", buttons: [] });
    onClose();
  };
  return form(
    { class: "panel", onSubmit: create },
    textField({
      label: text.name,
      help: text.nameHelp,
      value: name,
      maxLength: 250,
      autocomplete: "off",
      onInput: setName,
    }),
    actionButton({ label: text.emptyGrid, type: "submit", disabled: !name.trim() }),
  );
}
