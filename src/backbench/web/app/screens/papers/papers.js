// Papers: what goes to the customer of an order and onto the thing: the slip, the code, and the customer's signature.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, div } from "../../components/tags.js";
import { isLocal } from "../../domain/ids.js";
import { orderWords } from "../../words/orders.js";
import { signatureOf } from "../../state/order-details.js";
import { useState } from "../../vendor/hooks.js";
import { CodeSheet } from "./code-sheet.js";
import { SignSheet } from "./sign-sheet.js";
import { Signed } from "./signed.js";
import { SlipSheet } from "./slip-sheet.js";

/** @param {{ orderId: string }} props */
export function Papers({ orderId }) {
  const [shown, show] = useState(/** @type {"slip" | "code" | "sign" | ""} */ (""));
  const { papers } = orderWords.value;
  const disabled = isLocal(orderId) || !isOnline();
  const { strokes } = signatureOf(orderId);
  const onClose = () => show("");
  return div(
    { class: "stack papers" },
    div(
      { class: "papers-ways" },
      actionButton({ label: papers.slip, icon: "printer", disabled, onClick: () => show("slip") }),
      actionButton({ label: papers.code, icon: "qr-code", disabled, onClick: () => show("code") }),
      actionButton({
        label: strokes ? papers.signed : papers.sign,
        icon: "signature",
        onClick: () => show("sign"),
      }),
    ),
    strokes && component(Signed, { orderId }),
    shown === "slip" && component(SlipSheet, { orderId, onClose }),
    shown === "code" && component(CodeSheet, { orderId, onClose }),
    shown === "sign" && component(SignSheet, { orderId, onClose }),
  );
}
