// History of an order: the stamps of its moves, its collection, and what the customer was told.

import { h2, li, ol, section, span } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { dateTime } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { orderWords } from "../../i18n/orders.js";
import { detailsOf, noticesOf } from "../../state/order-details.js";

/** @param {{ order: import("../../../../../../types/shapes.d.ts").Order }} props */
export function History({ order }) {
  const text = orderWords.value;
  const { collectedAt, collectedBy } = detailsOf(order.id);
  const moves = order.statusHistory.map(({ status, at }) => ({
    at,
    mark: stamp({ status, word: words.value.common.orderStatus[status] }),
  }));
  const told = noticesOf(order.id).map(({ kind, channel, at }) => ({
    at,
    mark: span({}, `${text.noticed[kind]} (${text.channels[channel]})`),
  }));
  const collected = order.status === "done" && collectedAt
    ? [{
      at: collectedAt,
      mark: span(
        {},
        [text.stages.collected, collectedBy && text.collectedBy(collectedBy)].filter(Boolean).join(", "),
      ),
    }]
    : [];
  const entries = [...moves, ...told, ...collected].sort((one, other) => one.at < other.at ? -1 : 1);
  return section(
    { class: "panel" },
    h2({}, text.history),
    ol(
      { class: "stack" },
      ...entries.map(({ at, mark }, index) =>
        li(
          { key: index, class: "row" },
          mark,
          span({ class: "quiet-text figures" }, dateTime(at, wordsLanguage.value)),
        )
      ),
    ),
  );
}
