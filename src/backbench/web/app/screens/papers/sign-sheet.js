// Sign sheet: the customer signs on the screen for the thing, its condition and the limit. It needs no connection.

import { actionButton } from "../../components/action-button.js";
import { sheet } from "../../components/sheet.js";
import { signaturePad } from "../../components/signature-pad.js";
import { component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { amount, weekday } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { clearSignature, detailsOf, sign, signatureOf } from "../../state/order-details.js";
import { order as orderOf } from "../../state/orders.js";
import { clock } from "../../state/tickets.js";
import { currency } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { Signed } from "./signed.js";

/** @param {{ orderId: string, onClose: () => void }} props */
export function SignSheet({ orderId, onClose }) {
  return component(signatureOf(orderId).strokes ? Kept : Signing, { orderId, onClose });
}

/** @param {{ orderId: string, onClose: () => void }} props */
function Kept({ orderId, onClose }) {
  const { papers } = orderWords.value;
  return sheet(
    { title: papers.signed, onClose },
    component(Signed, { orderId }),
    actionButton({
      label: papers.signAgain,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => clearSignature(orderId),
    }),
  );
}

/** @param {{ orderId: string, onClose: () => void }} props */
function Signing({ orderId, onClose }) {
  const [strokes, setStrokes] = useState(/** @type {number[][][]} */ ([]));
  const [name, setName] = useState("");
  const { papers } = orderWords.value;
  const disabled = strokes.length === 0;
  const keep = () => {
    sign(orderId, strokes, name.trim());
    onClose();
  };
  const foot = actionButton({
    label: papers.keep,
    kind: "main",
    wide: true,
    isFinal: true,
    disabled,
    onClick: keep,
  });
  return sheet(
    { title: papers.sign, onClose, foot },
    div({}, ...signedFor(orderId).map((line, at) => p({ key: at }, line))),
    signaturePad({ label: papers.signature, strokes, onChange: setStrokes }),
    actionButton({ label: papers.clear, kind: "quiet", disabled, onClick: () => setStrokes([]) }),
    textField({ label: papers.signer, value: name, maxLength: 100, autocomplete: "off", onInput: setName }),
  );
}

/** What the customer sees above the line: the thing, its condition, the day and the limit. @param {string} id */
function signedFor(id) {
  const text = orderWords.value;
  const { item, dueOn, priceLimit } = detailsOf(id);
  return [
    orderOf(id).value?.title,
    item?.description,
    item?.condition,
    dueOn && `${text.dueOn}: ${weekday(dueOn, clock.value.today, wordsLanguage.value)}`,
    priceLimit !== undefined && text.limitIs(amount(priceLimit, currency.value, wordsLanguage.value)),
  ].filter((line) => typeof line === "string" && line !== "");
}
