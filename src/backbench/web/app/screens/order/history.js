// History of an order: the stamps of its moves, its collection, and what the customer was told.

import { h2, li, ol, section, span } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { dateTime } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf, noticesOf } from "../../state/order-details.js";

/** @param {{ order: Api.Order }} props */
export function History({ order }) {
  const entries = [...moves(order), ...told(order), ...collected(order)]
    .sort((one, other) => one.at < other.at ? -1 : 1);
  return section(
    { class: "panel" },
    h2({}, orderWords.value.history),
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

/** @param {Api.Order} order */
function moves({ statusHistory }) {
  const names = words.value.common.orderStatus;
  return statusHistory.map(({ status, at }) => ({ at, mark: stamp({ status, word: names[status] }) }));
}

/** @param {Api.Order} order */
function told({ id }) {
  const { noticed, channels } = orderWords.value;
  return noticesOf(id).map(({ kind, channel, at }) => ({
    at,
    mark: span({}, `${noticed[kind]} (${channels[channel]})`),
  }));
}

/** @param {Api.Order} order */
function collected({ id, status }) {
  const { collectedAt, collectedBy } = detailsOf(id);
  if (status !== "done" || !collectedAt) return [];
  const text = orderWords.value;
  const said = [text.stages.collected, collectedBy && text.collectedBy(collectedBy)];
  return [{ at: collectedAt, mark: span({}, said.filter(Boolean).join(", ")) }];
}
