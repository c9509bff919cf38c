// Merge sheet: with which other customer.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { customerWords } from "../../words/customers.js";
import { customersLike, findCustomers } from "../../state/customers.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { mergeWithUndo } from "./alike.js";

const OFFERED = 6;

/** @param {{ customer: Api.Customer, onClose: () => void }} props */
export function MergeSheet({ customer, onClose }) {
  const [query, setQuery] = useState("");
  const { said, doing, run } = useCommand();
  useEffect(() => void findCustomers(query), [query]);
  const text = customerWords.value;
  const found = customersLike(query).filter(({ id }) => id !== customer.id).slice(0, OFFERED);
  const mergeIt = async (/** @type {Api.Customer} */ other) => {
    if (await run(() => mergeWithUndo(customer, other), other.id)) onClose();
  };
  return sheet(
    { title: text.mergeTitle, onClose },
    div(
      { class: "stack" },
      p({}, text.mergeHelp),
      textField({
        label: text.search,
        type: "search",
        value: query,
        autofocus: true,
        autocomplete: "off",
        onInput: setQuery,
      }),
      ...found.map((other) => offer(other, doing, () => void mergeIt(other))),
      needsConnection(),
      said && notice({ kind: "warning", text: said }),
    ),
  );
}

/** @param {Api.Customer} other @param {string} doing @param {() => void} onClick */
function offer({ id, name, phones }, doing, onClick) {
  return actionButton({
    label: [name, phones[0]?.number].filter(Boolean).join(" · "),
    icon: "users",
    wide: true,
    disabled: !isOnline(),
    busy: doing === id,
    onClick,
  });
}
