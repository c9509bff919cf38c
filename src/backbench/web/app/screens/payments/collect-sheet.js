// Collect sheet: asks once how a collected order is paid. What is left open waits in the inbox.

import { actionButton } from "../../components/action-button.js";
import { sheet } from "../../components/sheet.js";
import { div, p } from "../../components/tags.js";
import { amount } from "../../domain/format.js";
import { methodsOf } from "../../domain/balance.js";
import { words, wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { collecting } from "../../state/tickets.js";
import { uncollect } from "../../state/orders.js";
import { drop } from "../../state/outbox.js";
import { collectPaid } from "../../state/payments.js";
import { offerUndo } from "../../state/undo.js";
import { currency } from "../../state/workshops.js";
import { handOver } from "../board/order-ticket.js";

/** @typedef {import("../../state/tickets.js").Collecting} Collecting */
/** @typedef {import("../../domain/balance.js").Method} Method */

/** The sheet, while it asks. */
export function part() {
  const asked = collecting.value;
  if (!asked) return null;
  const text = paymentWords.value;
  const close = () => (collecting.value = null);
  const press = (/** @type {() => void} */ take) => () => {
    close();
    take();
  };
  const sum = amount(asked.due.amount, asked.due.currency, wordsLanguage.value);
  const later = press(() => handOver(asked));
  const foot = actionButton({ label: text.collecting.later, kind: "quiet", wide: true, onClick: later });
  return sheet(
    { title: text.collecting.title(sum), onClose: close, foot },
    p({}, asked.title),
    div(
      { class: "stack" },
      ...ways(asked).map((method) =>
        actionButton({
          label: text.methods[method],
          kind: "plain",
          wide: true,
          onClick: press(() => paid(asked, method, sum)),
        })
      ),
    ),
  );
}

/** A payment is in the workshop's currency. @param {Collecting} asked @returns {readonly Method[]} */
function ways({ due }) {
  return due.currency === currency.value
    ? methodsOf(due.currency).filter((method) => method !== "other")
    : [];
}

/** One decision, taken back as one. @param {Collecting} asked @param {Method} method @param {string} sum as it is shown */
function paid({ id, title, due }, method, sum) {
  const key = collectPaid(id, Number(due.amount), method);
  const { board } = words.value;
  const undo = () => {
    drop(key);
    uncollect(id);
  };
  offerUndo(`${paymentWords.value.recorded(sum)} · ${board.collected(title)}`, undo, { key });
}
