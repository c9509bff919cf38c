// Signed: what the customer of an order signed, with the name and the day.

import { signature } from "../../components/signature-pad.js";
import { div, p } from "../../components/tags.js";
import { date } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { signatureOf } from "../../state/order-details.js";

/** @param {{ orderId: string }} props */
export function Signed({ orderId }) {
  const { papers } = orderWords.value;
  const { strokes = [], name = "", signedAt = "" } = signatureOf(orderId);
  return div(
    { class: "signed" },
    signature({ label: papers.signature, strokes }),
    p(
      { class: "quiet-text" },
      [papers.signature, name, signedAt && date(signedAt, wordsLanguage.value)].filter(Boolean).join(", "),
    ),
  );
}
