// Workshops: the others of this account, and a new one.

import { actionButton } from "../../../components/action-button.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { component, div, h2 } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { go } from "../../../state/router.js";
import { choose, createWorkshop, workshop, workshops } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { atField, problemNotice } from "../common/problem-notice.js";
import { useCommand } from "../../../components/command.js";

export function Workshops() {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.overview;
  const others = workshops.value.filter(({ id }) => id !== workshop.value?.id);
  const show = (/** @type {string} */ id) => {
    choose(id);
    go("/");
  };
  return div(
    { class: "stack" },
    others.length > 0 && h2({}, text.switchTitle),
    ...others.map((one) =>
      actionButton({ label: `${one.logo} ${one.name}`, wide: true, onClick: () => show(one.id) })
    ),
    div(
      {},
      actionButton({ label: text.newWorkshop, icon: "plus", kind: "quiet", onClick: () => setOpen(true) }),
    ),
    open && component(NewWorkshop, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function NewWorkshop({ onClose }) {
  const [name, setName] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const make = () =>
    void run(async () => {
      await createWorkshop({ name });
      go("/shop/sign");
    });
  const atName = name.trim() === "" && problem ? shopWords.value.sign.nameMissing : atField(problem, "/name");
  return sheet(
    {
      title: text.newWorkshop,
      onClose,
      foot: actionButton({ label: words.value.common.buttons.add, kind: "main", busy, onClick: make }),
      problem: atName ? null : problemNotice(problem),
    },
    needsConnection(),
    textField({
      label: text.workshopName,
      value: name,
      onInput: setName,
      maxLength: 250,
      autofocus: true,
      ...(atName ? { problem: atName } : {}),
    }),
  );
}
