// Import link: on a board without any order, for who has them in a file of another program.

import { actionButton } from "../../components/action-button.js";
import { orderWords } from "../../words/orders.js";

/** The link. */
export function part() {
  return actionButton({
    label: orderWords.value.fromFile,
    icon: "file-text",
    kind: "quiet",
    href: "/shop/connections/imports",
  });
}
