// Logo: the emoji of the workshop, from a picker.

import { actionButton } from "../../../components/action-button.js";
import { emojiPicker } from "../../../components/emoji-picker.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { component, div, p, span } from "../../../components/tags.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { emoji, loadCatalog } from "../../../state/catalog.js";
import { useEffect, useState } from "../../../vendor/hooks.js";
import { emojiFor, groups } from "../../tiles/emoji-search.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";

/** @typedef {import("../sign.js").Record} SignRecord */

/** @param {{ record: SignRecord }} props */
export function LogoField({ record }) {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.sign;
  const logo = record.value.value?.logo ?? "";
  const problem = problemAt(record, "logo");
  const take = (/** @type {string} */ value) => {
    setOpen(false);
    record.save({ logo: value });
  };
  return div(
    { class: "stack" },
    div(
      { class: "logo-row" },
      span({ class: "label" }, text.logo),
      span({ class: "logo-now", "aria-hidden": "true" }, logo),
      actionButton({
        label: words.value.common.buttons.change,
        about: text.logo,
        onClick: () => setOpen(true),
      }),
    ),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    recordConflict({ record, name: "logo" }),
    open && component(Picker, { logo, onPick: take, onClose: () => setOpen(false) }),
  );
}

/** @param {{ logo: string, onPick: (emoji: string) => void, onClose: () => void }} props */
function Picker({ logo, onPick, onClose }) {
  const text = shopWords.value.sign;
  useEffect(() => void loadCatalog(), []);
  return sheet(
    { title: text.logo, onClose },
    emoji.value === null && needsConnection(),
    emojiPicker({
      label: text.logo,
      search: text.findEmoji,
      value: logo,
      groups: groups(),
      find: emojiFor,
      none: words.value.common.nothingFound,
      onChange: onPick,
    }),
  );
}
