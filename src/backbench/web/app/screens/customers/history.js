// History of a customer: what was, newest first, with amounts and the sum of the orders.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { b, div, h2, li, p, section, span, ul } from "../../components/tags.js";
import { decimal, decimalText } from "../../domain/decimals.js";
import { amount, shortDate } from "../../domain/format.js";
import { isLocal } from "../../domain/ids.js";
import { words, wordsLanguage } from "../../words/words.js";
import { customerWords } from "../../words/customers.js";
import { orderWords } from "../../words/orders.js";
import { connection } from "../../state/connection.js";
import { merges, newestHistory, olderHistory } from "../../state/customers.js";
import { follow } from "../../state/invoices.js";
import { detailsOf } from "../../state/order-details.js";
import { orders } from "../../state/orders.js";
import { softly } from "../../state/records.js";
import { workshopId } from "../../state/workshops.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { signal } from "../../vendor/signals.js";

/** @typedef {import("../../api/lists.js").Rows<Api.HistoryEntry>} Known */

/** How often what the server computes of the shown customer may have changed. */
const changes = signal(0);

/** What it has to be read for again: a change that this browser has heard of, or a merge of its own. @param {string} customerId */
const stateOf = (customerId) =>
  `${connection.value.online} ${changes.value} ${merges.value[customerId]?.at ?? 0}`;

/** What it is made of: the customer, the orders, and what is in the history. @param {string} customerId @param {readonly Api.HistoryEntry[]} rows */
const idsOf = (customerId, rows) => [
  customerId,
  ...orders.peek().map(({ id }) => id).filter((id) => detailsOf(id).customerId === customerId),
  ...rows.map(({ id }) => id),
];

/** @param {{ customerId: string }} props */
export function History({ customerId }) {
  const [known, setKnown] = useState(/** @type {Known | null} */ (null));
  const read = useRef({ rows: /** @type {Api.HistoryEntry[]} */ ([]), state: "" });
  read.current.rows = known?.rows ?? [];
  const { online } = connection.value;
  const state = stateOf(customerId);
  const { said, busy, run } = useCommand();
  const load = () => void run(async () => setKnown(await newestHistory(customerId, known?.rows.length ?? 0)));
  const more = () =>
    void run(async () => {
      if (!known?.next) return;
      const { rows, next } = await olderHistory(customerId, known.next);
      setKnown({ rows: [...known.rows, ...rows], next });
    });
  useEffect(() => {
    // With the connection it is read again, and what changes while it is being read is read afterwards.
    if (!online) read.current.state = "";
    if (isLocal(customerId) || !online || busy || read.current.state === state) return;
    read.current.state = state;
    load();
  }, [customerId, state, busy]);
  useEffect(() => {
    let isFirst = true;
    return follow(() => idsOf(customerId, read.current.rows), () => {
      if (!isFirst) changes.value += 1;
      isFirst = false;
    });
  }, [customerId]);
  const text = customerWords.value;
  return section(
    { class: "panel" },
    h2({}, text.history),
    ...(known ? shown(known, !said, busy, more) : [nothingYet(customerId)]),
    said && notice({
      kind: "warning",
      text: said,
      action: { label: words.value.common.buttons.retry, onClick: known ? more : load },
    }),
  );
}

/** @param {string} customerId */
function nothingYet(customerId) {
  if (isLocal(customerId)) return p({ class: "quiet-text" }, customerWords.value.noHistory);
  return div({ class: "late stack" }, needsConnection());
}

/** @param {Known} known @param {boolean} hasMore whether further ones can be asked for here @param {boolean} busy @param {() => void} onMore */
function shown({ rows, next }, hasMore, busy, onMore) {
  const text = customerWords.value;
  if (!rows.length) return [p({ class: "quiet-text" }, text.noHistory)];
  const total = sumOf(rows);
  return [
    ul({ class: "customer-history" }, ...rows.map(entry)),
    next === null && total && p({ class: "figures" }, b({}, text.sum(total))),
    next !== null && hasMore && actionButton({ label: text.more, kind: "quiet", busy, onClick: onMore }),
  ];
}

/** @param {Api.HistoryEntry} one */
function entry({ kind, id, at, title, amount: sum, currency, state }) {
  const text = customerWords.value;
  const language = wordsLanguage.value;
  const stage = orderWords.value.stages[/** @type {Api.OrderDetails["stage"]} */ (state)];
  const word = kind === "order"
    ? stage
    : state && text.states[/** @type {keyof typeof text.states} */ (state)];
  return li(
    { key: `${kind} ${id}` },
    span({}, title, span({ class: "quiet-text" }, [text.entries[kind], word].filter(Boolean).join(" · "))),
    span(
      { class: "customer-history-end" },
      sum !== undefined && currency && span({ class: "figures" }, amount(sum, currency, language)),
      span({ class: "quiet-text" }, shortDate(at, language)),
    ),
  );
}

/** What was agreed for the orders. @param {Api.HistoryEntry[]} entries */
const sumOf = (entries) => sumText(entries.filter(({ kind }) => kind === "order"));

/** By currency; "" where there is nothing. @param {readonly { amount?: number, currency?: string }[]} all */
function sumText(all) {
  /** @type {Map<string, bigint>} */
  const sums = new Map();
  for (const { amount: sum = 0, currency } of all) {
    if (sum > 0 && currency) sums.set(currency, (sums.get(currency) ?? 0n) + decimal(sum));
  }
  return [...sums].map(([currency, sum]) => amount(decimalText(sum), currency, wordsLanguage.value)).join(
    " + ",
  );
}

const MOST = 500;

/** @param {{ customerId: string }} props */
export function Owed({ customerId }) {
  const [owed, setOwed] = useState("");
  const { online } = connection.value;
  const id = workshopId.value;
  useEffect(() => {
    let isShown = true;
    if (!isLocal(customerId) && online) {
      void softly(async () => {
        const found = await call("GET /workshops/{workshopId}/order-summaries", {
          workshopId: id,
          customerId,
          limit: MOST,
        });
        if (isShown) setOwed(sumText(found.summaries.flatMap(({ due }) => due ?? [])));
      });
    }
    return () => void (isShown = false);
  }, [customerId, stateOf(customerId), id]);
  return owed && p({ class: "figures" }, customerWords.value.owed(owed));
}
