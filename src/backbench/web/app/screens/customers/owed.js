// Owed: what the customer has still to pay, of open and of collected orders. The server knows all of them.

import { call } from "../../api/client.js";
import { p } from "../../components/tags.js";
import { decimal, decimalText } from "../../domain/decimals.js";
import { amount } from "../../domain/format.js";
import { isLocal } from "../../domain/ids.js";
import { customerWords } from "../../words/customers.js";
import { wordsLanguage } from "../../words/words.js";
import { connection } from "../../state/connection.js";
import { softly } from "../../state/records.js";
import { workshopId } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";

const MOST = 500;

/** @param {{ customerId: string }} props */
export function Owed({ customerId }) {
  const [owed, setOwed] = useState("");
  const { online } = connection.value;
  const id = workshopId.value;
  useEffect(() => {
    let isShown = true;
    setOwed("");
    if (!isLocal(customerId) && online) {
      void softly(async () => {
        const found = await call("GET /workshops/{workshopId}/order-summaries", {
          workshopId: id,
          customerId,
          limit: MOST,
        });
        if (isShown) setOwed(sumOf(found.summaries));
      });
    }
    return () => void (isShown = false);
  }, [customerId, online, id]);
  return owed && p({ class: "figures" }, customerWords.value.owed(owed));
}

/** By currency; "" where nothing is due. @param {Api.OrderSummary[]} summaries */
function sumOf(summaries) {
  /** @type {Map<string, bigint>} */
  const sums = new Map();
  for (const { due } of summaries) {
    if (due && due.amount > 0) sums.set(due.currency, (sums.get(due.currency) ?? 0n) + decimal(due.amount));
  }
  return [...sums].map(([currency, sum]) => amount(decimalText(sum), currency, wordsLanguage.value)).join(
    " + ",
  );
}
