// Slip sheet: on which paper, in which language and for which piece a slip is printed.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { languageChoice } from "../../components/language-choice.js";
import { needsConnection } from "../../components/needs-connection.js";
import { selectField } from "../../components/select-field.js";
import { sheet } from "../../components/sheet.js";
import { p } from "../../components/tags.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { openFile } from "../../local/system.js";
import { customerOf } from "../../state/customers.js";
import { detailsOf } from "../../state/order-details.js";
import { sendChoices, slipFormat } from "../../state/preferences.js";
import { useState } from "../../vendor/hooks.js";

const FORMATS = /** @type {const} */ (["a5", "receipt-80", "receipt-58", "label-62x29", "label-54x25"]);

/** @param {{ orderId: string, onClose: () => void }} props */
export function SlipSheet({ orderId, onClose }) {
  const [locale, setLocale] = useState(
    customerOf(detailsOf(orderId).customerId ?? "")?.locale ?? sendChoices.value.locale ??
      wordsLanguage.value,
  );
  const [piece, setPiece] = useState("1");
  const { papers } = orderWords.value;
  const { pieces = 1 } = detailsOf(orderId).item ?? {};
  const href = address(`/orders/${orderId}/slip`, { format: slipFormat.value, locale, piece });
  const print = actionButton({
    label: papers.print,
    icon: "printer",
    kind: "main",
    wide: true,
    onClick: () => openFile(href),
  });
  return sheet(
    { title: papers.slip, onClose, foot: print },
    paper(),
    languageChoice({ label: orderWords.value.tell.language, value: locale, onChange: setLocale }),
    pieces > 1 && pieceChoice(piece, pieces, setPiece),
    p({ class: "quiet-text" }, papers.printHelp),
    needsConnection(),
  );
}

function paper() {
  const { papers } = orderWords.value;
  return choice({
    label: papers.paper,
    value: slipFormat.value,
    options: FORMATS.map((value) => ({ value, label: papers.formats[value] })),
    onChange: (value) => (slipFormat.value = value),
  });
}

/** @param {string} piece @param {number} pieces @param {(piece: string) => void} onChange */
function pieceChoice(piece, pieces, onChange) {
  const { papers } = orderWords.value;
  const all = Array.from({ length: pieces }, (_, at) => `${at + 1}`);
  return selectField({
    label: papers.piece,
    value: piece,
    options: all.map((value) => ({ value, label: papers.pieceOf(value, pieces) })),
    onChange,
  });
}
