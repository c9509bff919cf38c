// Delete workshop: for owners, after its name was typed.

import { actionButton } from "../../../components/action-button.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { component, div, p } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { shopWords } from "../../../words/shop.js";
import { go } from "../../../state/router.js";
import { deleteWorkshop, isOwner, workshop } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { problemNotice } from "../common/problem-notice.js";
import { useCommand } from "../../../components/command.js";

export function DeleteWorkshop() {
  const [open, setOpen] = useState(false);
  if (!isOwner.value) return null;
  return div(
    { class: "stack" },
    actionButton({
      label: shopWords.value.overview.deleteWorkshop,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => setOpen(true),
    }),
    open && component(DeleteSheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function DeleteSheet({ onClose }) {
  const [typed, setTyped] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const name = workshop.value?.name ?? "";
  const remove = () =>
    void run(async () => {
      await deleteWorkshop();
      go("/", { replace: true });
    });
  return sheet(
    {
      title: text.deleteWorkshop,
      onClose,
      foot: actionButton({
        label: text.deleteNow,
        kind: "danger",
        isFinal: true,
        disabled: typed.trim() !== name.trim(),
        busy,
        onClick: remove,
      }),
      problem: problemNotice(problem),
    },
    p({}, text.deleteText(name)),
    actionButton({ label: text.exportFirst, icon: "download", kind: "quiet", href: "/shop/export" }),
    needsConnection(),
    textField({ label: text.deleteType(name), value: typed, onInput: setTyped, autocomplete: "off" }),
  );
}
