// Secret field: something that is shown once, and the button that copies it.

import { actionButton } from "../../../components/action-button.js";
import { component, div, input, label as labelTag, p } from "../../../components/tags.js";
import { words } from "../../../words/words.js";
import { useId, useState } from "../../../vendor/hooks.js";

import { copied } from "../../send/clipboard.js";

/** @param {{ label: string, secret: string, note: string }} props */
export const secretField = (props) => component(SecretField, props);

/** @param {Parameters<typeof secretField>[0]} props */
function SecretField({ label, secret, note }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const { buttons } = words.value.common;
  const copy = async () => {
    await copied(secret);
    setIsCopied(true);
  };
  return div(
    { class: "panel secret" },
    p({ role: "status" }, note),
    div(
      { class: "field" },
      labelTag({ for: id }, label),
      input({
        id,
        class: "input figures",
        value: secret,
        readOnly: true,
        onFocus: (event) => event.currentTarget.select(),
      }),
    ),
    actionButton({
      label: isCopied ? buttons.copied : buttons.copy,
      icon: isCopied ? "check" : "copy",
      kind: "main",
      onClick: () => void copy(),
    }),
  );
}
